package e2e

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// requireOnlySource waits until an output comes from one dataset and from no other.
func requireOnlySource(t *testing.T, output, source string) {
	t.Helper()
	within(t, patience, func() error {
		got, err := headwater.reader.upstream(t, lineage.DatasetID{Namespace: gatedNamespace, Name: output}, 1)
		if err != nil {
			return err
		}
		sources := slices.DeleteFunc(names(got), func(name string) bool { return name == output })
		if !slices.Equal(sources, []string{source}) {
			return fmt.Errorf("it comes from %v", sources)
		}
		return nil
	})
}

func TestWrongRunIsTakenOutOfTheAnswersAndPutBack(t *testing.T) {
	right, wrong := newGated("withdrawn load", "mart.withdrawn"), newGated("withdrawn load", "mart.withdrawn")
	right.tell(t, lineage.Complete, 10, "right")
	right.becomes(t, lineage.Published)
	wrong.tell(t, lineage.Complete, 20, "wrong")
	wrong.becomes(t, lineage.Published)
	requireSources(t, wrong.output, "wrong")

	headwaterSays(t, "withdraw", "run", wrong.run, "--reason", "a backfill from the wrong database")
	requireOnlySource(t, wrong.output, "right")
	require.Contains(t, headwaterSays(t, "run", "show", wrong.run), "a backfill from the wrong database")
	within(t, patience, func() error {
		described, err := operator(t).DescribeWorkflow(t.Context(), contract.RunWorkflowID(wrong.key()), "")
		if err == nil && described.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
			err = fmt.Errorf("the workflow of the withdrawn run is %s", described.Status)
		}
		return err
	})

	headwaterSays(t, "withdraw", "run", wrong.run, "--job", gatedNamespace, wrong.job, "--undo", "--reason", "it was right")
	wrong.becomes(t, lineage.Published)
	requireSources(t, wrong.output, "wrong")
}

func TestRunIsDecidedAgainWithoutItsWithdrawnEnd(t *testing.T) {
	g := newGated("withdrawn end", "mart.withdrawnend")
	g.tell(t, lineage.Complete, 10, "raw")
	g.becomes(t, lineage.Published)
	g.tell(t, lineage.Fail, 20, "")
	run := g.becomes(t, lineage.Diagnostic)
	require.True(t, run.GetDisputed())
	i := slices.IndexFunc(run.GetEvents(), func(e *headwaterv1.RunEvent) bool { return e.GetEventType() == string(lineage.Fail) })
	failed := run.GetEvents()[i]

	headwaterSays(t, "withdraw", "event", failed.GetProducer(), failed.GetEventId(), "--reason", "the scheduler lost the worker")
	run = g.becomes(t, lineage.Published)
	require.False(t, run.GetDisputed())
	require.Equal(t, headwaterv1.RunState_RUN_STATE_COMPLETED, run.GetState())
	require.Equal(t, "the scheduler lost the worker", run.GetEvents()[i].GetWithdrawn().GetReason())
	requireSources(t, g.output, "raw")
}

// stated runs a command that states something, and gives the offset that it prints.
func stated(t *testing.T, command ...string) string {
	t.Helper()
	said := headwaterSays(t, command...)
	var offset int64
	_, err := fmt.Sscanf(said, "recorded at offset %d", &offset)
	require.NoError(t, err, said)
	return strconv.FormatInt(offset, 10)
}

func TestWhatAPersonStatedIsWithdrawnAtTheOffsetThatTheCommandPrinted(t *testing.T) {
	t.Parallel()
	daily := lineage.DatasetID{Namespace: "e2e-withdraw", Name: "daily"}
	edge := stated(t, "declare", "edge", daily.Namespace, "upload", daily.Namespace, daily.Name, "--reason", "carried over by hand")
	sources(t, daily, "upload")
	owner := stated(t, "node", "own", daily.Namespace, daily.Name, "--owner", "team:wrong", "--reason", "a slip")
	shows := func(owned bool) func() error {
		return func() error {
			if shown := headwaterSays(t, "node", "show", daily.Namespace, daily.Name); strings.Contains(shown, "team:wrong") != owned {
				return fmt.Errorf("the page says %s", shown)
			}
			return nil
		}
	}
	within(t, patience, shows(true))
	headwaterSays(t, "withdraw", "offset", owner, "--reason", "the owner of another table")
	within(t, patience, shows(false))

	headwaterSays(t, "withdraw", "offset", edge, "--reason", "another table")
	sources(t, daily)
	headwaterSays(t, "withdraw", "offset", edge, "--undo", "--reason", "it was this one")
	sources(t, daily, "upload")
}
