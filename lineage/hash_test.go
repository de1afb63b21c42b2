package lineage_test

import (
	"encoding/json/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestHashTellsListsOfPartsApart(t *testing.T) {
	seen := map[lineage.Hash]bool{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"a", "b", ""}, {"b", "a"}} {
		hash := lineage.HashOf(parts...)
		require.False(t, seen[hash], "%q", parts)
		require.False(t, hash.IsZero())
		seen[hash] = true
	}
	require.True(t, lineage.Hash{}.IsZero())
}

func TestHashIsReadAsItIsWritten(t *testing.T) {
	hash := lineage.HashOf("x")
	encoded, err := json.Marshal(hash)
	require.NoError(t, err)
	require.Equal(t, `"`+hash.String()+`"`, string(encoded))
	require.Equal(t, hash.String()[:8], hash.Short())
	var again lineage.Hash
	require.NoError(t, json.Unmarshal(encoded, &again))
	require.Equal(t, hash, again)

	for _, text := range []string{"", "00", hash.String() + "0", hash.String() + "00", "g" + hash.String()[1:]} {
		require.Error(t, again.UnmarshalText([]byte(text)), text)
	}
}

func TestLanesSpreadRuns(t *testing.T) {
	lanes := map[int16]bool{}
	for i := range 10_000 {
		lane := lineage.LaneOf(lineage.HashOf(string(rune(i))))
		require.GreaterOrEqual(t, lane, int16(0))
		require.Less(t, lane, int16(lineage.Lanes))
		lanes[lane] = true
	}
	require.Len(t, lanes, lineage.Lanes)
}
