package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// reports sends a document of the run as a producer in the field writes it.
func (g *gated) reports(t *testing.T, kind, at, inputs, outputs string) {
	t.Helper()
	document := fmt.Sprintf(`{"eventType": %q, "eventTime": %q, "run": {"runId": %q}, "job": {"namespace": %q, "name": %q},
		"inputs": [%s], "outputs": [%s], "producer": "https://example.com/e2e"}`, kind, at, g.run, gatedNamespace, g.job, inputs, outputs)
	said, err := headwater.producer.post([]byte(document))
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, said.Status, said.Reason)
}

// dataset is the output with members of its own.
func (g *gated) dataset(members string) string {
	return fmt.Sprintf(`{"namespace": %q, "name": %q, %s}`, gatedNamespace, g.output, members)
}

func (g *gated) time(minute int) string { return g.at(minute).UTC().Format(time.RFC3339Nano) }

func assertions(list string) string {
	return `{"dataQualityAssertions": {"assertions": [` + list + `]}}`
}

func TestFacetsAnswerGatesAsTheyAreWritten(t *testing.T) {
	const pass, fail = `{"assertion": "not_null", "column": "id", "success": true}`, `{"assertion": "unique", "column": "id", "success": false, "severity": "error"}`
	const warn, silent = `{"assertion": "unique", "column": "id", "success": false, "severity": "warn"}`, `{"assertion": "unique"}`
	for name, test := range map[string]struct {
		folder        string
		input, output string
		want          lineage.Publication
	}{
		"all pass under facets":          {"checked", "", `"facets": ` + assertions(pass), lineage.Published},
		"one fails":                      {"checked", "", `"facets": ` + assertions(pass+","+fail), lineage.Rejected},
		"one warns":                      {"checked", "", `"facets": ` + assertions(pass+","+warn), lineage.Published},
		"none says":                      {"checked", "", `"facets": ` + assertions(silent), lineage.Pending},
		"empty list":                     {"checked", "", `"facets": ` + assertions(""), lineage.Pending},
		"under inputFacets of the input": {"checked", `"inputFacets": ` + assertions(pass), `"facets": {}`, lineage.Published},
		"under outputFacets":             {"checked", "", `"outputFacets": ` + assertions(pass), lineage.Published},
		"places disagree":                {"checked", `"inputFacets": ` + assertions(fail), `"facets": ` + assertions(pass), lineage.Rejected},
		"places disagree, nobody waits":  {"mart", `"inputFacets": ` + assertions(fail), `"facets": ` + assertions(pass), lineage.Suspect},
		"commit without snapshot":        {"atomic", "", `"outputFacets": {"icebergCommitReport": {}}`, lineage.Published},
		"commit, snapshot null":          {"atomic", "", `"outputFacets": {"icebergCommitReport": {"snapshotId": null}}`, lineage.Published},
		"commit, snapshot text":          {"atomic", "", `"outputFacets": {"icebergCommitReport": {"snapshotId": "4234234234"}}`, lineage.Published},
		"commit report is no object":     {"atomic", "", `"outputFacets": {"icebergCommitReport": 7}`, lineage.Pending},
		"commit report under inputs":     {"atomic", `"inputFacets": {"icebergCommitReport": {"snapshotId": 7}}`, `"facets": {}`, lineage.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGated("facets of gates", test.folder+"."+name)
			input := ""
			if test.input != "" {
				input = g.dataset(test.input)
			}
			g.reports(t, "COMPLETE", g.time(10), input, g.dataset(test.output))
			g.becomesDecided(t, test.want)
		})
	}
}

// becomesDecided is becomes, after a decision.
func (g *gated) becomesDecided(t *testing.T, want lineage.Publication) *headwaterv1.Run {
	t.Helper()
	var run *headwaterv1.Run
	within(t, patience, func() error {
		run = g.becomes(t, want)
		if len(run.GetOutputs()[0].GetDecisions()) == 0 {
			return errors.New("it is not decided")
		}
		return nil
	})
	return run
}

func TestTypesAndTimesOfEventsAreReadAsClientsSendThem(t *testing.T) {
	for name, test := range map[string]struct {
		kind, at string
		state    headwaterv1.RunState
		want     lineage.Publication
	}{
		"lower case":       {"complete", "2026-07-19T06:00:00Z", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
		"mixed case":       {"Fail", "2026-07-19T06:00:00Z", headwaterv1.RunState_RUN_STATE_FAILED, lineage.Diagnostic},
		"abort":            {"ABORT", "2026-07-19T06:00:00Z", headwaterv1.RunState_RUN_STATE_ABORTED, lineage.Diagnostic},
		"other":            {"OTHER", "2026-07-19T06:00:00Z", headwaterv1.RunState_RUN_STATE_UNKNOWN, lineage.Pending},
		"far future":       {"COMPLETE", "2099-01-01T00:00:00Z", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
		"far past":         {"COMPLETE", "0001-01-02T00:00:00Z", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
		"1970":             {"COMPLETE", "1970-01-01T00:00:00Z", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
		"offset":           {"COMPLETE", "2026-07-19T06:00:00+14:00", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
		"nanoseconds":      {"COMPLETE", "2026-07-19T06:00:00.123456789Z", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
		"no zone, a blank": {"COMPLETE", "2026-07-19 06:00:00", headwaterv1.RunState_RUN_STATE_COMPLETED, lineage.Published},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGated("times of clients", "mart."+name)
			g.reports(t, test.kind, test.at, `{"namespace": "e2e-gates", "name": "raw"}`, g.dataset(`"facets": {}`))
			run := g.becomes(t, test.want)
			require.Equal(t, test.state, run.GetState())
		})
	}
}
