package gateway

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// ListRuns implements headwater.v1.RunService.
func (s *runService) ListRuns(ctx context.Context, req *headwaterv1.ListRunsRequest) (*headwaterv1.ListRunsResponse, error) {
	filter, err := runFilterOf(req)
	if err != nil {
		return nil, err
	}
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return nil, unavailable(err)
	}
	if err := leaveHidden(ctx, sight, &filter); err != nil {
		return nil, unavailable(err)
	}
	var summaries []*headwaterv1.RunSummary
	filter.Keep = func(ctx context.Context, names *lineage.NameRules, runs []lineage.Run) ([]bool, error) {
		keep := make([]bool, len(runs))
		shown, err := shownOf(ctx, sight, names, nodesOfRuns(runs))
		for i := range runs {
			var summary *headwaterv1.RunSummary
			if summary, keep[i] = runSummaryOf(&runs[i], filter, shown); keep[i] {
				summaries = append(summaries, summary)
			}
		}
		return keep, err
	}
	list, err := s.projections.ListRuns(ctx, filter)
	if err != nil {
		return nil, unavailable(fmt.Errorf("list runs: %w", err))
	}
	response := &headwaterv1.ListRunsResponse{Runs: summaries[:len(list.Runs)], Projection: viewOf(list.View)}
	if list.Next != nil {
		response.NextPageToken = pageToken(*list.Next)
	}
	return response, nil
}

// leaveHidden lets a question about a job, or about a parent, that the caller may not see find nothing, as if it did not exist.
func leaveHidden(ctx context.Context, sight *policy.View, filter *projection.RunFilter) error {
	var asked []lineage.Node
	if filter.Job != nil {
		asked = append(asked, filter.Job.Node())
	}
	if filter.Parent != nil {
		asked = append(asked, filter.Parent.Job.Node())
	}
	shown, err := sight.Show(ctx, asked)
	if slices.Contains(shown, false) {
		filter.Until = time.Time{}.Add(time.Microsecond) // nothing began before
	}
	return err
}

// nodesOfRuns are the jobs and outputs of runs.
func nodesOfRuns(runs []lineage.Run) []lineage.Node {
	var nodes []lineage.Node
	for i := range runs {
		nodes = append(nodes, runs[i].Key.Job.Node())
		for _, output := range runs[i].Outputs {
			nodes = append(nodes, output.Node())
		}
	}
	return nodes
}

func runFilterOf(req *headwaterv1.ListRunsRequest) (projection.RunFilter, error) {
	filter := projection.RunFilter{Limit: 50}
	if req.PageSize != nil {
		filter.Limit = int(req.GetPageSize())
	}
	if req.Job != nil {
		filter.Job = new(jobIDOf(req.GetJob()))
	}
	if req.Parent != nil {
		filter.Parent = &lineage.RunKey{Job: jobIDOf(req.GetParent().GetJob()), RunID: strings.ToLower(req.GetParent().GetRunId())}
	}
	for _, state := range req.GetStates() {
		filter.States = append(filter.States, lineage.RunState(state))
	}
	for _, publication := range req.GetPublications() {
		filter.Publications = append(filter.Publications, lineage.Publication(publication))
	}
	if req.Since != nil {
		filter.Since = req.GetSince().AsTime()
	}
	if req.Until != nil {
		filter.Until = req.GetUntil().AsTime()
	}
	if req.Since != nil && req.Until != nil && !filter.Since.Before(filter.Until) {
		return filter, connect.Errorf(connect.CodeInvalidArgument, "no run began at %s or later and before %s; since must be the earlier time",
			filter.Since.Format(time.RFC3339), filter.Until.Format(time.RFC3339))
	}
	if token := req.GetPageToken(); token != "" {
		place, err := placeOf(token)
		if err != nil {
			return filter, connect.NewError(connect.CodeInvalidArgument, "page_token is none that ListRuns gave")
		}
		filter.Before = &place
	}
	return filter, nil
}

// pageToken names the place that a page ended at: microseconds since 1970 and an offset.
func pageToken(place projection.RunPlace) string {
	return fmt.Sprintf("%d.%d", place.BeganAt.UnixMicro(), place.First)
}

func placeOf(token string) (projection.RunPlace, error) {
	micros, offset, _ := strings.Cut(token, ".")
	at, timeErr := strconv.ParseInt(micros, 10, 64)
	first, offsetErr := strconv.ParseInt(offset, 10, 64)
	return projection.RunPlace{BeganAt: time.UnixMicro(at).UTC(), First: lineage.Offset(first)}, errors.Join(timeErr, offsetErr)
}

// runSummaryOf is a run in one line. A run whose job is hidden is left out, and one that only hidden outputs brought in.
func runSummaryOf(run *lineage.Run, filter projection.RunFilter, shown map[lineage.Node]bool) (*headwaterv1.RunSummary, bool) {
	if !shown[run.Key.Job.Node()] {
		return nil, false
	}
	summary := &headwaterv1.RunSummary{
		RunId: run.Key.RunID, Job: jobOf(run.Key.Job), State: headwaterv1.RunState(run.State()), StartedAt: timestampOf(run.StartedAt),
		BeganAt: timestampOf(run.FirstEventAt),
	}
	if run.End != nil {
		summary.EndedAt = timestamppb.New(run.End.EventTime)
	}
	asked := len(filter.Publications) == 0
	for _, output := range run.Outputs {
		if !shown[output.Node()] {
			continue
		}
		asked = asked || slices.Contains(filter.Publications, output.Publication)
		if publication := headwaterv1.Publication(output.Publication); !slices.Contains(summary.Publications, publication) {
			summary.Publications = append(summary.Publications, publication)
		}
	}
	slices.Sort(summary.Publications)
	return summary, asked
}
