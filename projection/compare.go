package projection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// CompareRequest asks where what is declared of datasets and what runs did agree.
type CompareRequest struct {
	// Namespace and Name restrict the outputs; empty: all.
	Namespace, Name string
	// Agreements are those to list; none: all.
	Agreements []Agreement
	// ValidAt, RecordedAt and Lookback are those of a TraverseRequest.
	ValidAt    time.Time
	RecordedAt lineage.Offset
	Lookback   time.Duration
	// After is the last output of the page before.
	After lineage.DatasetID
	// Limit is how many outputs to list at most.
	Limit int
	// Show tells of each node whether the caller may see it.
	Show Show
	// SeesAll is that of a TraverseRequest.
	SeesAll bool
}

// Comparison is one page of outputs, by namespace and name.
type Comparison struct {
	Outputs []ComparedOutput
	// More says that there may be outputs after the last.
	More bool
	View View
}

// Agreement says whether what is declared of an output was observed.
type Agreement int

// The kinds of agreement.
const (
	Agrees Agreement = iota + 1
	Differs
	OnlyDeclared
	OnlyObserved
)

// ComparedOutput is a dataset with what is said of its inputs.
type ComparedOutput struct {
	Output    lineage.DatasetID
	Agreement Agreement
	// Inputs are in order.
	Inputs []ComparedInput
}

// ComparedInput is an input with those who say that it feeds the output, by origin, job and producer.
type ComparedInput struct {
	Input  lineage.DatasetID
	Claims []Claim
}

// Claim is one who says so. Job is nil for a view.
type Claim struct {
	Origin   lineage.Origin
	Job      *lineage.JobID
	Producer string
	LastAt   time.Time
}

// comparedAtATime is how many candidates for a page are looked at in one round trip.
const comparedAtATime = 200

const selectOutputCandidates = `SELECT node_id, namespace, name FROM node
	WHERE projection_id = $1 AND kind = 1 AND recorded_from <= $2 AND ($3 = '' OR namespace = $3) AND ($4 = '' OR name = $4)
		AND (namespace, name) > ($5, $6)
	ORDER BY namespace, name LIMIT $7`

// CompareDeclared compares, output by output, the inputs that are declared and those that runs were seen to read. The
// names of jobs do not matter: a manifest and the runs of the same model may call it differently.
func (s *Store) CompareDeclared(ctx context.Context, request CompareRequest) (Comparison, error) {
	var comparison Comparison
	err := s.read(ctx, func(tx pgx.Tx, view View) error {
		comparison.View = view
		if request.Name != "" {
			named := view.Names.Dataset(lineage.DatasetID{Namespace: request.Namespace, Name: request.Name})
			request.Namespace, request.Name = named.Namespace, named.Name
		}
		w := newWalk(tx, &s.nodes, view, TraverseRequest{
			ValidAt: request.ValidAt, RecordedAt: request.RecordedAt, Lookback: request.Lookback, Show: request.Show,
			SeesAll: request.SeesAll,
		})
		for after := request.After; ; {
			candidates, err := w.outputsAfter(ctx, request, after)
			if err != nil || len(candidates) == 0 {
				return err
			}
			compared, err := w.compare(ctx, candidates, request.Name != "")
			if err != nil {
				return err
			}
			for _, output := range compared {
				if len(request.Agreements) > 0 && !slices.Contains(request.Agreements, output.Agreement) {
					continue
				}
				if len(comparison.Outputs) == request.Limit {
					comparison.More = true
					return nil
				}
				comparison.Outputs = append(comparison.Outputs, output)
			}
			last := candidates[len(candidates)-1]
			after = lineage.DatasetID{Namespace: last.Namespace, Name: last.Name}
		}
	})
	if err != nil {
		return Comparison{}, fmt.Errorf("compare declared lineage: %w", err)
	}
	return comparison, nil
}

// outputsAfter lists datasets in the order of their names.
func (w *walk) outputsAfter(ctx context.Context, request CompareRequest, after lineage.DatasetID) ([]lineage.Node, error) {
	rows, _ := w.tx.Query(ctx, selectOutputCandidates, w.at.projection, w.at.recordedAt, request.Namespace, request.Name,
		after.Namespace, after.Name, comparedAtATime) // CollectRows reports the error
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (lineage.Node, error) {
		var id lineage.Hash
		node := lineage.Node{Kind: lineage.NodeDataset}
		return node, row.Scan(&id, &node.Namespace, &node.Name)
	})
}

// compare compares those of the candidates that the caller sees and of which anything is declared or observed. A dataset
// with several names is compared under its canonical one: where it is named, whichever the name, else in the canonical
// one's place.
func (w *walk) compare(ctx context.Context, candidates []lineage.Node, named bool) ([]ComparedOutput, error) {
	ids := make([]lineage.NodeID, len(candidates))
	for i, node := range candidates {
		ids[i] = node.ID()
	}
	if err := w.learn(ctx, ids); err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id lineage.NodeID) bool { return !w.known[id].shown })
	if err := w.classify(ctx, ids); err != nil {
		return nil, err
	}
	if named {
		for i, id := range ids {
			ids[i] = w.classOf(id).canonical
		}
	}
	ids = slices.DeleteFunc(ids, func(id lineage.NodeID) bool { return w.classOf(id).canonical != id })
	if len(ids) == 0 {
		return nil, nil
	}
	steps, err := w.steps(ctx, Upstream, ids)
	if err != nil {
		return nil, err
	}
	into := map[lineage.NodeID][]step{}
	for _, step := range steps {
		into[step.to] = append(into[step.to], step)
	}
	var compared []ComparedOutput
	for _, id := range ids {
		if output, ok := w.comparedOutput(id, into[id]); ok {
			compared = append(compared, output)
		}
	}
	return compared, nil
}

// comparedOutput gathers the claims behind the steps into an output. It is none of which only people say anything.
func (w *walk) comparedOutput(id lineage.NodeID, steps []step) (ComparedOutput, bool) {
	claims := map[lineage.Node][]Claim{}
	said := map[lineage.Origin]map[lineage.Node]bool{}
	for _, step := range steps {
		origin := step.passage.origin
		if step.passage.speaks && said[origin] == nil {
			said[origin] = map[lineage.Node]bool{}
		}
		if input := w.known[step.from].Node; input.Kind == lineage.NodeDataset {
			claims[input] = append(claims[input], w.claim(step.passage))
			said[origin][input] = true
		}
	}
	agreement, ok := agreementOf(said[lineage.Declared], said[lineage.Observed])
	if !ok {
		return ComparedOutput{}, false
	}
	output := ComparedOutput{Output: datasetOf(w.known[id].Node), Agreement: agreement}
	for input, of := range claims {
		slices.SortFunc(of, compareClaims)
		output.Inputs = append(output.Inputs, ComparedInput{datasetOf(input), of})
	}
	slices.SortFunc(output.Inputs, func(a, b ComparedInput) int { return a.Input.Compare(b.Input) })
	return output, true
}

// agreementOf compares two sets of inputs; nil is one of which nobody spoke.
func agreementOf(declared, observed map[lineage.Node]bool) (Agreement, bool) {
	switch {
	case declared == nil && observed == nil:
		return 0, false
	case observed == nil:
		return OnlyDeclared, true
	case declared == nil:
		return OnlyObserved, true
	case len(nodesBeside(declared, observed)) == 0 && len(nodesBeside(observed, declared)) == 0:
		return Agrees, true
	default:
		return Differs, true
	}
}

// nodesBeside are the nodes of a set that another does not have, in order.
func nodesBeside(set, other map[lineage.Node]bool) []lineage.Node {
	var rest []lineage.Node
	for node := range set {
		if !other[node] {
			rest = append(rest, node)
		}
	}
	slices.SortFunc(rest, lineage.Node.Compare)
	return rest
}

func (w *walk) claim(p *passage) Claim {
	claim := Claim{Origin: p.origin, Producer: p.producer, LastAt: p.lastObservedAt}
	if p.job != nil {
		job := w.known[*p.job].Node
		claim.Job = &lineage.JobID{Namespace: job.Namespace, Name: job.Name}
	}
	return claim
}

func compareClaims(a, b Claim) int {
	job := func(c Claim) lineage.Node {
		if c.Job == nil {
			return lineage.Node{}
		}
		return c.Job.Node()
	}
	return cmp.Or(cmp.Compare(a.Origin, b.Origin), job(a).Compare(job(b)), cmp.Compare(a.Producer, b.Producer), a.LastAt.Compare(b.LastAt))
}

func datasetOf(node lineage.Node) lineage.DatasetID {
	return lineage.DatasetID{Namespace: node.Namespace, Name: node.Name}
}
