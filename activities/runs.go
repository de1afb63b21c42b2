package activities

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// Runs weighs runs.
type Runs struct {
	Projections *projection.Store
	// Log takes the decisions; its committer must be running.
	Log      *eventlog.Log
	Policies *policy.Engine
	// Lateness is how long the workflow of a settled run stays for late evidence, from the receipt of the first event that
	// ended the run; zero lets it end at once.
	Lateness time.Duration
}

// projectionLag is when to look again for evidence that the projection has not folded yet.
const projectionLag = 100 * time.Millisecond

// WeighRun decides each output of a run by what the active projection has of it, and appends the decisions that
// differ from those that stand. It fails, to be repeated soon, while the projection is behind the evidence.
func (a *Runs) WeighRun(ctx context.Context, weighing contract.Weighing) (contract.Weighed, error) {
	run, err := a.load(ctx, weighing)
	if err != nil {
		return contract.Weighed{}, err
	}
	verdicts, err := a.decide(ctx, run)
	if err != nil {
		return contract.Weighed{}, err
	}
	decided, err := a.record(ctx, run, verdicts)
	if err != nil {
		return contract.Weighed{}, err
	}
	weighed := summarise(run, verdicts)
	weighed.Decided = decided
	if weighed.Settled {
		weighed.OpenUntil, err = a.openUntil(ctx, run)
	}
	return weighed, err
}

// openUntil is when evidence of a settled run begins to be late; zero where that time has come.
func (a *Runs) openUntil(ctx context.Context, run projection.StoredRun) (time.Time, error) {
	if a.Lateness == 0 {
		return time.Time{}, nil
	}
	ended, err := a.Projections.FirstEndReceivedAt(ctx, run.Key.Hash())
	if until := ended.Add(a.Lateness); err == nil && until.After(time.Now()) {
		return until, nil
	}
	return time.Time{}, err
}

func (a *Runs) load(ctx context.Context, weighing contract.Weighing) (projection.StoredRun, error) {
	active, err := a.Projections.Active(ctx)
	if err != nil {
		return projection.StoredRun{}, err
	}
	if active.Cursor.Offset < weighing.UpTo {
		return projection.StoredRun{}, temporal.NewApplicationErrorWithOptions(
			fmt.Sprintf("projection %s stands at offset %d, the evidence at %d", active.Name, active.Cursor.Offset, weighing.UpTo),
			"ProjectionBehind", temporal.ApplicationErrorOptions{NextRetryDelay: projectionLag})
	}
	run, err := a.Projections.Run(ctx, weighing.Run.Hash())
	if errors.Is(err, projection.ErrNotFound) {
		return run, temporal.NewNonRetryableApplicationError(
			fmt.Sprintf("no event of run %s of job %s in %s is in the log", weighing.Run.RunID, weighing.Run.Job.Name, weighing.Run.Job.Namespace),
			contract.UnknownRun, nil)
	}
	return run, err
}

// verdict is what was found for one output.
type verdict struct {
	lineage.Verdict
	output lineage.Output // with the publication that stands
	// gates are all that the policy asked for.
	gates []string
	// deadline is until when those that are awaited are waited for; zero for ever.
	deadline time.Time
	revision string
}

// decide gives a verdict for each output. A run that is under way needs no policy: whatever it asks, the outputs pend.
func (a *Runs) decide(ctx context.Context, run projection.StoredRun) ([]verdict, error) {
	var ended time.Time
	outputs := run.Written()
	verdicts := make([]verdict, len(outputs))
	undecidable := run.End == nil && !run.Continuous()
	for i, output := range outputs {
		verdicts[i] = verdict{output: output, Verdict: lineage.Verdict{Publication: lineage.Pending}}
		if undecidable {
			continue
		}
		requirement, err := a.Policies.Publication(ctx, policy.PublicationInput{
			Run: run.Key, State: run.State(), Mode: run.Mode.Value, Output: output.DatasetID, Markers: run.Markers,
		})
		if err != nil {
			return nil, fmt.Errorf("ask what %s in %s needs: %w", output.Name, output.Namespace, err)
		}
		if run.End != nil && requirement.Wait > 0 {
			if ended.IsZero() {
				if ended, err = a.Projections.FirstEndReceivedAt(ctx, run.Key.Hash()); err != nil {
					return nil, err
				}
			}
			requirement.Deadline = ended.Add(requirement.Wait).Truncate(time.Microsecond) // as markers have it
		}
		verdicts[i].gates, verdicts[i].revision = requirement.Gates, requirement.PolicyRevision
		verdicts[i].Verdict = run.Decide(output.DatasetID, requirement)
		if len(verdicts[i].Awaited) > 0 {
			verdicts[i].deadline = requirement.Deadline
		}
	}
	return verdicts, nil
}

// summarise tells of a run as it will be once the verdicts are folded.
func summarise(run projection.StoredRun, verdicts []verdict) contract.Weighed {
	weighed := contract.Weighed{
		State:      run.State().String(),
		Disputed:   run.Disputed(),
		Continuous: run.Continuous(),
		Settled:    run.End != nil || run.Empty(),
		Basis:      run.Basis,
	}
	outputs := map[lineage.Publication]int{}
	for _, verdict := range verdicts {
		outputs[verdict.Publication]++
		weighed.Settled = weighed.Settled && verdict.Publication != lineage.Pending
		weighed.Gates = append(weighed.Gates, verdict.Awaited...)
		weighed.PolicyRevision = verdict.revision
		if next := verdict.deadline; !next.IsZero() && (weighed.Deadline.IsZero() || next.Before(weighed.Deadline)) {
			weighed.Deadline = next
		}
	}
	for publication := lineage.Pending; publication <= lineage.RolledBack; publication++ {
		if outputs[publication] > 0 {
			weighed.Outputs = append(weighed.Outputs,
				contract.OutputCount{Publication: publication.String(), Outputs: outputs[publication]})
		}
	}
	slices.Sort(weighed.Gates)
	weighed.Gates = slices.Compact(weighed.Gates)
	return weighed
}
