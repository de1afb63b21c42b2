package lineage_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// arrivalOf is how the log would know a document, received when everything in the corpus had happened.
func arrivalOf(t testing.TB, document []byte, eventID string) lineage.Arrival {
	t.Helper()
	return lineage.Arrival{
		Content:    contentHash(t, string(document)),
		ReceivedAt: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC),
		Producer:   "producer",
		EventID:    eventID,
	}
}

// foldCase folds the documents of a synthetic case into runs, publishes all that the default policy would, and
// gives them by the key of the run.
func foldCase(t *testing.T, name string) map[lineage.RunKey]*lineage.Run {
	t.Helper()
	runs := map[lineage.RunKey]*lineage.Run{}
	for _, file := range corpusFiles(t, filepath.Join("synthetic", name)) {
		document, err := os.ReadFile(file)
		require.NoError(t, err)
		event, err := lineage.Decode(lineage.FormatOpenLineage, document, lineage.DefaultLimits())
		if err != nil || event.Kind != lineage.RunEvent {
			continue
		}
		if runs[event.Run] == nil {
			runs[event.Run] = &lineage.Run{Key: event.Run}
		}
		contribution, _ := lineage.NewContribution(event, arrivalOf(t, document, filepath.Base(file)))
		runs[event.Run].Add(contribution)
	}
	for _, run := range runs {
		publish(run)
	}
	return runs
}

// publish lets every output have what a policy without gates decides.
func publish(run *lineage.Run) {
	for i := range run.Outputs {
		run.Outputs[i].Publication = run.Decide(run.Outputs[i].DatasetID, lineage.Requirement{}).Publication
	}
}

// onlyRun is the run of a case that has one.
func onlyRun(t *testing.T, name string) *lineage.Run {
	t.Helper()
	runs := foldCase(t, name)
	require.Len(t, runs, 1)
	for _, run := range runs {
		return run
	}
	return nil
}

// runOf finds the run of a job.
func runOf(t *testing.T, runs map[lineage.RunKey]*lineage.Run, job string) *lineage.Run {
	t.Helper()
	for key, run := range runs {
		if key.Job.Name == job {
			return run
		}
	}
	require.Fail(t, "no run", "of job %s", job)
	return nil
}

// edges lists what statements say as "input -> output", sorted, with a job in brackets.
func edges(statements []lineage.Statement) []string {
	var list []string
	for _, statement := range statements {
		flow := statement.Flow()
		if flow == nil {
			continue
		}
		for _, input := range flow.Inputs {
			list = append(list, label(input)+" -> "+label(statement.Output))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func label(node lineage.Node) string {
	if node.Kind == lineage.NodeJob {
		return "[" + node.Name + "]"
	}
	return node.Name
}

func TestSyntheticLifecycles(t *testing.T) {
	srcToDst := []string{"a.b.src -> a.b.dst"}
	for name, want := range map[string]struct {
		state lineage.RunState
		edges []string
	}{
		"lifecycle-split-io":             {lineage.RunCompleted, srcToDst},
		"lifecycle-running-empty":        {lineage.RunCompleted, srcToDst},
		"lifecycle-complete-only":        {lineage.RunCompleted, srcToDst},
		"lifecycle-out-of-order":         {lineage.RunCompleted, srcToDst},
		"lifecycle-duplicate":            {lineage.RunCompleted, srcToDst},
		"lifecycle-fail-then-complete":   {lineage.RunCompleted, nil},
		"lifecycle-other-after-complete": {lineage.RunCompleted, nil},
		"lifecycle-no-eventType":         {lineage.RunUnknown, nil},
	} {
		t.Run(name, func(t *testing.T) {
			run := onlyRun(t, name)
			require.Equal(t, want.state, run.State())
			require.Equal(t, want.edges, edges(run.Statements()))
		})
	}
}

func TestSyntheticLifecycleTimes(t *testing.T) {
	require.Zero(t, onlyRun(t, "lifecycle-complete-only").StartedAt)
	late := onlyRun(t, "lifecycle-out-of-order")
	require.Equal(t, tenOClock, late.StartedAt)
	require.Equal(t, tenOClock.Add(5*time.Minute), late.End.EventTime)
	retried := onlyRun(t, "lifecycle-fail-then-complete")
	require.True(t, retried.Disputed())
	require.Equal(t, "boom", retried.Error.Value, "what the earlier end said is kept")
}

func TestSyntheticRunIDs(t *testing.T) {
	runs := foldCase(t, "run-id-shared-by-two-jobs")
	require.Len(t, runs, 2)
	require.Equal(t, lineage.RunStarted, runOf(t, runs, "jobA").State())
	require.Empty(t, runOf(t, runs, "jobA").Statements())
	require.Equal(t, []string{"a.b.p -> a.b.q"}, edges(runOf(t, runs, "jobB").Statements()))

	runs = foldCase(t, "run-id-forms")
	require.Len(t, runs, 4, "02 and 03 are one run, 06 is refused")
	require.Equal(t, tenOClock.Add(-time.Hour), runOf(t, runs, "j10").StartedAt)
	require.Equal(t, lineage.RunCompleted, runOf(t, runs, "j10").State())
}

func TestSyntheticOddities(t *testing.T) {
	runs := foldCase(t, "event-type-odd")
	for job, state := range map[string]lineage.RunState{
		"jl1": lineage.RunCompleted, "jl2": lineage.RunStarted, "jl3": lineage.RunUnknown, "jl4": lineage.RunUnknown,
	} {
		require.Equal(t, state, runOf(t, runs, job).State(), job)
	}
	runs = foldCase(t, "nulls-for-missing")
	require.Len(t, runs, 2)
	var all []string
	for _, run := range runs {
		all = append(all, edges(run.Statements())...)
	}
	require.Equal(t, []string{"a.b.s -> a.b.d"}, all)
	for _, run := range foldCase(t, "event-time-accept") {
		require.Equal(t, tenOClock, run.End.EventTime.Truncate(time.Minute), run.Key.Job.Name)
	}
}

func TestSyntheticSelfLoop(t *testing.T) {
	require.Equal(t, []string{"/w/t -> /w/t", "/w/updates -> /w/t"}, edges(onlyRun(t, "self-loop-merge").Statements()))
}

func TestSyntheticStreamThatNeverEnds(t *testing.T) {
	run := onlyRun(t, "streaming-no-terminal")
	require.Equal(t, lineage.RunRunning, run.State())
	statements := run.Statements()
	require.Equal(t, []string{"in -> dlq", "in -> out"}, edges(statements))
	require.Len(t, statements, 2, "what is repeated is said once")
	require.Equal(t, tenOClock.Add(4*time.Minute), statements[0].EffectiveAt)
	require.Equal(t, "05.json", statements[0].Sender.EventID)
	require.Equal(t, tenOClock, statements[1].EffectiveAt)
	require.Equal(t, "01.json", statements[1].Sender.EventID)
}

func TestSyntheticExplicitLineage(t *testing.T) {
	runs := foldCase(t, "explicit-lineage")
	bulk := runOf(t, runs, "bulk").Statements()
	require.Equal(t, []string{"x.A -> x.C", "x.B -> x.D", "x.K -> [bulk]"}, edges(bulk))
	require.Len(t, bulk, 4)
	require.Equal(t, "x.E", bulk[2].Output.Name)
	require.True(t, bulk[2].Speaks, "no inputs were named on purpose")
	require.Equal(t, []string{"x.A -> x.F"}, edges(runOf(t, runs, "withcll").Statements()))
	require.Equal(t, []string{"[dag_a.task_3] -> [dag_b.task_1]"}, edges(runOf(t, runs, "dag_b.task_1").Statements()))

	document, err := os.ReadFile(filepath.Join(corpus, "synthetic/explicit-lineage/04.json"))
	require.NoError(t, err)
	view := declare(t, document, "04.json")
	require.Equal(t, []string{"x.C -> x.view", "x.D -> x.view"}, edges(view))
	require.Zero(t, view[0].Job, "a view has no job")
}

func TestSyntheticColumnLineage(t *testing.T) {
	for _, file := range corpusFiles(t, "synthetic/cll-legacy-vs-dataset") {
		document, err := os.ReadFile(file)
		require.NoError(t, err)
		event := decode(t, document)
		contribution, warnings := lineage.NewContribution(event, arrivalOf(t, document, file))
		require.Empty(t, warnings)
		require.NotEmpty(t, contribution.Columns, file)
	}
	huge := onlyRun(t, "cll-huge")
	statements := huge.Statements()
	require.Len(t, statements, 3*len(huge.Outputs), "of its tables, of its columns and of their schema")
	require.Equal(t, lineage.ByColumnLineage, statements[0].Derivation)
}
