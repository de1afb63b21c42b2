package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// Stores and archives hold these. A change of one makes every projection that was built before useless, and every
// event id that was derived before.

func TestKeysThatAreStoredNeverChange(t *testing.T) {
	statement := lineage.Statement{Job: loadOrders, Content: lineage.NewFlow(loadOrders, fed("x", "AB").Inputs), Output: ordersLake.Node(), Origin: lineage.Observed}
	decision := lineage.Decision{Run: loadOrdersRun, Output: orders, Basis: lineage.Position{Epoch: 1, Offset: 7}, PolicyRevision: "abc"}
	arrival := lineage.Arrival{Content: lineage.HashOf("content"), Producer: "p", EventID: "1"}
	for name, test := range map[string]struct {
		got  lineage.Hash
		want string
	}{
		"run":      {loadOrdersRun.Hash(), "70bff63e79465295913e16788bdc7468"},
		"dataset":  {lineage.Hash(orders.Node().ID()), "0f6e0f72ed745dcc21b33f084798aca9"},
		"job":      {lineage.Hash(loadOrders.Node().ID()), "563c6f5492dc7f412d31cb31a55a4da9"},
		"workflow": {loadOrders.Hash(), "563c6f5492dc7f412d31cb31a55a4da9"},
		"flow":     {statement.Flow().ID(), "b5ba12a02f6bf61cab8e8c2516c9bf6e"},
		"timeline": {statement.TimelineID(), "6c51749da9fcf73aebf5b31bee75b883"},
		"decision": {decision.ID(), "492ff949a61b641d0f46731ce61043d2"},
		"event":    {arrival.Key(), "a88c674b488fb486d3fade6ec20346a4"},
		"content":  {contentHash(t, completeRun), "8c309165a65aea58bb61463634dc373c"},
	} {
		require.Equal(t, test.want, test.got.String(), name)
	}
}

func TestDecisionIsWrittenAsBefore(t *testing.T) {
	payload, err := lineage.EncodeDecision(lineage.Decision{
		Run: loadOrdersRun, Output: orders, Basis: lineage.Position{Epoch: 1, Offset: 7},
		EndType: lineage.Complete, Publication: lineage.Published, PolicyRevision: "abc",
	})
	require.NoError(t, err)
	require.Equal(t, `{"type":"PublicationDecided","decision":{"run":{"job":{"namespace":"airflow","name":"shop.load_orders"},"runId":"r"},`+
		`"output":{"namespace":"postgres://shop","name":"public.orders"},"basis":{"epoch":1,"offset":7},"endType":"COMPLETE",`+
		`"publication":2,"policyRevision":"abc"}}`, string(payload))
}

func TestEntryKnowsItsPlaceAndItsArrival(t *testing.T) {
	entry := lineage.Entry{Epoch: 2, Offset: 7, ReceivedAt: tenOClock, Producer: "p", EventID: "1", Content: lineage.HashOf("x")}
	require.Equal(t, lineage.Position{Epoch: 2, Offset: 7}, entry.Position())
	require.Equal(t, lineage.Arrival{Content: lineage.HashOf("x"), ReceivedAt: tenOClock, Producer: "p", EventID: "1"}, entry.Arrival())
}

func TestStatesHaveNames(t *testing.T) {
	for state := lineage.RunUnknown; state <= lineage.RunAborted; state++ {
		require.NotEmpty(t, state.String())
	}
	for publication := lineage.Pending; publication <= lineage.RolledBack; publication++ {
		require.NotEmpty(t, publication.String())
	}
}
