package workflows_test

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/workflows/contract"
)

// plays are the shapes that a history can have, each played once and recorded. Each returns the execution to record.
var plays = map[string]func(*stage) client.WorkflowRun{
	"run-completed":   playCompletedRun,
	"run-burst":       playBurst,
	"run-cancelled":   playCancelledRun,
	"run-streaming":   playStreamingRun,
	"run-troubled":    playTroubledRun,
	"run-timed-out":   playTimedOutRun,
	"run-answered":    playAnsweredRun,
	"run-gates":       playGatesOneByOne,
	"run-reweighed":   playReweighedRun,
	"run-late":        playLateEvidence,
	"run-withdrawn":   playWithdrawnEnd,
	"run-stayed":      playRunThatStays,
	"run-continues":   playLongRun,
	"run-continued":   playRestOfLongRun,
	"replay-approved": playApprovedReplay,
	"replay-rejected": playRejectedReplay,
	"archive":         playArchive,
	"reweigh":         playReweigh,
}

func playCompletedRun(s *stage) client.WorkflowRun {
	scriptWeighing(s.worker, started, completed)
	run := s.signalWithStart(1)
	ask(s, run, contract.WaitingForQuery, func(waiting contract.WaitingFor) bool { return waiting.Weighed.State == started.State })
	s.signalWithStart(2)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playBurst lets signals come while a run is weighed.
func playBurst(s *stage) client.WorkflowRun {
	sent := make(chan struct{})
	script(s.worker, contract.WeighRunActivity, func(weighing contract.Weighing) (contract.Weighed, error) {
		<-sent
		if weighing.UpTo < 20 {
			return started, nil
		}
		return completed, nil
	})
	run := s.signalWithStart(1)
	for offset := 2; offset <= 20; offset++ {
		s.signalWithStart(offset)
	}
	close(sent)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

func playCancelledRun(s *stage) client.WorkflowRun {
	scriptWeighing(s.worker, contract.Weighed{
		State: "RUNNING", Continuous: true, Outputs: []contract.OutputCount{{Publication: "published", Outputs: 1}},
	})
	run := s.signalWithStart(1)
	ask(s, run, contract.WaitingForQuery, func(waiting contract.WaitingFor) bool { return waiting.Weighed.Continuous })
	require.NoError(s.t, s.client.CancelWorkflow(s.t.Context(), run.GetID(), run.GetRunID()))
	require.Error(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playTroubledRun fails until the weighing is scheduled as an activity of its own.
func playTroubledRun(s *stage) client.WorkflowRun {
	attempts := 0
	script(s.worker, contract.WeighRunActivity, func(contract.Weighing) (contract.Weighed, error) {
		if attempts++; attempts < 5 {
			return contract.Weighed{}, errors.New("the database restarts")
		}
		return completed, nil
	})
	run := s.signalWithStart(1)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playTimedOutRun waits for a gate until its time is up.
func playTimedOutRun(s *stage) client.WorkflowRun {
	scriptWeighing(s.worker, heldUntil(time.Now().Add(time.Second)), completed)
	scriptGates(s.worker)
	run := s.signalWithStart(1)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playAnsweredRun waits for a gate until a person answers it.
func playAnsweredRun(s *stage) client.WorkflowRun {
	scriptWeighing(s.worker, heldUntil(time.Now().Add(time.Hour)), completed)
	scriptGates(s.worker)
	run := s.signalWithStart(1)
	ask(s, run, contract.WaitingForQuery, func(waiting contract.WaitingFor) bool { return len(waiting.Weighed.Gates) > 0 })
	_, err := s.client.UpdateWorkflow(s.t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: run.GetID(), UpdateName: contract.AnswerGateUpdate, Args: []any{lookedAt}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	require.NoError(s.t, err)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playStreamingRun is decided while it runs, and again when it ends after all.
func playStreamingRun(s *stage) client.WorkflowRun {
	running, wider := streaming(1), streaming(2)
	scriptWeighing(s.worker, running, wider, completed)
	run := s.signalWithStart(1)
	s.awaitWeighed(run, running)
	s.signalWithStart(2)
	s.awaitWeighed(run, wider)
	s.signalWithStart(3)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

func streaming(outputs int) contract.Weighed {
	return contract.Weighed{
		State: "RUNNING", Continuous: true, Outputs: []contract.OutputCount{{Publication: "published", Outputs: outputs}},
	}
}

// playGatesOneByOne has one of two gates answered before the other.
func playGatesOneByOne(s *stage) client.WorkflowRun {
	both, one := heldUntil(time.Now().Add(time.Hour)), heldUntil(time.Now().Add(time.Hour))
	both.Gates = []string{"commit", "quality"}
	scriptWeighing(s.worker, both, one, completed)
	run := s.signalWithStart(1)
	s.awaitWeighed(run, both)
	s.signalWithStart(2)
	s.awaitWeighed(run, one)
	s.signalWithStart(3)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playReweighedRun is weighed under other policies, at an operator's wish.
func playReweighedRun(s *stage) client.WorkflowRun {
	held := heldUntil(time.Time{})
	scriptWeighing(s.worker, held, completed)
	run := s.signalWithStart(1)
	s.awaitWeighed(run, held)
	s.signalWithStart(0)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playLateEvidence is the second life of a run: its end was overruled when its workflow had ended.
func playLateEvidence(s *stage) client.WorkflowRun {
	failed := contract.Weighed{
		State: "FAILED", Disputed: true, Outputs: []contract.OutputCount{{Publication: "diagnostic", Outputs: 1}}, Settled: true,
	}
	scriptWeighing(s.worker, completed, failed)
	require.NoError(s.t, s.signalWithStart(1).Get(s.t.Context(), nil))
	late := s.signalWithStart(2)
	require.NoError(s.t, late.Get(s.t.Context(), nil))
	return late
}

// playWithdrawnEnd is the second life of a run whose terminal event was withdrawn: it is open again, until it ends.
func playWithdrawnEnd(s *stage) client.WorkflowRun {
	scriptWeighing(s.worker, completed, started, completed)
	require.NoError(s.t, s.signalWithStart(1).Get(s.t.Context(), nil))
	reopened := s.signalWithStart(2)
	s.awaitWeighed(reopened, started)
	s.signalWithStart(3)
	require.NoError(s.t, reopened.Get(s.t.Context(), nil))
	return reopened
}

// playRunThatStays gets late evidence while it stays, and then none until the time is over.
func playRunThatStays(s *stage) client.WorkflowRun {
	stays := settledUntil(time.Now().Add(3 * time.Second))
	scriptWeighing(s.worker, stays)
	run := s.signalWithStart(1)
	s.awaitWeighed(run, stays)
	s.signalWithStart(2)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// playLongRun gets as many signals as one history may have, and continues in another.
func playLongRun(s *stage) client.WorkflowRun {
	scriptWeighing(s.worker, started)
	first := s.signalWithStart(1)
	for offset := 2; s.latest(first).GetRunID() == first.GetRunID(); offset++ {
		s.signalWithStart(offset)
	}
	return first
}

// playRestOfLongRun is what a long run continues in.
func playRestOfLongRun(s *stage) client.WorkflowRun {
	const end = 1 << 20
	script(s.worker, contract.WeighRunActivity, func(weighing contract.Weighing) (contract.Weighed, error) {
		if weighing.UpTo < end {
			return started, nil
		}
		return completed, nil
	})
	first := s.signalWithStart(1)
	for offset := 2; s.latest(first).GetRunID() == first.GetRunID(); offset++ {
		s.signalWithStart(offset)
	}
	rest := s.latest(first)
	s.signalWithStart(end)
	require.NoError(s.t, rest.Get(s.t.Context(), nil))
	return rest
}

func playApprovedReplay(s *stage) client.WorkflowRun {
	scriptReplay(s.worker, compared(true))
	return s.judge(contract.ApproveUpdate)
}

func playRejectedReplay(s *stage) client.WorkflowRun {
	scriptReplay(s.worker, compared(false))
	return s.judge(contract.RejectUpdate)
}

func playArchive(s *stage) client.WorkflowRun {
	s.worker.RegisterActivityWithOptions(
		func(context.Context) (contract.Archived, error) {
			return contract.Archived{Segments: 1, Events: 9, Last: 9}, nil
		},
		activity.RegisterOptions{Name: contract.WriteSegmentsActivity})
	run, err := s.client.ExecuteWorkflow(s.t.Context(),
		client.StartWorkflowOptions{ID: contract.ArchiveID, TaskQueue: contract.TaskQueue}, contract.ArchiveWorkflow, contract.Archive{})
	require.NoError(s.t, err)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

func playReweigh(s *stage) client.WorkflowRun {
	script(s.worker, contract.TellRunsActivity, func(contract.Reweigh) (contract.Reweighed, error) { return contract.Reweighed{Runs: 3}, nil })
	run, err := s.client.ExecuteWorkflow(s.t.Context(), client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
		contract.ReweighWorkflow, contract.Reweigh{Publications: []string{"pending"}})
	require.NoError(s.t, err)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}
