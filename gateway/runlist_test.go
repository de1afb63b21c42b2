package gateway_test

import (
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/policy"
)

func TestListRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, output := range []string{"a", "b", "c"} {
		b.publish(t, "raw", output)
	}
	b.complete(t, "undecided", "make c", "raw", "c")
	b.fold(t)
	list := func(change func(*headwaterv1.ListRunsRequest)) ([]string, string) {
		t.Helper()
		request := &headwaterv1.ListRunsRequest{}
		change(request)
		answer, err := b.runs().ListRuns(t.Context(), request)
		require.NoError(t, err)
		ids := []string{}
		for _, run := range answer.GetRuns() {
			ids = append(ids, run.GetRunId())
		}
		return ids, answer.GetNextPageToken()
	}
	all, next := list(func(*headwaterv1.ListRunsRequest) {})
	require.Equal(t, []string{"undecided", "run of c", "run of b", "run of a"}, all)
	require.Empty(t, next)

	page, next := list(func(r *headwaterv1.ListRunsRequest) { r.PageSize = new(int32(3)) })
	require.Equal(t, all[:3], page)
	page, next = list(func(r *headwaterv1.ListRunsRequest) { r.PageSize, r.PageToken = new(int32(3)), next })
	require.Equal(t, all[3:], page)
	require.Empty(t, next)

	ofJob, _ := list(func(r *headwaterv1.ListRunsRequest) {
		r.Job = &headwaterv1.Job{Namespace: "spark-prod", Name: "make c"}
	})
	require.Equal(t, []string{"undecided", "run of c"}, ofJob)
	pending, _ := list(func(r *headwaterv1.ListRunsRequest) {
		r.Publications = []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_PENDING}
	})
	require.Equal(t, []string{"undecided"}, pending)
	failed, _ := list(func(r *headwaterv1.ListRunsRequest) {
		r.States = []headwaterv1.RunState{headwaterv1.RunState_RUN_STATE_FAILED}
	})
	require.Empty(t, failed)
	children, _ := list(func(r *headwaterv1.ListRunsRequest) {
		r.Parent = &headwaterv1.RunReference{RunId: "none", Job: &headwaterv1.Job{Namespace: "spark-prod", Name: "none"}}
	})
	require.Empty(t, children)
	later, _ := list(func(r *headwaterv1.ListRunsRequest) { r.Since = timestamppb.New(time.Now().Add(time.Hour)) })
	require.Empty(t, later)
	earlier, _ := list(func(r *headwaterv1.ListRunsRequest) { r.Until = timestamppb.New(time.Now().Add(time.Hour)) })
	require.Equal(t, all, earlier)
}

func TestQuestionForRunsThatCannotBeAnsweredIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, request := range []*headwaterv1.ListRunsRequest{
		{PageToken: "x"},
		{PageToken: "17"},
		{PageToken: "17.x"},
		{Since: timestamppb.New(time.Unix(60, 0)), Until: timestamppb.New(time.Unix(60, 0))},
		{PageSize: new(int32(1001))},
		{States: []headwaterv1.RunState{headwaterv1.RunState_RUN_STATE_UNSPECIFIED}},
	} {
		_, err := b.runs().ListRuns(t.Context(), request)
		require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err), request.String())
	}
}

func TestListOfRunsLeavesOutWhatMayNotBeSeen(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "warehouse", "name": "secret", "unless_roles": []}`))
	b.publish(t, "raw", "secret")
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}})
	require.NoError(t, err)
	reader := "Bearer " + token.Reveal()
	answer, err := b.runs().ListRuns(withToken(t, reader), &headwaterv1.ListRunsRequest{})
	require.NoError(t, err)
	require.Len(t, answer.GetRuns(), 1)
	require.Empty(t, answer.GetRuns()[0].GetPublications())
	answer, err = b.runs().ListRuns(withToken(t, reader), &headwaterv1.ListRunsRequest{
		Publications: []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_PUBLISHED},
	})
	require.NoError(t, err)
	require.Empty(t, answer.GetRuns(), "only a hidden output is published")
}

func TestAJobThatMayNotBeSeenHasNoRuns(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "spark-prod", "name": "make secret", "unless_roles": []}`))
	b.publish(t, "raw", "secret")
	b.publish(t, "raw", "open")
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}})
	require.NoError(t, err)
	reader := withToken(t, "Bearer "+token.Reveal())
	job := &headwaterv1.Job{Namespace: "spark-prod", Name: "make secret"}
	for _, request := range []*headwaterv1.ListRunsRequest{
		{Job: job}, {Parent: &headwaterv1.RunReference{RunId: "run of secret", Job: job}},
	} {
		answer, err := b.runs().ListRuns(reader, request)
		require.NoError(t, err)
		require.Empty(t, answer.GetRuns())
		require.Empty(t, answer.GetNextPageToken())
	}
	page, err := b.runs().ListRuns(reader, &headwaterv1.ListRunsRequest{PageSize: new(int32(1))})
	require.NoError(t, err)
	require.Equal(t, "run of open", page.GetRuns()[0].GetRunId())
	require.Empty(t, page.GetNextPageToken(), "nothing tells of the other run")
}
