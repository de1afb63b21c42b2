package lineage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func contentHash(t testing.TB, document string, ignored ...string) lineage.Hash {
	t.Helper()
	hash, err := lineage.ContentHash([]byte(document), ignored...)
	require.NoError(t, err)
	require.False(t, hash.IsZero())
	return hash
}

func TestContentHashIgnoresHowJSONIsWritten(t *testing.T) {
	const document = `{"a": {"b": 1, "c": [true, null]}, "d": "é"}`
	for _, same := range []string{
		`{"a":{"b":1,"c":[true,null]},"d":"é"}`,
		"\xef\xbb\xbf\n" + document + "\n",
		`{"d": "\u00e9", "a": {"c": [true, null], "b": 1}}`,
	} {
		require.Equal(t, contentHash(t, document), contentHash(t, same), same)
	}
}

func TestContentHashTellsContentsApart(t *testing.T) {
	seen := map[lineage.Hash]string{}
	for _, document := range []string{
		`{"a": 1}`, `{"a": 1.0}`, `{"a": "1"}`, `{"a": 12345678901234567890}`, `{"a": 12345678901234567891}`,
		`{"a": 0.1}`, `{"a": 0.10000000000000000001}`, `{"a": [1, 2]}`, `{"a": [2, 1]}`, `{"a": null}`, `{}`, `{"A": 1}`,
	} {
		hash := contentHash(t, document)
		require.Empty(t, seen[hash], "%s has the hash of another", document)
		seen[hash] = document
	}
}

func TestContentHashLeavesIgnoredMembersOut(t *testing.T) {
	const envelope = `{"eventId": "1", "emittedAt": "2024-06-01T10:00:00Z", "job": {"emittedAt": 1}}`
	require.Equal(t, contentHash(t, envelope, "emittedAt"), contentHash(t, strings.Replace(envelope, "10:00", "11:00", 1), "emittedAt"))
	require.NotEqual(t, contentHash(t, envelope), contentHash(t, strings.Replace(envelope, "10:00", "11:00", 1)))
	require.NotEqual(t, contentHash(t, envelope, "emittedAt"), contentHash(t, strings.Replace(envelope, `{"emittedAt": 1}`, "{}", 1), "emittedAt"),
		"only the top level is ignored")
}

func TestContentHashLeavesTheDocumentAlone(t *testing.T) {
	document := []byte(`{"b": 1, "a": 2}`)
	_, err := lineage.ContentHash(document)
	require.NoError(t, err)
	require.Equal(t, `{"b": 1, "a": 2}`, string(document))
}

func TestContentHashRefusesWhatIsNoJSON(t *testing.T) {
	for _, document := range []string{"", "{", `{"a": 1, "a": 2}`, "{} {}"} {
		_, err := lineage.ContentHash([]byte(document))
		var invalid *lineage.InvalidError
		require.ErrorAs(t, err, &invalid, document)
	}
	_, err := lineage.ContentHash([]byte(`[1]`), "emittedAt")
	require.Error(t, err)
}

func TestDerivedEventIDFollowsTheContent(t *testing.T) {
	first := lineage.DerivedEventID(contentHash(t, completeRun))
	require.Regexp(t, `^ol-[0-9a-f]{32}$`, first)
	resent := lineage.DerivedEventID(contentHash(t, strings.ReplaceAll(completeRun, "\n", "")))
	require.Equal(t, first, resent)
	progress := lineage.DerivedEventID(contentHash(t, strings.Replace(completeRun, "10:00:00Z", "10:00:01Z", 1)))
	require.NotEqual(t, first, progress)
}
