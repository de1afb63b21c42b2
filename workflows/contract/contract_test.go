package contract_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestRunsOfTwoJobsHaveTwoWorkflows(t *testing.T) {
	orders := lineage.RunKey{Job: lineage.JobID{Namespace: "airflow", Name: "orders"}, RunID: "scheduled__2026-07-19"}
	users := orders
	users.Job.Name = "users"
	require.Regexp(t, `^run/scheduled__2026-07-19/[0-9a-f]{8}$`, contract.RunWorkflowID(orders))
	require.NotEqual(t, contract.RunWorkflowID(orders), contract.RunWorkflowID(users))
}

func TestTemporalTakesTheWorkflowOfAnyRunID(t *testing.T) {
	job := lineage.JobID{Namespace: "airflow", Name: "orders"}
	seen := map[string]string{}
	for _, id := range []string{
		"53ee3770-86fa-4cb9-8c31-a09072dd88f7", "manual__2026-07-19t10:00:00+00:00", "é", "%C3%A9", "🚀", "a\nb", "a\x01", "\x7f", "a b", "a/b", "../..",
		strings.Repeat("x", 512), strings.Repeat("x", 513), strings.Repeat("x", 600), strings.Repeat("é", 300), strings.Repeat("é", 300) + "x",
	} {
		workflow := contract.RunWorkflowID(lineage.RunKey{Job: job, RunID: id})
		require.Regexp(t, `^[ -~]{1,1000}$`, workflow, id)
		require.Empty(t, seen[workflow], id)
		seen[workflow] = id
	}
	require.Contains(t, seen, "run/53ee3770-86fa-4cb9-8c31-a09072dd88f7/"+job.Hash().Short(), "people find an ordinary id as it is")
	require.Contains(t, seen, "run/manual__2026-07-19t10:00:00+00:00/"+job.Hash().Short())
}

func TestKeywordsFitTheVisibilityStore(t *testing.T) {
	require.Equal(t, "daily_orders", contract.Keyword("daily_orders"))
	require.Equal(t, strings.Repeat("x", 255), contract.Keyword(strings.Repeat("x", 255)))

	for _, name := range []string{strings.Repeat("x", 256), strings.Repeat("ö", 200), "x" + strings.Repeat("𝄞", 100)} {
		keyword := contract.Keyword(name)
		require.LessOrEqual(t, len(keyword), 255)
		require.True(t, utf8.ValidString(keyword))
		require.True(t, strings.HasPrefix(name, strings.TrimSuffix(keyword, "…")))
	}
}

func TestReplayNeedsAName(t *testing.T) {
	for _, name := range []string{"fixed-mapping", "a", "v2"} {
		require.NoError(t, contract.Replay{Name: name}.Validate())
	}
	for _, name := range []string{"", "Fixed", "2nd", "a b", "a/b", "ä", strings.Repeat("a", 64)} {
		require.Error(t, contract.Replay{Name: name}.Validate(), name)
	}
}
