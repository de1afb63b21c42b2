package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func TestListOfRunsHasALineForEach(t *testing.T) {
	t.Parallel()
	position := &headwaterv1.ProjectionPosition{Name: "first", Position: &headwaterv1.LogPosition{Offset: 9}}
	job := &headwaterv1.Job{Namespace: "spark", Name: "daily_orders"}
	requireText(t, `
RUN  JOB                 STATE      PUBLICATION         BEGAN                    ENDED
r1   spark daily_orders  completed  published, suspect  2026-07-19 11:50:00 UTC  5 minutes ago
r2   spark daily_orders  running    –                   2026-07-19 11:00:00 UTC  –
there are more: --page 42

projection first at offset 9
`, render.Runs(&headwaterv1.ListRunsResponse{
		Runs: []*headwaterv1.RunSummary{
			{
				RunId: "r1", Job: job, State: headwaterv1.RunState_RUN_STATE_COMPLETED,
				BeganAt: before(10 * time.Minute), EndedAt: before(5 * time.Minute),
				Publications: []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_PUBLISHED, headwaterv1.Publication_PUBLICATION_SUSPECT},
			},
			{RunId: "r2", Job: job, State: headwaterv1.RunState_RUN_STATE_RUNNING, BeganAt: before(time.Hour)},
		},
		NextPageToken: "42", Projection: position,
	}, plain))
	requireText(t, `
no run

projection first at offset 9
`, render.Runs(&headwaterv1.ListRunsResponse{Projection: position}, plain))
}

func TestWordsOfPeopleHaveTheNumbersOfTheContract(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, headwaterv1.Publication_PUBLICATION_ROLLED_BACK, render.Number("PUBLICATION_", "rolled_back", headwaterv1.Publication_value))
	require.Zero(t, render.Number("PUBLICATION_", "fine", headwaterv1.Publication_value))
}
