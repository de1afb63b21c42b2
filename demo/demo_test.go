package demo

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/headwater-data/headwater/lineage"
)

var base = time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC)

// decoded is the demo as the log takes it in.
func decoded(t *testing.T, base time.Time) []lineage.Event {
	t.Helper()
	var events []lineage.Event
	for _, event := range Events(base) {
		format, payload := lineage.FormatOpenLineage, event.OpenLineage
		if event.Envelope != nil {
			format = lineage.FormatEnvelope
			var err error
			payload, err = protojson.Marshal(event.Envelope)
			require.NoError(t, err)
		}
		decoded, err := lineage.Decode(format, payload, lineage.DefaultLimits())
		require.NoError(t, err)
		require.Equal(t, event.At, decoded.EventTime)
		events = append(events, decoded)
	}
	return events
}

// runs folds the demo. Each run comes with the facets of its last event.
func runs(t *testing.T) map[lineage.RunKey]*lineage.Run {
	t.Helper()
	folded := map[lineage.RunKey]*lineage.Run{}
	for i, event := range decoded(t, base) {
		contribution, warnings := lineage.NewContribution(event, lineage.Arrival{
			Content: lineage.HashOf("event", string(rune(i))), ReceivedAt: base,
		})
		require.Empty(t, warnings, event.Job)
		if folded[event.Run] == nil {
			folded[event.Run] = &lineage.Run{Key: event.Run}
		}
		folded[event.Run].Add(contribution)
	}
	return folded
}

func TestSameBaseGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	first, second := Events(base), Events(base.In(time.FixedZone("elsewhere", 3600)))
	require.Len(t, second, len(first))
	for i := range first {
		require.Equal(t, string(first[i].OpenLineage), string(second[i].OpenLineage))
		require.Equal(t, protojson.Format(first[i].Envelope), protojson.Format(second[i].Envelope))
	}
}

func TestAnotherNightHasOtherRunsOfTheSameJobs(t *testing.T) {
	t.Parallel()
	today, tomorrow := decoded(t, base), decoded(t, base.Add(24*time.Hour))
	require.Len(t, tomorrow, len(today))
	for i := range today {
		require.Equal(t, today[i].Job, tomorrow[i].Job)
		require.NotEqual(t, today[i].Run.RunID, tomorrow[i].Run.RunID)
	}
}

func TestEventsAreInOrderAndInThePast(t *testing.T) {
	t.Parallel()
	last := base.Add(-time.Hour)
	for _, event := range Events(base) {
		require.False(t, event.At.Before(last))
		require.True(t, event.At.Before(base))
		last = event.At
	}
}

func TestNightIsStableForADay(t *testing.T) {
	t.Parallel()
	require.Equal(t, base, Night(base))
	require.Equal(t, base, Night(base.Add(24*time.Hour-time.Second)))
	require.Equal(t, base.Add(24*time.Hour), Night(base.Add(24*time.Hour)))
}

func TestParentsAreRunsOfTheDemoThatStartedBefore(t *testing.T) {
	t.Parallel()
	folded := runs(t)
	chain := 0
	for key, run := range folded {
		parent := run.Parent.Value
		if parent == (lineage.RunKey{}) {
			continue
		}
		require.Contains(t, folded, parent, "parent of %v", key)
		require.False(t, folded[parent].StartedAt.After(run.StartedAt), "%v starts before its parent", key)
		if folded[parent].Parent.Value != (lineage.RunKey{}) {
			chain++
		}
	}
	require.Equal(t, 2, chain, "Spark applications under a task under a DAG")
}

func TestRunsEndAsTheStoryTells(t *testing.T) {
	t.Parallel()
	got := map[string][]string{}
	for key, run := range runs(t) {
		job := key.Job.Namespace + " " + key.Job.Name
		got[job] = append(got[job], run.State().String())
	}
	for job := range got {
		if len(got[job]) == 2 && got[job][0] == "COMPLETED" {
			got[job][0], got[job][1] = got[job][1], got[job][0]
		}
	}
	require.Empty(t, cmp.Diff(map[string][]string{
		"airflow-prod shop_ingest":                      {"COMPLETED"},
		"airflow-prod shop_ingest.load_customers":       {"COMPLETED"},
		"airflow-prod shop_ingest.load_orders":          {"COMPLETED"},
		"data-science train_churn_model":                {"FAILED"},
		"dbt-prod dbt-run-shop":                         {"FAILED", "COMPLETED"},
		"dbt-prod shop.mart.shop_dbt.customer_activity": {"FAILED", "COMPLETED"},
		"dbt-prod shop.mart.shop_dbt.daily_orders":      {"COMPLETED"},
		"dbt-prod shop.staging.shop_dbt.customers":      {"COMPLETED"},
		"dbt-prod shop.staging.shop_dbt.orders":         {"COMPLETED"},
		"finance-scripts export_ledger":                 {"FAILED"},
		"flink-prod sessionize_clicks":                  {"RUNNING"},
		"kafka-connect-prod sessions_to_bigquery":       {"RUNNING"},
		"looker-prod refresh_sales_overview":            {"COMPLETED"},
		"spark-prod load_customers":                     {"COMPLETED"},
		"spark-prod load_orders":                        {"COMPLETED"},
		"spark-prod rename_clients":                     {"COMPLETED"},
	}, got))
}

func TestSourcesLieDepthHopsBehindTheDashboard(t *testing.T) {
	t.Parallel()
	upstream := map[lineage.Node][]lineage.Node{}
	for _, run := range runs(t) {
		for i := range run.Outputs {
			run.Outputs[i].Publication = run.Decide(run.Outputs[i].DatasetID, lineage.Requirement{}).Publication
		}
		for _, statement := range run.Statements() {
			if flow := statement.Flow(); flow != nil {
				upstream[statement.Output] = append(upstream[statement.Output], flow.Inputs...)
			}
		}
	}
	seen := map[lineage.Node]bool{MainOutput.Node(): true}
	frontier, hops := []lineage.Node{MainOutput.Node()}, 0
	for ; ; hops++ {
		var next []lineage.Node
		for _, node := range frontier {
			for _, input := range upstream[node] {
				if !seen[input] {
					seen[input] = true
					next = append(next, input)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		frontier = next
	}
	require.Equal(t, Depth, hops)
	require.Len(t, seen, 12)
	require.True(t, seen[orders.Node()])
	require.True(t, seen[customers.Node()])
	require.True(t, seen[clicks.Node()])
	require.False(t, seen[ledger.Node()])
}
