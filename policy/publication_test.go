package policy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

var dailyOrders = policy.PublicationInput{
	Run: lineage.RunKey{
		Job:   lineage.JobID{Namespace: "spark-prod", Name: "daily_orders"},
		RunID: "53ee3770-86fa-4cb9-8c31-a09072dd88f7",
	},
	State:  lineage.RunCompleted,
	Mode:   lineage.Batch,
	Output: lineage.DatasetID{Namespace: "warehouse", Name: "mart.daily_orders"},
}

func TestDefaultAsksForNoGate(t *testing.T) {
	t.Parallel()
	engine := load(t, "")
	requirement, err := engine.Publication(t.Context(), dailyOrders)
	require.NoError(t, err)
	require.Equal(t, lineage.Requirement{Gates: []string{}, AtTimeout: lineage.Suspect, PolicyRevision: engine.Revision()}, requirement)
}

func TestPolicySeesRunJobOutputAndMarkers(t *testing.T) {
	t.Parallel()
	engine := load(t, defaults(t, map[string]string{"publication_test.rego": "", "finance.rego": `package headwater.publication

gates := ["quality", "commit"] if {
	input.run == {"id": "53ee3770-86fa-4cb9-8c31-a09072dd88f7", "state": "COMPLETED", "processingType": "BATCH"}
	input.job == {"namespace": "spark-prod", "name": "daily_orders"}
	input.output == {"namespace": "warehouse", "name": "mart.daily_orders"}
	input.markers[0] == {"kind": "failed", "gate": "quality", "eventTime": "2026-07-19T00:02:00Z", "by": "olu", "facet": ""}
	count(input.markers) == 2
	input.quality == {"quality": "passed"}
}

wait := "1h"

at_timeout := "rejected"
`}))
	question := dailyOrders
	marker := func(kind lineage.MarkerKind, gate string, minute int) lineage.RunMarker {
		at := time.Date(2026, 7, 19, 0, minute, 0, 0, time.UTC)
		return lineage.RunMarker{
			Marker: lineage.Marker{Output: question.Output, Kind: kind, Gate: gate, EventTime: at, By: "olu"},
			Moment: lineage.Moment{EffectiveAt: at},
		}
	}
	other := marker(lineage.Failed, "quality", 9)
	other.Output.Name = "mart.other"
	question.Markers = []lineage.RunMarker{marker(lineage.Failed, "quality", 2), marker(lineage.Passed, "quality", 3), other}
	requirement, err := engine.Publication(t.Context(), question)
	require.NoError(t, err)
	require.Equal(t, time.Hour, requirement.Wait)
	require.Equal(t, lineage.Rejected, requirement.AtTimeout)
	require.Equal(t, []string{"quality", "commit"}, requirement.Gates)
}

func TestMisspeltRuleOfYourOwnPublishesNothing(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		`{"gate": ["validation"]}`:                             "gate",
		`{"gates": ["validation"], "atTimeout": "rejected"}`:   "atTimeout",
		`{"wait": "1h"}`:                                       "gates are missing",
		`{"gates": null}`:                                      "gates are missing",
		`{"gates": ["validation"], "wait": "1h", "name": "x"}`: "",
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			engine := load(t, defaults(t, map[string]string{"own.rego": "package headwater.publication\n\nown := " + rule + " if input.run.id == \"backfill\"\n"}))
			question := dailyOrders
			question.Run.RunID = "backfill"
			_, err := engine.Publication(t.Context(), question)
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, want)
			require.ErrorIs(t, err, policy.ErrUndecided)
		})
	}
}

func TestUnusableRequirementIsAnError(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"undefined":         `requirement := {} if input.run.state == "FAILED"`,
		"not a list":        `requirement := {"gates": "quality", "wait": "", "at_timeout": "suspect"}`,
		"not all names":     `requirement := {"gates": ["quality", 1], "wait": "", "at_timeout": "suspect"}`,
		"no time":           `requirement := {"gates": [], "wait": "soon", "at_timeout": "suspect"}`,
		"time that is over": `requirement := {"gates": [], "wait": "-1s", "at_timeout": "suspect"}`,
		"no publication":    `requirement := {"gates": [], "wait": "", "at_timeout": "fine"}`,
		"left pending":      `requirement := {"gates": [], "wait": "", "at_timeout": "pending"}`,
		"no gates":          `requirement := {"wait": "1h", "at_timeout": "suspect"}`,
		"misspelt":          `requirement := {"gates": [], "waits": "", "at_timeout": "suspect"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := load(t, defaults(t, map[string]string{
				"publication.rego": "package headwater.publication\n\n" + rule + "\n", "publication_test.rego": "",
			}))
			_, err := engine.Publication(t.Context(), dailyOrders)
			require.ErrorIs(t, err, policy.ErrUndecided)
		})
	}
}
