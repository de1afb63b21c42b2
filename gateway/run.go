package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// runService answers what a run read and wrote, and whether that was published.
type runService struct {
	projections *projection.Store
	policy      *policy.Engine
}

// GetRun implements headwater.v1.RunService.
func (s *runService) GetRun(ctx context.Context, req *headwaterv1.GetRunRequest) (*headwaterv1.GetRunResponse, error) {
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return nil, unavailable(err)
	}
	key, err := s.find(ctx, req, sight)
	if err != nil {
		return nil, err
	}
	detail, err := s.projections.RunDetail(ctx, key.Hash())
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return nil, runNotFound(req)
	case err != nil:
		return nil, unavailable(fmt.Errorf("read run: %w", err))
	}
	shown, err := shownOf(ctx, sight, detail.View.Names, nodesAround(detail))
	if err != nil {
		return nil, unavailable(err)
	}
	return &headwaterv1.GetRunResponse{Run: runOf(detail, shown), Projection: viewOf(detail.View)}, nil
}

// find gives the one run that a request means, among those whose job the caller may see.
func (s *runService) find(ctx context.Context, req *headwaterv1.GetRunRequest, sight *policy.View) (lineage.RunKey, error) {
	runID := strings.ToLower(req.GetRunId())
	if strings.Contains(runID, "\x00") { // PostgreSQL keeps no U+0000, so no run has it in its id
		return lineage.RunKey{}, runNotFound(req)
	}
	var job *lineage.JobID
	if req.Job != nil {
		job = new(jobIDOf(req.GetJob()))
	}
	keys, err := s.projections.RunKeys(ctx, runID, job, sight.Show)
	if err != nil {
		return lineage.RunKey{}, unavailable(fmt.Errorf("find run: %w", err))
	}
	switch len(keys) {
	case 0:
		return lineage.RunKey{}, runNotFound(req)
	case 1:
		return keys[0], nil
	default:
		return lineage.RunKey{}, ambiguous(keys)
	}
}

func runNotFound(req *headwaterv1.GetRunRequest) error {
	if req.Job != nil {
		job := jobIDOf(req.GetJob())
		return connect.Errorf(connect.CodeNotFound, "no run %q of job %q is known in namespace %q", req.GetRunId(), job.Name, job.Namespace)
	}
	return connect.Errorf(connect.CodeNotFound, "no run %q is known", req.GetRunId())
}

func ambiguous(keys []lineage.RunKey) error {
	candidates := &headwaterv1.AmbiguousRun{}
	names := make([]string, len(keys))
	for i, key := range keys {
		candidates.Candidates = append(candidates.Candidates, runReferenceOf(key))
		names[i] = fmt.Sprintf("%s in %s", key.Job.Name, key.Job.Namespace)
	}
	failed := connect.Errorf(connect.CodeFailedPrecondition, "runs of several jobs have this id; name the job, one of: %s", strings.Join(names, ", "))
	detail, err := connectproto.NewErrorDetail(candidates)
	if err != nil {
		return failed // the message names them as well
	}
	return failed.WithDetail(detail)
}

// shownOf asks which nodes, by their raw names, the caller may see. Policy is asked about the names after rules, under which
// answers show them.
func shownOf(ctx context.Context, sight *policy.View, names *lineage.NameRules, nodes []lineage.Node) (map[lineage.Node]bool, error) {
	known := make([]lineage.Node, len(nodes))
	for i, node := range nodes {
		known[i] = names.Node(node)
	}
	answers, err := sight.Show(ctx, known)
	if err != nil {
		return nil, fmt.Errorf("ask which nodes the caller may see: %w", err)
	}
	shown := make(map[lineage.Node]bool, len(nodes))
	for i, node := range nodes {
		shown[node] = answers[i]
	}
	return shown, nil
}

// nodesAround are the datasets and jobs that a run's answer would name.
func nodesAround(detail projection.RunDetail) []lineage.Node {
	nodes := []lineage.Node{detail.Parent.Value.Job.Node(), detail.Root.Value.Job.Node(), detail.Key.Job.Node()}
	for _, run := range detail.Tree.Runs {
		nodes = append(nodes, run.Key.Job.Node())
	}
	for _, input := range detail.Inputs {
		nodes = append(nodes, input.Node())
	}
	for _, run := range append(detail.Attempts, detail.Run) {
		for _, output := range run.Outputs {
			nodes = append(nodes, output.Node())
		}
	}
	for _, marker := range detail.Markers {
		nodes = append(nodes, marker.Output.Node())
	}
	for _, child := range detail.Children {
		nodes = append(nodes, child.Job.Node())
	}
	return nodes
}
