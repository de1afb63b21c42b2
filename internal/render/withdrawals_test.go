package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func TestWithdrawalsNameWhatCountsNoMore(t *testing.T) {
	said := &headwaterv1.Withdrawal{By: "olu", Reason: "sent by a test"}
	page := render.Withdrawals(&headwaterv1.ListWithdrawalsResponse{
		Withdrawals: []*headwaterv1.ListedWithdrawal{
			{Withdrawal: said, Offset: 12, Subject: &headwaterv1.ListedWithdrawal_Event{Event: &headwaterv1.EventReference{Producer: "spark", EventId: "ol-1"}}},
			{Withdrawal: said, Offset: 11, Subject: &headwaterv1.ListedWithdrawal_Run{
				Run: &headwaterv1.RunReference{RunId: "r1", Job: &headwaterv1.Job{Namespace: "airflow", Name: "load"}},
			}},
		},
		NextPageToken: "11",
	}, render.Style{})
	for _, shown := range []string{"event ol-1 of spark", "run r1 of airflow load", "olu", "sent by a test", "--page 11"} {
		require.Contains(t, page, shown)
	}
	require.Contains(t, render.Withdrawals(&headwaterv1.ListWithdrawalsResponse{}, render.Style{}), "nothing is withdrawn")
}
