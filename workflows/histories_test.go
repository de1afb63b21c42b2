package workflows_test

import (
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// Running workflows must survive a change of their code. What they have in their histories is recorded under testdata,
// and replayed by every test run. A history stays when the code changes; new ones are added by
//
//	go test ./workflows -run TestRecordHistories -record
//
// which writes those that are missing, against a real Temporal server.
var record = flag.Bool("record", false, "record the histories that are missing under testdata")

func TestRecordedHistoriesReplay(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			replayer := worker.NewWorkflowReplayer()
			register(replayer)
			require.NoError(t, replayer.ReplayWorkflowHistory(quiet(), readHistory(t, path)))
		})
	}
}

func TestRecordHistories(t *testing.T) {
	if !*record {
		t.Skip("only with -record")
	}
	for name, play := range map[string]func(*stage) client.WorkflowRun{
		"run-completed":   playCompletedRun,
		"run-burst":       playBurst,
		"run-cancelled":   playCancelledRun,
		"run-troubled":    playTroubledRun,
		"run-timed-out":   playTimedOutRun,
		"run-answered":    playAnsweredRun,
		"replay-approved": playApprovedReplay,
		"replay-rejected": playRejectedReplay,
		"archive":         playArchive,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".json.gz")
			if _, err := os.Stat(path); err == nil {
				t.Skip("recorded before")
			}
			s := newStage(t)
			writeHistory(t, path, s.history(play(s)))
		})
	}
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

// stage is a real Temporal server on which workflows play against scripted activities.
type stage struct {
	t      *testing.T
	client client.Client
	worker worker.Worker
}

func newStage(t *testing.T) *stage {
	t.Helper()
	hostPort, namespace := testenv.Temporal(t)
	c, err := client.DialContext(t.Context(), client.Options{HostPort: hostPort, Namespace: namespace, Logger: quiet(), Identity: "recorder"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	w := worker.New(c, contract.TaskQueue, worker.Options{})
	register(w)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return &stage{t: t, client: c, worker: w}
}

func (s *stage) signalWithStart(offset int) client.WorkflowRun {
	run, err := s.client.SignalWithStartWorkflow(s.t.Context(), contract.RunWorkflowID(dailyOrders),
		contract.EvidenceSignal, contract.Evidence{Offset: lineage.Offset(offset)},
		client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
		contract.RunLifecycleWorkflow, contract.RunLifecycle{Run: dailyOrders})
	require.NoError(s.t, err)
	return run
}

// judge starts a replay and gives a verdict on it.
func (s *stage) judge(verdict string) client.WorkflowRun {
	run, err := s.client.ExecuteWorkflow(s.t.Context(),
		client.StartWorkflowOptions{ID: contract.ReplayWorkflowID(fixedMapping.Name), TaskQueue: contract.TaskQueue},
		contract.ReplayWorkflow, fixedMapping)
	require.NoError(s.t, err)
	ask(s, run, contract.ProgressQuery, func(progress contract.ReplayProgress) bool {
		return progress.Step == contract.AwaitingApproval
	})
	_, err = s.client.UpdateWorkflow(s.t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: run.GetID(), UpdateName: verdict, Args: []any{alice}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	require.NoError(s.t, err)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// ask repeats a query until the answer is the one that is waited for.
func ask[Answer any](s *stage, run client.WorkflowRun, name string, reached func(Answer) bool) {
	require.Eventually(s.t, func() bool {
		value, err := s.client.QueryWorkflow(s.t.Context(), run.GetID(), "", name)
		var answer Answer
		return err == nil && value.Get(&answer) == nil && reached(answer)
	}, 30*time.Second, 20*time.Millisecond)
}

func (s *stage) history(run client.WorkflowRun) *history.History {
	recorded := &history.History{}
	events := s.client.GetWorkflowHistory(s.t.Context(), run.GetID(), run.GetRunID(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(s.t, err)
		recorded.Events = append(recorded.Events, event)
	}
	return recorded
}

func writeHistory(t *testing.T, path string, recorded *history.History) {
	t.Helper()
	text, err := protojson.Marshal(recorded)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	compressed := gzip.NewWriter(file)
	_, err = compressed.Write(text)
	require.NoError(t, err)
	require.NoError(t, compressed.Close())
}

func readHistory(t *testing.T, path string) *history.History {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	text, err := gzip.NewReader(file)
	require.NoError(t, err)
	recorded, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return recorded
}

func quiet() log.Logger { return log.NewStructuredLogger(slog.New(slog.DiscardHandler)) }
