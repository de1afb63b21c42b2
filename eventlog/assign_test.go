package eventlog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestAssignGivesOffsetsToNewEventsAlone(t *testing.T) {
	commit := time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC)
	head := Head{Epoch: 3, Offset: 41, ReceivedAt: commit}
	earlier := Receipt{Epoch: 2, Offset: 7, ReceivedAt: commit.Add(-time.Hour)}

	event := func(id, content string) pending {
		record := Record{Producer: "spark", EventID: id, ContentHash: lineage.HashOf(content)}
		return pending{Record: record, key: record.key()}
	}
	stored := event("stored", "a")
	known := map[lineage.Hash]standing{stored.key: {stored.ContentHash, earlier}}

	results, fresh := assign(head, known, []pending{
		event("new", "a"),
		event("stored", "a"),
		event("stored", "b"),
		event("new", "a"),
		event("new", "b"),
		event("newer", "a"),
	})

	again := func(r Receipt) Receipt { r.Duplicate = true; return r }
	first := Receipt{Epoch: 3, Offset: 42, ReceivedAt: commit}
	second := Receipt{Epoch: 3, Offset: 43, ReceivedAt: commit}
	require.Equal(t, []Result{
		{Receipt: first},
		{Receipt: again(earlier)},
		{Receipt: earlier, Err: ErrConflict},
		{Receipt: again(first)},
		{Receipt: first, Err: ErrConflict},
		{Receipt: second},
	}, results)
	require.Equal(t, []pending{event("new", "a"), event("newer", "a")}, fresh)
}
