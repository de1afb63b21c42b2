package main

import (
	"context"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// listedGateway knows one run, and keeps the question for others.
type listedGateway struct {
	headwaterv1connect.UnimplementedRunServiceHandler
	question *headwaterv1.ListRunsRequest
}

func (g *listedGateway) GetRun(_ context.Context, request *headwaterv1.GetRunRequest) (*headwaterv1.GetRunResponse, error) {
	if request.GetRunId() != "p1" {
		return nil, connect.NewError(connect.CodeNotFound, "no")
	}
	return &headwaterv1.GetRunResponse{Run: &headwaterv1.Run{RunId: "p1", Job: &headwaterv1.Job{Namespace: "airflow", Name: "nightly"}}}, nil
}

func (g *listedGateway) ListRuns(_ context.Context, request *headwaterv1.ListRunsRequest) (*headwaterv1.ListRunsResponse, error) {
	g.question = request
	return &headwaterv1.ListRunsResponse{}, nil
}

func TestListOfRunsAsksForWhatTheFlagsSay(t *testing.T) {
	g := &listedGateway{}
	require.NoError(t, execute(t, "run", "list", "--job", "spark", "load", "--state", "completed", "--publication", "pending",
		"--since", "2026-07-18T22:00:00Z", "--until", "2026-07-19", "--parent", "p1", "--limit", "7", "--server", serveRuns(t, g)))
	want := &headwaterv1.ListRunsRequest{
		Job:          &headwaterv1.Job{Namespace: "spark", Name: "load"},
		States:       []headwaterv1.RunState{headwaterv1.RunState_RUN_STATE_COMPLETED},
		Publications: []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_PENDING},
		Since:        timestamppb.New(time.Date(2026, 7, 18, 22, 0, 0, 0, time.UTC)),
		Until:        timestamppb.New(time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC)),
		Parent:       &headwaterv1.RunReference{RunId: "p1", Job: &headwaterv1.Job{Namespace: "airflow", Name: "nightly"}},
		PageSize:     new(int32(7)),
	}
	require.True(t, proto.Equal(want, g.question), g.question.String())
}

func TestParentOfWhichNothingCameNeedsItsJob(t *testing.T) {
	g := &listedGateway{}
	server := serveRuns(t, g)
	require.ErrorContains(t, execute(t, "run", "list", "--parent", "unknown", "--server", server), "there is no run unknown")
	require.NoError(t, execute(t, "run", "list", "--parent", "unknown", "--parent-job", "airflow", "nightly", "--server", server))
	require.Equal(t, "nightly", g.question.GetParent().GetJob().GetName())
	require.Nil(t, g.question.Since)
}
