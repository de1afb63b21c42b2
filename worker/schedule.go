package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/workflows/contract"
)

// ensureArchiveSchedule has the log archived at the interval: by a new schedule, or by the one that is there. What
// else an operator changed in that one, such as a pause, stays.
func ensureArchiveSchedule(ctx context.Context, c client.Client, interval time.Duration) error {
	every := client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: interval}}}
	_, err := c.ScheduleClient().Create(ctx, client.ScheduleOptions{
		ID:   contract.ArchiveID,
		Spec: every,
		Action: &client.ScheduleWorkflowAction{
			ID:            contract.ArchiveID,
			Workflow:      contract.ArchiveWorkflow,
			Args:          []any{contract.Archive{}},
			TaskQueue:     contract.TaskQueue,
			StaticSummary: "Move what the log has gained into the archive",
		},
		Overlap: enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		// One turn archives all that is there, so missed ones need not be made up for.
		CatchupWindow: interval,
	})
	if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		err = c.ScheduleClient().GetHandle(ctx, contract.ArchiveID).Update(ctx, client.ScheduleUpdateOptions{
			DoUpdate: func(found client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
				schedule := found.Description.Schedule
				if spec := schedule.Spec; len(spec.Intervals) == 1 && spec.Intervals[0].Every == interval {
					return nil, temporal.ErrSkipScheduleUpdate
				}
				schedule.Spec = &every
				return &client.ScheduleUpdate{Schedule: &schedule}, nil
			},
		})
	}
	if err != nil {
		return fmt.Errorf("schedule the archive: %w", err)
	}
	return nil
}
