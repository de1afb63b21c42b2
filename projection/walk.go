package projection

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// walk is one traversal, breadth first.
type walk struct {
	tx pgx.Tx
	// helpers read beside tx.
	helpers *helpers
	cache   *nodeCache
	view    View
	request TraverseRequest
	// at is the point in both times at which the graph is read.
	at point
	// tables and columns are the queries that read the writes of flows, and of column maps, at that point.
	tables, columns *writeQueries

	nodes []AnswerNode
	// known are the nodes whose name and visibility were looked up.
	known map[lineage.NodeID]knownNode
	// classes are those of the nodes that were looked up; nil for a node that has no alias.
	classes map[lineage.NodeID]*aliasClass
	// joined tells that one of them has an alias, or had another name.
	joined bool
	// formers are the names that nodes had before, and allFormers all that were looked at.
	formers    map[lineage.NodeID][]*former
	allFormers map[formerKey]*former
	// changes are when the names of renamings passed from one dataset to another, as far as the caller may know.
	changes map[lineage.NodeID]lineage.NameChanges
	// passed is when names passed to another dataset, or to none, beside others of the same dataset.
	passed map[lineage.NodeID]time.Time
	// without is what classes leave out; withoutHolds tells that it was met.
	without      lineage.Alias
	withoutHolds bool
	// taken are the nodes of the answer.
	taken map[lineage.NodeID]bool
	edges []Edge
	// runs are the keys of the runs behind edges.
	runs       []lineage.Hash
	seen       map[edgeKey]bool
	incomplete map[Incompleteness]bool
	// ends are those of the direction that is walked.
	ends jobEnds

	// open is what a walk over fields found that column maps leave open.
	open openColumns
}

// knownNode is a node with whether the caller may see it.
type knownNode struct {
	lineage.Node
	shown bool
}

// edgeKey tells edges apart. Both directions may meet the same one.
type edgeKey struct {
	from, to, timeline lineage.Hash
	validFrom          int64
}

func newWalk(tx pgx.Tx, cache *nodeCache, view View, request TraverseRequest) *walk {
	w := &walk{
		tx: tx, cache: cache, view: view, request: request,
		known: map[lineage.NodeID]knownNode{}, taken: map[lineage.NodeID]bool{},
		seen: map[edgeKey]bool{}, incomplete: map[Incompleteness]bool{}, allFormers: map[formerKey]*former{},
	}
	w.forget()
	w.at = point{projection: view.ID, validAt: request.ValidAt, recordedAt: request.RecordedAt, lookback: request.Lookback}
	if w.at.validAt.IsZero() {
		// Effective times may lie ahead of the clock by the tolerance, and what they say holds already.
		w.at.validAt = time.Now().Add(lineage.ClockTolerance)
		w.at.lookback += lineage.ClockTolerance
	}
	if w.at.recordedAt > view.Cursor.Offset {
		w.incomplete[BeyondCursor] = true
	}
	w.tables, w.columns = pastWrites, pastColumns
	if w.at.recordedAt == 0 || w.at.recordedAt >= view.Cursor.Offset {
		w.at.recordedAt, w.tables, w.columns = view.Cursor.Offset, currentWrites, currentColumns
	}
	w.at.writes = w.tables
	if w.ofFields() {
		w.at.writes = w.columns
	}
	return w
}

func (w *walk) run(ctx context.Context) error {
	start := w.request.Start.ID()
	if err := w.learnStart(ctx); err != nil {
		return err
	}
	if !w.known[start].shown {
		return ErrNotFound
	}
	if err := w.classify(ctx, []lineage.NodeID{w.wholeOf(start)}); err != nil {
		return err
	}
	start = w.showing(start)
	w.take([]lineage.NodeID{start}, 0)
	if err := w.noteNoSuchField(ctx, start); err != nil {
		return err
	}
	for _, direction := range w.request.Directions {
		if err := w.walk(ctx, direction, start); err != nil {
			return err
		}
	}
	if err := w.markDropped(ctx); err != nil {
		return err
	}
	if err := w.spellFields(ctx); err != nil {
		return err
	}
	if w.request.Collapse {
		return w.collapse(ctx)
	}
	return nil
}

// walk goes one way until nothing is left, the depth is reached or a budget is spent.
func (w *walk) walk(ctx context.Context, direction Direction, start lineage.NodeID) error {
	frontier := []lineage.NodeID{start}
	visited := map[lineage.NodeID]bool{start: true}
	w.ends = jobEnds{}
	for depth := 1; len(frontier) > 0 && !w.spent(); depth++ {
		if depth > w.request.Depth {
			return w.lookBehind(ctx, direction, frontier)
		}
		var err error
		if frontier, err = w.hop(ctx, direction, frontier, depth, visited); err != nil {
			return err
		}
	}
	return nil
}

// frontierPart is how many nodes are expanded at once. Few bound what is examined after a budget is spent, many save round
// trips.
const frontierPart = 256

// hop takes what lies one hop behind the frontier, a part of it at a time.
func (w *walk) hop(ctx context.Context, direction Direction, frontier []lineage.NodeID, depth int, visited map[lineage.NodeID]bool) (reached []lineage.NodeID, err error) {
	for part := range slices.Chunk(frontier, frontierPart) {
		steps, err := w.steps(ctx, direction, part)
		if err != nil {
			return nil, err
		}
		w.ends.note(steps, direction, visited)
		var next []lineage.NodeID
		for _, step := range steps {
			if far := step.far(direction); !visited[far] {
				visited[far] = true
				next = append(next, far)
			}
		}
		slices.SortFunc(next, func(a, b lineage.NodeID) int { return w.known[a].Node.Compare(w.known[b].Node) })
		if w.ofFields() {
			w.takeNear(steps, direction, depth-1)
			if err := w.noteOpen(ctx, direction, part); err != nil {
				return nil, err
			}
		}
		w.take(next, depth)
		w.addEdges(steps)
		if w.spent() {
			break
		}
		reached = append(reached, next...)
	}
	return reached, nil
}

// spent reports whether the answer takes in nothing more.
func (w *walk) spent() bool { return w.incomplete[NodeBudgetSpent] || w.incomplete[EdgeBudgetSpent] }

// lookBehind notes whether anything lies behind the last hop. A glimpse mostly tells, which spares reading the whole hop.
func (w *walk) lookBehind(ctx context.Context, direction Direction, frontier []lineage.NodeID) error {
	defer func() { w.at.limit = nil }()
	glimpse := 16
	for _, w.at.limit = range []*int{&glimpse, nil} {
		for part := range slices.Chunk(frontier, frontierPart) {
			steps, err := w.steps(ctx, direction, part)
			if err != nil {
				return err
			}
			if len(steps) > 0 {
				w.incomplete[DepthReached] = true
				return nil
			}
		}
	}
	if w.ofFields() {
		return w.lookBehindTables(ctx, direction, frontier)
	}
	return nil
}

// take puts nodes into the answer as far as the budget goes.
func (w *walk) take(ids []lineage.NodeID, depth int) {
	for _, id := range ids {
		if w.taken[id] {
			continue
		}
		if len(w.nodes) >= w.request.NodeBudget {
			w.incomplete[NodeBudgetSpent] = true
			return
		}
		w.taken[id] = true
		w.nodes = append(w.nodes, AnswerNode{Node: w.known[id].Node, Depth: depth, Aliases: w.aliasesOf(id)})
	}
}

// addEdges puts the steps between taken nodes into the answer as far as the budget goes.
func (w *walk) addEdges(steps []step) {
	for _, step := range steps {
		key := step.key()
		if !w.taken[step.from] || !w.taken[step.to] || w.seen[key] {
			continue
		}
		if len(w.edges) >= w.request.EdgeBudget {
			w.incomplete[EdgeBudgetSpent] = true
			return
		}
		w.seen[key] = true
		w.edges, w.runs = append(w.edges, w.edge(step)), append(w.runs, step.passage.run)
	}
}

func (w *walk) edge(s step) Edge {
	p := s.passage
	edge := Edge{
		From: w.known[s.from].Node, To: w.known[s.to].Node, JobVersion: p.jobVersion, Origin: p.origin,
		Publication: p.publication, Derivation: p.derivation, ValidFrom: p.validFrom, ValidTo: p.validTo,
		FirstObservedAt: p.validFrom, LastObservedAt: p.lastObservedAt, RunID: p.runID, RunState: p.runState,
		Producer: p.producer, SourceEvent: p.sourceEvent, Lapsed: !p.validTo.After(w.at.validAt), Silent: !p.speaks,
		Transformations: s.transformations,
	}
	if p.job != nil {
		job := w.known[*p.job]
		edge.Job = &lineage.JobID{Namespace: job.Namespace, Name: job.Name}
	}
	return edge
}

// learn looks up the names of nodes and asks whether the caller may see them.
func (w *walk) learn(ctx context.Context, ids []lineage.NodeID) error {
	unknown := w.unknown(ids)
	if len(unknown) == 0 {
		return nil
	}
	records, err := w.recall(ctx, unknown)
	if err != nil {
		return err
	}
	nodes := make([]lineage.Node, 0, len(records))
	found := unknown[:0]
	for _, id := range unknown {
		if record, ok := records[id]; ok && record.recordedFrom <= w.at.recordedAt {
			found, nodes = append(found, id), append(nodes, record.Node)
		}
	}
	shown, err := w.request.Show.ask(ctx, nodes)
	if err != nil {
		return err
	}
	for i, id := range found {
		w.known[id] = knownNode{Node: nodes[i], shown: shown[i]}
	}
	return nil
}

// unknown are those of some nodes that were not looked up, each once.
func (w *walk) unknown(ids []lineage.NodeID) []lineage.NodeID {
	var unknown []lineage.NodeID
	asked := map[lineage.NodeID]bool{}
	for _, id := range ids {
		if _, known := w.known[id]; !known && !asked[id] {
			asked[id] = true
			unknown = append(unknown, id)
		}
	}
	return unknown
}

// recall gives what is recorded of nodes, from memory as far as they were asked for of late.
func (w *walk) recall(ctx context.Context, ids []lineage.NodeID) (map[lineage.NodeID]nodeRecord, error) {
	records, missing := w.cache.get(w.at.projection, ids)
	if len(missing) == 0 {
		return records, nil
	}
	parts, err := readParts(ctx, w, missing, func(ctx context.Context, tx pgx.Tx, ids []lineage.Hash) (map[lineage.NodeID]nodeRecord, error) {
		return selectNodes(ctx, tx, w.at.projection, ids)
	})
	if err != nil {
		return nil, err
	}
	for _, read := range parts {
		w.cache.add(w.at.projection, read)
		maps.Copy(records, read)
	}
	return records, nil
}

func (w *walk) answer() TraverseAnswer {
	slices.SortStableFunc(w.nodes[min(1, len(w.nodes)):], func(a, b AnswerNode) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), a.Compare(b.Node))
	})
	answer := TraverseAnswer{Nodes: w.nodes, Edges: w.edges, TableEdges: w.open.edges, View: w.view}
	for reason := DepthReached; reason <= BeyondCursor; reason++ {
		if w.incomplete[reason] {
			answer.Incomplete = append(answer.Incomplete, reason)
		}
	}
	answer.Gaps = append(gaps(answer.Nodes, answer.Edges, w.view.Names, w.request.Filters), w.open.gaps...)
	return answer
}
