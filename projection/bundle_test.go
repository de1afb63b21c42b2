package projection_test

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// noon is when the stories of these tests begin.
var noon = time.Date(2026, 7, 19, 12, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

// bundle is a store with its active projection and a log in memory.
type bundle struct {
	t      *testing.T
	ctx    context.Context
	pool   *pgxpool.Pool
	store  *projection.Store
	active projection.ID
	log    []lineage.Entry
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	pool := testenv.Database(t)
	b := &bundle{t: t, ctx: t.Context(), pool: pool, store: projection.NewStore(pool)}
	active, err := b.store.Active(b.ctx)
	require.NoError(t, err)
	b.active = active.ID
	return b
}

// story is one run event in short.
type story struct {
	run, job        string
	kind            lineage.EventType
	minute          int
	inputs, outputs []string
	jobFacets       map[string]any
	// outputFacets are facets of outputs by their names.
	outputFacets map[string]map[string]any
	// within is the run that this one is part of; nil: none.
	within *story
}

func (s story) document() []byte {
	datasets := func(names []string) []map[string]any {
		list := []map[string]any{}
		for _, name := range names {
			list = append(list, map[string]any{"namespace": "warehouse", "name": name, "facets": s.outputFacets[name]})
		}
		return list
	}
	document, err := json.Marshal(map[string]any{
		"eventType": s.kind,
		"eventTime": at(s.minute).Format(time.RFC3339),
		"run":       map[string]any{"runId": s.run, "facets": s.runFacets()},
		"job":       map[string]any{"namespace": "scheduler", "name": s.job, "facets": s.jobFacets},
		"inputs":    datasets(s.inputs),
		"outputs":   datasets(s.outputs),
	}, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return document
}

func (s story) runFacets() map[string]any {
	if s.within == nil {
		return nil
	}
	return map[string]any{"parent": map[string]any{
		"run": map[string]any{"runId": s.within.run},
		"job": map[string]any{"namespace": "scheduler", "name": s.within.job},
	}}
}

func entryOf(payload []byte, format lineage.Format, offset lineage.Offset, receivedAt time.Time) lineage.Entry {
	content, err := lineage.ContentHash(payload)
	if err != nil {
		panic(err)
	}
	return lineage.Entry{
		Epoch: 1, Offset: offset, ReceivedAt: receivedAt, Producer: "test", EventID: lineage.DerivedEventID(content),
		Format: format, Content: content, Payload: payload,
	}
}

// logged appends a document to the log in memory, received a minute after the last.
func (b *bundle) logged(format lineage.Format, payload []byte) {
	offset := lineage.Offset(len(b.log) + 1)
	b.log = append(b.log, entryOf(payload, format, offset, at(0).Add(24*time.Hour).Add(time.Duration(offset)*time.Minute)))
}

// tell logs stories and, for each run that has ended, the decisions that the default policy gives.
func (b *bundle) tell(stories ...story) {
	for _, s := range stories {
		b.logged(lineage.FormatOpenLineage, s.document())
	}
}

// decide logs a decision on one output.
func (b *bundle) decide(s story, output string, end lineage.EventType, publication lineage.Publication) {
	payload, err := lineage.EncodeDecision(lineage.Decision{
		Run: runKey(s), Output: lineage.DatasetID{Namespace: "warehouse", Name: output},
		Basis:   lineage.Position{Epoch: 1, Offset: lineage.Offset(len(b.log))},
		EndType: end, Publication: publication, PolicyRevision: "test",
	})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

// complete tells of a whole run that is published.
func (b *bundle) complete(s story) {
	s.kind = lineage.Complete
	b.tell(s)
	for _, output := range s.outputs {
		b.decide(s, output, lineage.Complete, lineage.Published)
	}
}

func runKey(s story) lineage.RunKey {
	return lineage.RunKey{Job: lineage.JobID{Namespace: "scheduler", Name: s.job}, RunID: s.run}
}

// fold applies what the projection has not folded, in batches of size.
func (b *bundle) fold(id projection.ID, size int) {
	b.t.Helper()
	projections, err := b.store.List(b.ctx)
	require.NoError(b.t, err)
	i := slices.IndexFunc(projections, func(p projection.Projection) bool { return p.ID == id })
	rest := b.log[projections[i].Cursor.Offset:]
	for batch := range slices.Chunk(rest, size) {
		require.NoError(b.t, b.store.Apply(b.ctx, id, batch))
	}
}

func dataset(name string) lineage.Node {
	return lineage.DatasetID{Namespace: "warehouse", Name: name}.Node()
}

func everything(_ context.Context, nodes []lineage.Node) ([]bool, error) {
	return slices.Repeat([]bool{true}, len(nodes)), nil
}

func hiding(names ...string) func(context.Context, []lineage.Node) ([]bool, error) {
	return func(_ context.Context, nodes []lineage.Node) ([]bool, error) {
		shown := make([]bool, len(nodes))
		for i, node := range nodes {
			shown[i] = !slices.Contains(names, node.Name)
		}
		return shown, nil
	}
}

// request asks for everything around a node, as of a day after noon.
func request(start lineage.Node, direction projection.Direction) projection.TraverseRequest {
	return projection.TraverseRequest{
		Start: start, Directions: []projection.Direction{direction}, Depth: 10, ValidAt: at(24 * 60), Lookback: 7 * 24 * time.Hour,
		NodeBudget: 10_000, EdgeBudget: 50_000, TimeBudget: 30 * time.Second, Show: everything,
	}
}

func (b *bundle) traverse(r projection.TraverseRequest) projection.TraverseAnswer {
	b.t.Helper()
	answer, err := b.store.Traverse(b.ctx, r)
	require.NoError(b.t, err)
	return answer
}

// pairs writes the edges of an answer as "from→to", lapsed ones with a question mark.
func pairs(answer projection.TraverseAnswer) []string {
	list := []string{}
	for _, edge := range answer.Edges {
		pair := fmt.Sprintf("%s→%s", edge.From.Name, edge.To.Name)
		if edge.Lapsed {
			pair += "?"
		}
		list = append(list, pair)
	}
	slices.Sort(list)
	return list
}
