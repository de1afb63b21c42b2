package lineage_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// oddDocuments are where a fuzzer does well to begin.
var oddDocuments = []string{
	completeRun, completeEnvelope, envelopeHeader + `"openLineage": ` + completeRun + "}",
	"", "null", "[]", "{}", "\xef\xbb\xbf{}", "{} {}", `{"a": 1, "a": 2}`, `{"a": "\ud800"}`, strings.Repeat("[", 600),
	`{"eventTime": "2024-06-01T10:00", "dataset": {"namespace": "n", "name": "v", "facets": {"lineage": {"inputs": [{"type": "JOB"}]}}}}`,
	`{"eventTime": "2024-06-01T10:00Z", "eventType": 7, "run": {"runId": "x", "facets": {"parent": {"run": 1}, "errorMessage": []}},
		"job": {"namespace": "n", "name": "j", "facets": {"lineage": {"entries": [{"type": "JOB", "inputs": [{"name": "a"}]}]}, "jobType": 1, "sql": 2}},
		"inputs": [null, {"namespace": "n", "name": "a", "facets": 1}],
		"outputs": [{"namespace": "n", "name": "b", "facets": {"columnLineage": {"fields": {"x": {"inputFields": [{"namespace": "n"}]}}}}}]}`,
}

func FuzzDecodeOpenLineage(f *testing.F) { fuzzDecode(f, lineage.FormatOpenLineage) }

func FuzzDecodeEnvelope(f *testing.F) { fuzzDecode(f, lineage.FormatEnvelope) }

// FuzzDecodePlatform requires of any bytes that they are refused or give an event with a key and an id: what is in the
// log cannot be taken back.
func FuzzDecodePlatform(f *testing.F) {
	decided, err := lineage.EncodeDecision(lineage.Decision{Run: loadOrdersRun, Output: orders, Publication: lineage.Published})
	require.NoError(f, err)
	f.Add(decided)
	f.Add([]byte(`{"type": "PublicationDecided", "decision": {"run": {}, "publication": 99}}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		event, err := lineage.Decode(lineage.FormatPlatform, document, lineage.DefaultLimits())
		if err != nil {
			var invalid *lineage.InvalidError
			require.ErrorAs(t, err, &invalid)
			return
		}
		require.NotEmpty(t, event.Decision.ID())
		require.Equal(t, event.Decision.Run.Hash(), event.RunHash())
		(&lineage.Run{}).ApplyDecisions([]lineage.RecordedDecision{{Decision: event.Decision}})
	})
}

// fuzzDecode requires of any bytes: they are refused with a reason that can be stored, or give one event for ever,
// which folds and has a content hash.
func fuzzDecode(f *testing.F, format lineage.Format) {
	f.Helper()
	for _, document := range oddDocuments {
		f.Add([]byte(document))
	}
	limits := lineage.DefaultLimits()
	f.Fuzz(func(t *testing.T, document []byte) {
		before := bytes.Clone(document)
		event, err := lineage.Decode(format, document, limits)
		if err != nil {
			var invalid *lineage.InvalidError
			require.ErrorAs(t, err, &invalid)
			requireSpeaks(t, invalid)
			return
		}
		again, err := lineage.Decode(format, document, limits)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(event, again))
		requireHashStands(t, document)
		requireFolds(t, event)
		require.Equal(t, before, document, "what was accepted is kept byte for byte")
	})
}

// requireHashStands requires that an accepted document has a hash and that its white space is no part of it.
func requireHashStands(t *testing.T, document []byte) {
	t.Helper()
	hash, err := lineage.ContentHash(document)
	require.NoError(t, err)
	padded, err := lineage.ContentHash(append(bytes.Clone(document), " \n"...))
	require.NoError(t, err)
	require.Equal(t, hash, padded)
}

// requireFolds requires that an accepted event can be folded, stored and read again.
func requireFolds(t *testing.T, event lineage.Event) {
	t.Helper()
	arrival := lineage.Arrival{Content: lineage.HashOf("x"), ReceivedAt: time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC), EventID: "1"}
	contribution, warnings := lineage.NewContribution(event, arrival)
	requireKept(t, contribution)
	if event.Kind != lineage.RunEvent {
		lineage.DeclaredStatements(event.Job, contribution, nil)
		return
	}
	for _, warning := range warnings {
		require.NotContains(t, warning.Reason, "%!")
	}
	run := &lineage.Run{Key: event.Run}
	run.Add(contribution)
	once := reread(t, run)
	requireEqualRuns(t, run, once)
	run.Add(contribution)
	requireEqualRuns(t, once, run)
	publish(run)
	run.Statements()
}

func FuzzParseEventTime(f *testing.F) {
	for _, text := range []string{
		"2024-06-01T10:00:00Z", "2024-06-01 10:00", "2024-06-01T10:00:00.123456789+05:30[UTC]", "2024-06-01T10:00:00,5+00:00Z",
		"0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-12", "now", strings.Repeat("\xa1", 300),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, _, err := lineage.ParseEventTime(text)
		if err != nil {
			require.Less(t, len(err.Error()), 1000)
			return
		}
		require.Equal(t, time.UTC, at.Location())
		require.Equal(t, at, at.Truncate(time.Microsecond))
		again, zoned, err := lineage.ParseEventTime(at.Format(time.RFC3339Nano))
		require.NoError(t, err)
		require.True(t, zoned)
		require.Equal(t, at, again)
	})
}
