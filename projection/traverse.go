package projection

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// Direction is which way a traversal goes.
type Direction int

// The directions of a traversal.
const (
	Upstream Direction = iota + 1
	Downstream
)

// Incompleteness is why an answer may not be the whole of it.
type Incompleteness int

// The reasons of incompleteness.
const (
	DepthReached Incompleteness = iota + 1
	NodeBudgetSpent
	EdgeBudgetSpent
	TimeBudgetSpent
	BeyondCursor
)

// TraverseRequest asks for the neighbourhood of a node.
type TraverseRequest struct {
	Start lineage.Node
	// Directions are walked one after the other from the start; a walk does not turn.
	Directions []Direction
	// Depth is the number of hops, at most.
	Depth int
	// ValidAt is when the graph was so; zero for now.
	ValidAt time.Time
	// RecordedAt is when it was known so; zero for all that is known.
	RecordedAt lineage.Offset
	// Lookback is how long before ValidAt a write may have ended and still show.
	Lookback time.Duration
	// NodeBudget and EdgeBudget bound the answer, counting what is shown.
	NodeBudget, EdgeBudget int
	// TimeBudget bounds the walk: what was found by then is the answer.
	TimeBudget time.Duration
	// Transformations are the kinds that a walk over fields goes along; none: all.
	Transformations []lineage.TransformationKind
	Filters
	// Collapse folds the edges of jobs that ran within another job into that job's, where both say the same.
	Collapse bool
	// Show tells of each dataset or job whether the caller may see it. It is asked hop by hop.
	Show Show
	// SeesAll tells that Show hides nothing, which spares asking who stated what.
	SeesAll bool
}

// TraverseAnswer is a piece of the graph.
type TraverseAnswer struct {
	// Nodes begin with the start, then go by depth and name.
	Nodes []AnswerNode
	Edges []Edge
	// TableEdges are between datasets, or a dataset and a job, where a walk over fields found no column lineage. They are
	// no part of the answer, and their nodes are not among Nodes.
	TableEdges []Edge
	// Incomplete is empty where nothing is missing.
	Incomplete []Incompleteness
	Gaps       []Gap
	View       View
}

// AnswerNode is a node with its distance from the start, in hops.
type AnswerNode struct {
	lineage.Node
	// Spelled is the path of a field as the schema of its dataset has it, where a name rule folds the case of columns; empty
	// where none is known.
	Spelled lineage.FieldPath
	Depth   int
	// DroppedAt is zero where the node exists, for all that is known.
	DroppedAt time.Time
	// Aliases join the other names of the node to it, those that the caller may see.
	Aliases []lineage.AliasClaim
}

// Edge says that data flowed from one node to another, and how that is known.
type Edge struct {
	From, To lineage.Node
	// Job is nil for a view.
	Job         *lineage.JobID
	JobVersion  string
	Origin      lineage.Origin
	Publication lineage.Publication
	Derivation  lineage.Derivation
	ValidFrom   time.Time
	// ValidTo is lineage.Forever while the edge holds.
	ValidTo         time.Time
	FirstObservedAt time.Time
	LastObservedAt  time.Time
	// RunID and RunState tell of the last run that said so; empty where none is behind it.
	RunID       string
	RunState    lineage.RunState
	Producer    string
	SourceEvent string
	// Lapsed edges ended before ValidAt and show because of Lookback.
	Lapsed bool
	// Dropped edges lead to a dataset that was dropped.
	Dropped bool
	// Silent edges come from runs that name no inputs.
	Silent bool
	// Folded are the jobs that ran within Job and say the same, sorted, where the request asks to collapse.
	Folded []lineage.JobID
	// Transformations are set between fields, sorted.
	Transformations []lineage.Transformation
}

// Traverse walks the active projection from a node, nearest first. It returns ErrNotFound for a start that does not
// exist or that the caller may not see.
func (s *Store) Traverse(ctx context.Context, request TraverseRequest) (TraverseAnswer, error) {
	var answer TraverseAnswer
	budgeted, cancel := context.WithTimeout(ctx, request.TimeBudget)
	defer cancel()
	err := s.read(budgeted, func(tx pgx.Tx, view View) error {
		request.Start = view.Names.Node(request.Start)
		walk := newWalk(tx, &s.nodes, view, request)
		walk.helpers = &helpers{pool: s.pool}
		defer walk.helpers.giveBack(budgeted)
		err := walk.run(budgeted)
		answer = walk.answer()
		return err
	})
	if err != nil && ctx.Err() == nil && errors.Is(budgeted.Err(), context.DeadlineExceeded) && len(answer.Nodes) > 0 {
		answer.Incomplete = append(answer.Incomplete, TimeBudgetSpent)
		return answer, nil
	}
	return answer, err
}
