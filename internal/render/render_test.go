package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

var (
	now   = time.Date(2026, 7, 19, 12, 0, 0, 0, time.UTC)
	plain = render.Style{Now: now}
)

func before(age time.Duration) *timestamppb.Timestamp { return timestamppb.New(now.Add(-age)) }

// table is a node of the warehouse whose id is its name.
func table(name string, depth int32) *headwaterv1.Node {
	return &headwaterv1.Node{Id: name, Depth: depth, Node: &headwaterv1.Node_Dataset{
		Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: name},
	}}
}

// flow is a published edge by a job of its own, observed an hour ago.
func flow(from, to string) *headwaterv1.Edge {
	return &headwaterv1.Edge{
		From: from, To: to, Job: &headwaterv1.Job{Namespace: "dbt", Name: "make_" + to},
		Origin: headwaterv1.Origin_ORIGIN_OBSERVED, Publication: new(headwaterv1.Publication_PUBLICATION_PUBLISHED),
		LastObservedAt: before(time.Hour), RunId: new("run-of-" + to), RunState: new(headwaterv1.RunState_RUN_STATE_COMPLETED),
	}
}

func answer(nodes []*headwaterv1.Node, edges ...*headwaterv1.Edge) *headwaterv1.TraverseResponse {
	return &headwaterv1.TraverseResponse{
		Nodes: nodes, Edges: edges,
		Completeness: &headwaterv1.Completeness{Complete: true},
		Projection:   &headwaterv1.ProjectionPosition{Name: "first", Position: &headwaterv1.LogPosition{Epoch: 1, Offset: 87}},
	}
}

// requireText compares with what stands between backquotes, where the first line is left empty.
func requireText(t *testing.T, want, got string) {
	t.Helper()
	require.Empty(t, cmp.Diff(strings.TrimPrefix(want, "\n"), got))
}

func upstream(answer *headwaterv1.TraverseResponse) string {
	return render.Tree(answer, headwaterv1.Direction_DIRECTION_UPSTREAM, plain)
}

func TestTreeShowsWhereEachStepComesFrom(t *testing.T) {
	t.Parallel()
	nodes := []*headwaterv1.Node{table("mart", 0), table("b", 1), table("a", 1), table("raw", 2)}
	requireText(t, `
warehouse mart
├─ warehouse a
│  │ by dbt make_mart · observed 1 hour ago · run run-of-mart completed
│  └─ warehouse raw
│       by dbt make_a · observed 1 hour ago · run run-of-a completed
└─ warehouse b
     by dbt make_mart · observed 1 hour ago · run run-of-mart completed

4 nodes, 3 edges, complete
projection first at offset 87
`, upstream(answer(nodes, flow("b", "mart"), flow("a", "mart"), flow("raw", "a"))))
}

func TestDownstreamTreeGoesWithTheData(t *testing.T) {
	t.Parallel()
	nodes := []*headwaterv1.Node{table("raw", 0), table("mart", 1)}
	requireText(t, `
warehouse raw
└─ warehouse mart
     by dbt make_mart · observed 1 hour ago · run run-of-mart completed

2 nodes, 1 edge, complete
projection first at offset 87
`, render.Tree(answer(nodes, flow("raw", "mart")), headwaterv1.Direction_DIRECTION_DOWNSTREAM, plain))
}

func TestTreeDrawsASharedNodeAndACycleOnce(t *testing.T) {
	t.Parallel()
	nodes := []*headwaterv1.Node{table("mart", 0), table("a", 1), table("b", 1), table("shared", 2)}
	requireText(t, `
warehouse mart
├─ warehouse a
│  │ by dbt make_mart · observed 1 hour ago · run run-of-mart completed
│  └─ warehouse shared
│     │ by dbt make_a · observed 1 hour ago · run run-of-a completed
│     └─ warehouse mart ↑ see above
│          by dbt make_shared · observed 1 hour ago · run run-of-shared completed
└─ warehouse b
   │ by dbt make_mart · observed 1 hour ago · run run-of-mart completed
   └─ warehouse shared ↑ see above
        by dbt make_b · observed 1 hour ago · run run-of-b completed

4 nodes, 5 edges, complete
projection first at offset 87
`, upstream(answer(nodes,
		flow("a", "mart"), flow("b", "mart"), flow("shared", "a"), flow("shared", "b"), flow("mart", "shared"))))
}

func TestTreeMarksWhatIsDoubtful(t *testing.T) {
	t.Parallel()
	suspect, lapsed, declared, running := flow("a", "mart"), flow("b", "mart"), flow("c", "mart"), flow("d", "mart")
	suspect.Publication = new(headwaterv1.Publication_PUBLICATION_SUSPECT)
	suspect.RunState = new(headwaterv1.RunState_RUN_STATE_FAILED)
	lapsed.Lapsed, lapsed.ValidTo = true, before(50*time.Hour)
	declared.Origin, declared.Job, declared.RunId = headwaterv1.Origin_ORIGIN_DECLARED, nil, nil
	running.RunState, running.LastObservedAt = new(headwaterv1.RunState_RUN_STATE_RUNNING), before(time.Second)
	nodes := []*headwaterv1.Node{table("mart", 0), table("a", 1), table("b", 1), table("c", 1), table("d", 1)}
	requireText(t, `
warehouse mart
├─ warehouse a
│    by dbt make_mart · suspect: its run failed, or a check of it · observed 1 hour ago · run run-of-mart failed
├─ warehouse b
│    by dbt make_mart · lapsed 2 days ago · observed 1 hour ago · run run-of-mart completed
├─ warehouse c
│    by a view · declared 1 hour ago
└─ warehouse d
     by dbt make_mart · observed just now · run run-of-mart running

5 nodes, 4 edges, complete
projection first at offset 87
`, upstream(answer(nodes, suspect, lapsed, declared, running)))
}

func TestTreeNamesTheJobsThatAnEdgeStandsFor(t *testing.T) {
	t.Parallel()
	edge := flow("raw", "mart")
	edge.Folded = []*headwaterv1.Job{{Namespace: "spark", Name: "app.action"}}
	require.Contains(t, upstream(answer([]*headwaterv1.Node{table("mart", 0), table("raw", 1)}, edge)),
		"by dbt make_mart · with spark app.action within it · observed")
}

func TestTreeSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	job := &headwaterv1.Node{Id: "job", Depth: 1, Node: &headwaterv1.Node_Job{
		Job: &headwaterv1.Job{Namespace: "scripts", Name: "fill"},
	}}
	got := answer([]*headwaterv1.Node{table("mart", 0), job}, flow("job", "mart"))
	got.Completeness = &headwaterv1.Completeness{Reasons: []headwaterv1.IncompleteReason{
		headwaterv1.IncompleteReason_INCOMPLETE_REASON_DEPTH, headwaterv1.IncompleteReason_INCOMPLETE_REASON_RESTRICTED,
	}}
	got.Gaps = []*headwaterv1.Gap{
		{Kind: headwaterv1.GapKind_GAP_KIND_INPUTS_NOT_REPORTED, Node: new("mart"), Message: "a job that writes it names no inputs"},
		{Kind: headwaterv1.GapKind_GAP_KIND_STALE, Message: "a producer fell silent"},
		{Kind: headwaterv1.GapKind_GAP_KIND_PROVISIONAL_NAMESPACE, Message: "nobody registered the namespace warehouse"},
	}
	got.Projection.EventsBehind = 3
	got.Projection.Lag = durationpb.New(1500 * time.Millisecond)
	got.Projection.RunsAwaitingDecision, got.Projection.RunsAwaitingGates = 1, 2
	requireText(t, `
warehouse mart
│ ! a job that writes it names no inputs
└─ job scripts fill
     by dbt make_mart · observed 1 hour ago · run run-of-mart completed

2 nodes, 1 edge, not complete:
  - there are more hops behind the last; ask with a greater --depth
  - you may not see the whole graph, so something may have been left out
! a producer fell silent
! 1 namespace not registered: names in there are taken as they come
projection first at offset 87, 3 events behind (1.5s), 1 run awaiting a decision, 2 runs awaiting a gate
`, upstream(got))
}

func TestNamesCannotSteerTheTerminal(t *testing.T) {
	t.Parallel()
	got := upstream(answer([]*headwaterv1.Node{table("mart\x1b[2J\nfake", 0)}))
	require.True(t, strings.HasPrefix(got, "warehouse mart\uFFFD[2J\uFFFDfake\n"), got)
}

func TestColourIsOnlyAddedWhenAskedFor(t *testing.T) {
	t.Parallel()
	got := answer([]*headwaterv1.Node{table("mart", 0)})
	require.NotContains(t, upstream(got), "\x1b")
	require.Contains(t, render.Tree(got, headwaterv1.Direction_DIRECTION_UPSTREAM, render.Style{Colour: true, Now: now}), "\x1b[1mwarehouse mart")
}

func TestDOTQuotesAndDashes(t *testing.T) {
	t.Parallel()
	lapsed := flow(`say "hi"\`, "mart")
	lapsed.Lapsed = true
	requireText(t, `
digraph lineage {
  rankdir=LR;
  node [shape=box];
  n1 [label="warehouse\nmart"];
  n2 [label="warehouse\nsay \"hi\"\\"];
  n2 -> n1 [label="make_mart", style=dashed];
}
`, render.DOT(answer([]*headwaterv1.Node{table("mart", 0), table(`say "hi"\`, 1)}, lapsed)))
}

func TestMermaidEscapesWhatItWouldRead(t *testing.T) {
	t.Parallel()
	view := flow("a", "mart")
	view.Job = nil
	requireText(t, `
flowchart LR
  n1["warehouse<br>mart"]
  n2["warehouse<br>#quot;a#quot; &lt;b&gt;"]
  n2 -->|"view"| n1
`, render.Mermaid(answer([]*headwaterv1.Node{table("mart", 0), {Id: "a", Node: &headwaterv1.Node_Dataset{
		Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: `"a" <b>`},
	}}}, view)))
}

func TestJSONIsThatOfTheAPI(t *testing.T) {
	t.Parallel()
	got, err := render.JSON(answer([]*headwaterv1.Node{table("mart", 0)}))
	require.NoError(t, err)
	requireText(t, `
{
  "nodes": [
    {
      "id": "mart",
      "dataset": {
        "namespace": "warehouse",
        "name": "mart"
      }
    }
  ],
  "completeness": {
    "complete": true
  },
  "projection": {
    "name": "first",
    "position": {
      "epoch": 1,
      "offset": "87"
    }
  }
}
`, got)
}
