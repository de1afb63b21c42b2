package render_test

import (
	"testing"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func TestRunPageTellsTheWholeStory(t *testing.T) {
	t.Parallel()
	requireText(t, `
run 53ee3770 failed
  job      spark daily_orders, version 7
  engine   spark 3.5.1, reported by OpenLineage 1.26.0
  tag      cost=high
  started  2026-07-19 11:50:00 UTC, 10 minutes ago
  ended    2026-07-19 11:55:00 UTC, 5 minutes ago, after 5m0s
  for      2026-07-19 00:00:00 UTC to 2026-07-20 00:00:00 UTC
  error    disk full
  ! its terminal events disagree; the latest by event time holds

inputs
  warehouse orders  12 rows, 3400 bytes

outputs
  warehouse mart  diagnostic  7 rows, 2 files
    quality failed at 2026-07-19 11:55:00 UTC, says dq in dataQualityAssertions: unique id
    committed at 2026-07-19 11:55:00 UTC, says olu: by hand
    decided at offset 4: pending, by events up to offset 3 and policies 1a2b, which ask for commit until 2026-07-19 12:30:00 UTC; void: evidence came in between
    decided at offset 7: diagnostic, by events up to offset 6 and policies 1a2b, which ask for commit, quality, on 2026-07-19 11:55:00 UTC

tree of runs
  aa00 of airflow dag nothing of it has come
    53ee3770 of spark daily_orders this run
      bb11 of spark action completed
  there may be more: headwater run list --parent RUN lists the runs below one

other attempts
  try-2  completed  ended 2026-07-19 11:59:00 UTC, 1 minute ago

events
  1  START  2026-07-19 11:50:00 UTC  received 2026-07-19 11:50:01 UTC  from spark-eu  ol-1
  6  FAIL   2026-07-19 11:55:00 UTC  received 2026-07-19 11:55:01 UTC  from spark-eu  ol-6
  ! 1 withdrawn by olu on 2026-07-19 11:58:00 UTC: sent by a test
  made nothing of, but for headwater event show: job.facets.sql, run.facets.environmentVariables

warnings
  run_id_no_uuid run.runId: "53ee3770" is no UUID; it was kept as it is

projection first at offset 9
`, render.Run(&headwaterv1.GetRunResponse{
		Run: &headwaterv1.Run{
			RunId: "53ee3770", Job: &headwaterv1.Job{Namespace: "spark", Name: "daily_orders"}, JobVersion: new("7"),
			State:     headwaterv1.RunState_RUN_STATE_FAILED,
			StartedAt: before(10 * time.Minute), EndedAt: before(5 * time.Minute), Disputed: true,
			Engine: &headwaterv1.ProcessingEngine{Name: "spark", Version: "3.5.1", AdapterVersion: "1.26.0"},
			Inputs: []*headwaterv1.RunInput{{
				Dataset:    &headwaterv1.Dataset{Namespace: "warehouse", Name: "orders"},
				Statistics: &headwaterv1.DatasetStatistics{Rows: new(int64(12)), Bytes: new(int64(3400))},
			}},
			Outputs: []*headwaterv1.RunOutput{{
				Dataset:     &headwaterv1.Dataset{Namespace: "warehouse", Name: "mart"},
				Publication: headwaterv1.Publication_PUBLICATION_DIAGNOSTIC,
				Statistics:  &headwaterv1.DatasetStatistics{Rows: new(int64(7)), Files: new(int64(2))},
				Decisions: []*headwaterv1.PublicationDecision{
					{
						Publication: headwaterv1.Publication_PUBLICATION_PENDING, PolicyRevision: "1a2b", Basis: &headwaterv1.LogPosition{Offset: 3}, Offset: 4,
						Gates: []string{"commit"}, Deadline: before(-30 * time.Minute),
						Standing: headwaterv1.DecisionStanding_DECISION_STANDING_OVERTAKEN,
					},
					{
						Publication: headwaterv1.Publication_PUBLICATION_DIAGNOSTIC, PolicyRevision: "1a2b", Basis: &headwaterv1.LogPosition{Offset: 6}, Offset: 7,
						Gates: []string{"commit", "quality"}, DecidedAt: before(5 * time.Minute),
					},
				},
			}},
			ErrorMessage: new("disk full"), NominalStart: before(12 * time.Hour), NominalEnd: before(-12 * time.Hour),
			Markers: []*headwaterv1.RunMarker{
				{
					Output: &headwaterv1.Dataset{Namespace: "warehouse", Name: "mart"}, Kind: headwaterv1.MarkerKind_MARKER_KIND_FAILED, Gate: "quality",
					EventTime: before(5 * time.Minute), Producer: "dq", Facet: "dataQualityAssertions", Reason: "unique id",
				},
				{
					Output: &headwaterv1.Dataset{Namespace: "warehouse", Name: "mart"}, Kind: headwaterv1.MarkerKind_MARKER_KIND_COMMITTED,
					EventTime: before(5 * time.Minute), By: "olu", Reason: "by hand",
				},
				{Output: &headwaterv1.Dataset{Namespace: "warehouse", Name: "other"}, Kind: headwaterv1.MarkerKind_MARKER_KIND_COMMITTED, Unmatched: true},
			},
			Tree: []*headwaterv1.RunTreeNode{
				{Run: &headwaterv1.RunReference{RunId: "aa00", Job: &headwaterv1.Job{Namespace: "airflow", Name: "dag"}}, Placeholder: true},
				{Run: &headwaterv1.RunReference{RunId: "53ee3770", Job: &headwaterv1.Job{Namespace: "spark", Name: "daily_orders"}}, Depth: 1},
				{
					Run:   &headwaterv1.RunReference{RunId: "bb11", Job: &headwaterv1.Job{Namespace: "spark", Name: "action"}},
					State: headwaterv1.RunState_RUN_STATE_COMPLETED, Depth: 2,
				},
			},
			TreeCut:      true,
			Tags:         []*headwaterv1.Tag{{Key: "cost", Value: "high", Source: "USER"}},
			UnreadFacets: []string{"job.facets.sql", "run.facets.environmentVariables"},
			Attempts: []*headwaterv1.RunSummary{
				{RunId: "try-2", State: headwaterv1.RunState_RUN_STATE_COMPLETED, EndedAt: before(time.Minute)},
			},
			Events: []*headwaterv1.RunEvent{
				{EventId: "ol-1", Producer: "spark-eu", EventType: "START", EventTime: before(10 * time.Minute), ReceivedAt: before(9*time.Minute + 59*time.Second), Offset: 1, Withdrawn: &headwaterv1.Withdrawal{By: "olu", Reason: "sent by a test", EventTime: before(2 * time.Minute)}},
				{EventId: "ol-6", Producer: "spark-eu", EventType: "FAIL", EventTime: before(5 * time.Minute), ReceivedAt: before(4*time.Minute + 59*time.Second), Offset: 6},
			},
			Warnings: []*headwaterv1.Warning{{Code: "run_id_no_uuid", Path: "run.runId", Message: `"53ee3770" is no UUID; it was kept as it is`}},
		},
		Projection: &headwaterv1.ProjectionPosition{Name: "first", Position: &headwaterv1.LogPosition{Offset: 9}},
	}, plain))
}

func TestRunPageOfARunThatHasOnlyBegun(t *testing.T) {
	t.Parallel()
	requireText(t, `
run r running
  job      flink sessions
  started  no START has come
  ended    not yet

inputs
  none reported

outputs
  none reported

events

projection first at offset 9
`, render.Run(&headwaterv1.GetRunResponse{
		Run: &headwaterv1.Run{
			RunId: "r", Job: &headwaterv1.Job{Namespace: "flink", Name: "sessions"},
			State: headwaterv1.RunState_RUN_STATE_RUNNING, MissingStart: true,
		},
		Projection: &headwaterv1.ProjectionPosition{Name: "first", Position: &headwaterv1.LogPosition{Offset: 9}},
	}, plain))
}
