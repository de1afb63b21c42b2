package gateway_test

import (
	"encoding/json/v2"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func TestRunSaysWhichEventsWereWithdrawnByWhomAndWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily")
	request := &headwaterv1.GetRunRequest{RunId: "run of mart.daily"}
	before, err := b.runs().GetRun(t.Context(), request)
	require.NoError(t, err)
	event := before.GetRun().GetEvents()[0]
	require.Nil(t, event.GetWithdrawn())

	_, err = b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{
		Facts: []*headwaterv1.Fact{withdrawn(event.GetProducer(), event.GetEventId())},
	})
	require.NoError(t, err)
	b.fold(t)
	after, err := b.runs().GetRun(t.Context(), request)
	require.NoError(t, err)
	run := after.GetRun()
	require.Equal(t, "dev", run.GetEvents()[0].GetWithdrawn().GetBy())
	require.Equal(t, "sent by a test", run.GetEvents()[0].GetWithdrawn().GetReason())
	require.Equal(t, "EvidenceWithdrawn", run.GetEvents()[1].GetEventType())
	require.Empty(t, run.GetOutputs())
	require.Equal(t, headwaterv1.RunState_RUN_STATE_UNKNOWN, run.GetState())
	require.False(t, run.GetPlaceholder())
	require.False(t, run.GetMissingStart(), "nothing of it counts, so nothing is missing")
}

func TestWithdrawalOfWhatNothingWithdrawsSaysWhatToDo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	withdraw := func(producer, eventID string) *headwaterv1.Receipt {
		t.Helper()
		return b.state(t, withdrawn(producer, eventID))[0]
	}
	rules := b.state(t, &headwaterv1.Fact{Reason: "one name", Fact: &headwaterv1.Fact_NameRulesRegistered{
		NameRulesRegistered: &headwaterv1.NameRulesRegistered{Rules: &headwaterv1.NameRuleSet{
			Namespaces: []*headwaterv1.NamespaceRule{{Namespace: "warehouse"}},
		}},
	}})[0]
	require.NotNil(t, rules.GetAccepted(), rules.GetRejected().GetReason())
	refused := withdraw("dev", rules.GetEventId()).GetRejected()
	require.Equal(t, "not_withdrawable", refused.GetCode())
	require.Contains(t, refused.GetReason(), "apply the rules that held before")

	early := withdraw("spark", "it has not come yet")
	require.NotNil(t, early.GetAccepted())
	require.Contains(t, withdraw("dev", early.GetEventId()).GetRejected().GetReason(), "undo it")
}

func TestOwnerThatAPersonRegisteredIsWithdrawn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily")
	owners := func() []*headwaterv1.Owner {
		answer, err := b.lineage().GetNode(t.Context(), &headwaterv1.GetNodeRequest{
			Node: &headwaterv1.GetNodeRequest_Dataset{Dataset: inWarehouse("mart.daily")},
		})
		require.NoError(t, err)
		return answer.GetAttributes().GetOwners()
	}
	stated := b.state(t, &headwaterv1.Fact{Fact: &headwaterv1.Fact_OwnerRegistered{OwnerRegistered: &headwaterv1.OwnerRegistered{
		Node: &headwaterv1.OwnerRegistered_Dataset{Dataset: inWarehouse("mart.daily")}, Owners: []*headwaterv1.Owner{{Name: "team:wrong"}},
	}}})[0]
	require.Len(t, owners(), 1)
	require.NotNil(t, b.state(t, withdrawn("dev", stated.GetEventId()))[0].GetAccepted())
	require.Empty(t, owners())
}

func TestEventIsWithdrawnByItsOffset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily")
	at := func(offset int64) *headwaterv1.Fact {
		return &headwaterv1.Fact{Reason: "sent by a test", Fact: &headwaterv1.Fact_EvidenceWithdrawn{
			EvidenceWithdrawn: &headwaterv1.EvidenceWithdrawn{Subject: &headwaterv1.EvidenceWithdrawn_Offset{Offset: offset}},
		}}
	}
	require.NotNil(t, b.state(t, at(1))[0].GetAccepted())
	entries := b.entries(t)
	event, err := lineage.Decode(entries[len(entries)-1].Format, entries[len(entries)-1].Payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.Withdrawal{Event: lineage.Sender{Producer: entries[0].Producer, EventID: entries[0].EventID}}, event.Fact)
	require.Contains(t, b.state(t, at(4711))[0].GetRejected().GetReason(), "is not in the log")
}

func TestWithdrawalsInEffectAreListedInPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := withdrawn("spark", "a")
	b.state(t, first, withdrawn("spark", "b"), withdrawn("spark", "c"))
	undone := withdrawn("spark", "a")
	undone.GetEvidenceWithdrawn().Undone = true
	undone.EventTime = timestamppb.New(first.GetEventTime().AsTime().Add(time.Minute))
	b.state(t, undone)
	page, err := b.admin().ListWithdrawals(t.Context(), &headwaterv1.ListWithdrawalsRequest{PageSize: new(int32(1))})
	require.NoError(t, err)
	require.Equal(t, "c", page.GetWithdrawals()[0].GetEvent().GetEventId())
	require.Equal(t, "dev", page.GetWithdrawals()[0].GetWithdrawal().GetBy())
	require.Equal(t, int64(3), page.GetWithdrawals()[0].GetOffset())
	page, err = b.admin().ListWithdrawals(t.Context(), &headwaterv1.ListWithdrawalsRequest{PageToken: page.GetNextPageToken()})
	require.NoError(t, err)
	require.Len(t, page.GetWithdrawals(), 1)
	require.Equal(t, "b", page.GetWithdrawals()[0].GetEvent().GetEventId())
	require.Empty(t, page.GetNextPageToken())
}

// treeEvent is an event of a run below another.
func treeEvent(t *testing.T, run, job, parent, parentJob string) []byte {
	t.Helper()
	document, err := json.Marshal(map[string]any{
		"eventType": "START", "eventTime": "2026-07-19T00:00:00Z",
		"job": map[string]any{"namespace": "airflow", "name": job},
		"run": map[string]any{"runId": run, "facets": map[string]any{"parent": map[string]any{
			"run": map[string]any{"runId": parent}, "job": map[string]any{"namespace": "airflow", "name": parentJob},
		}}},
	})
	require.NoError(t, err)
	return document
}

func TestTreeOfRunsIsThatWithoutHiddenJobs(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "airflow", "name": "secret", "unless_roles": []}`))
	for _, event := range [][]byte{
		treeEvent(t, "task", "load", "dag", "shop"), treeEvent(t, "action", "secret", "task", "load"),
		treeEvent(t, "below", "deep", "action", "secret"), treeEvent(t, "beside", "check", "task", "load"),
	} {
		require.Equal(t, http.StatusCreated, b.post(t, "/api/v1/lineage", event).Status)
	}
	b.fold(t)
	tree := func(run string) []string {
		answer, err := b.runs().GetRun(t.Context(), &headwaterv1.GetRunRequest{RunId: run})
		require.NoError(t, err)
		var ids []string
		for _, member := range answer.GetRun().GetTree() {
			ids = append(ids, fmt.Sprintf("%d %s", member.GetDepth(), member.GetRun().GetRunId()))
		}
		return ids
	}
	require.Equal(t, []string{"0 dag", "1 task", "2 beside"}, tree("task"), "nothing hidden and nothing below it")
	require.Equal(t, []string{"0 below"}, tree("below"), "nothing that a hidden run separates from it")
}
