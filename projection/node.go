package projection

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// NodeRequest asks what is known of one node by itself.
type NodeRequest struct {
	Node lineage.Node
	// ValidAt and RecordedAt are those of a TraverseRequest.
	ValidAt    time.Time
	RecordedAt lineage.Offset
	// Show tells of each node whether the caller may see it.
	Show Show
	// SeesAll is that of a TraverseRequest.
	SeesAll bool
}

// NodeAnswer is what is known of one node.
type NodeAnswer struct {
	// Node is under its canonical name.
	lineage.Node
	// ValidAt is the time that was asked for.
	ValidAt time.Time
	// DroppedAt is zero where the dataset exists, for all that is known.
	DroppedAt time.Time
	// CreatedAt is zero where no event said when.
	CreatedAt time.Time
	// Attributes are the latest that was said by the recorded time; they have no valid time.
	Attributes lineage.Attributes
	// Sources tell who said each of them, by kind.
	Sources []AttributeSource
	// Schemas are set for a dataset.
	Schemas lineage.SchemaHistory
	// Writers are the jobs that write a dataset, by job and origin.
	Writers []NodeWriter
	// Aliases are the other names of a dataset.
	Aliases []lineage.DatasetID
	// BeyondCursor tells that RecordedAt lies beyond what is folded.
	BeyondCursor bool
	View         View
}

// NodeWriter is a job that writes a dataset.
type NodeWriter struct {
	Job    lineage.JobID
	Origin lineage.Origin
	LastAt time.Time
}

// GetNode answers from the active projection. It returns ErrNotFound for a node that does not exist or that the caller may
// not see.
func (s *Store) GetNode(ctx context.Context, request NodeRequest) (NodeAnswer, error) {
	var answer NodeAnswer
	err := s.read(ctx, func(tx pgx.Tx, view View) (err error) {
		w := newWalk(tx, &s.nodes, view, TraverseRequest{
			ValidAt: request.ValidAt, RecordedAt: request.RecordedAt, Show: request.Show, SeesAll: request.SeesAll,
		})
		answer.View, answer.ValidAt, answer.BeyondCursor = view, w.at.validAt, w.incomplete[BeyondCursor]
		request.Node = view.Names.Node(request.Node)
		id := request.Node.ID()
		if err := w.learn(ctx, []lineage.NodeID{id}); err != nil {
			return err
		}
		if !w.known[id].shown {
			return ErrNotFound
		}
		if request.Node.Kind != lineage.NodeDataset {
			answer.Node = request.Node
			answer.Attributes, answer.Sources, err = w.attributes(ctx, []lineage.NodeID{id})
			return err
		}
		return w.describe(ctx, id, &answer)
	})
	return answer, err
}

// describe tells of a dataset what is known of it under all of its names.
func (w *walk) describe(ctx context.Context, id lineage.NodeID, answer *NodeAnswer) error {
	if err := w.classify(ctx, []lineage.NodeID{id}); err != nil {
		return err
	}
	class := w.classOf(id)
	answer.Node = w.known[class.canonical].Node
	for _, member := range class.members {
		if member != class.canonical {
			answer.Aliases = append(answer.Aliases, w.known[member].datasetID())
		}
	}
	slices.SortFunc(answer.Aliases, lineage.DatasetID.Compare)
	var err error
	if answer.Attributes, answer.Sources, err = w.attributes(ctx, class.members); err != nil {
		return err
	}
	steps, err := w.steps(ctx, Upstream, []lineage.NodeID{class.canonical})
	if err != nil {
		return err
	}
	answer.Writers = w.writers(steps)
	lives, err := w.lives(ctx, class.members)
	if err != nil {
		return err
	}
	life := lives[class.canonical]
	answer.CreatedAt, answer.DroppedAt = life.created, life.dropped
	versions, err := w.schemas(ctx, class.members)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(versions, func(v lineage.SchemaVersion) bool { return !v.From.After(w.at.validAt) }) {
		read, err := w.readSchema(ctx, class.canonical, class.members)
		if err != nil {
			return err
		}
		versions = untilStated(read, versions)
	}
	answer.Schemas = lineage.NewSchemaHistory(versions, life.drops)
	return nil
}

// untilStated adds a schema as it was read, which counts until somebody spoke who writes or describes the dataset.
func untilStated(read *lineage.SchemaVersion, versions []lineage.SchemaVersion) []lineage.SchemaVersion {
	if read == nil {
		return versions
	}
	for _, stated := range versions {
		if stated.From.Before(read.To) {
			read.To = stated.From
		}
	}
	return append(versions, *read)
}

// writers are the jobs of the steps, each once an origin.
func (w *walk) writers(steps []step) []NodeWriter {
	type key struct {
		job    lineage.NodeID
		origin lineage.Origin
	}
	last := map[key]time.Time{}
	for _, s := range steps {
		if s.passage.job == nil {
			continue
		}
		if k := (key{*s.passage.job, s.passage.origin}); s.passage.lastObservedAt.After(last[k]) {
			last[k] = s.passage.lastObservedAt
		}
	}
	var writers []NodeWriter
	for k, at := range last {
		job := w.known[k.job].Node
		writers = append(writers, NodeWriter{lineage.JobID{Namespace: job.Namespace, Name: job.Name}, k.origin, at})
	}
	slices.SortFunc(writers, func(a, b NodeWriter) int {
		return cmp.Or(a.Job.Node().Compare(b.Job.Node()), cmp.Compare(a.Origin, b.Origin))
	})
	return writers
}
