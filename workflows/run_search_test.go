package workflows_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/workflows/contract"
)

// recordAttributes notes what each upsert sets. What it removes the test environment does not tell.
func (b *bundle) recordAttributes() *[]map[string]any {
	upserts := &[]map[string]any{}
	b.OnUpsertTypedSearchAttributes(mock.Anything).Run(func(args mock.Arguments) {
		set := map[string]any{}
		for key, value := range args.Get(0).(temporal.SearchAttributes).GetUntypedValues() {
			if !strings.HasPrefix(key.GetName(), "Temporal") { // the SDK's own
				set[key.GetName()] = value
			}
		}
		if len(set) > 0 {
			*upserts = append(*upserts, set)
		}
	}).Return(nil)
	return upserts
}

func TestSearchAttributesAreSetOnlyWhenTheyChange(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, started, started, completed)
	b.after(time.Minute, func() { b.signal(2) })
	b.after(time.Hour, func() { b.signal(3) })
	upserts := b.recordAttributes()
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, []map[string]any{
		{
			contract.JobAttribute.GetName(): "daily_orders", contract.NamespaceAttribute.GetName(): "spark-prod",
			contract.RunStateAttribute.GetName(): "STARTED", contract.PublicationAttribute.GetName(): "pending",
		},
		{contract.RunStateAttribute.GetName(): "COMPLETED", contract.PublicationAttribute.GetName(): "published"},
	}, *upserts)
}

func TestRunIsFoundByTheGatesThatItWaitsFor(t *testing.T) {
	b := setup(t)
	both, one := heldUntil(time.Time{}), heldUntil(time.Time{})
	both.Gates, one.Gates = []string{"commit", strings.Repeat("q", 300)}, []string{"quality"}
	scriptWeighing(b, both, one, one, completed)
	for i := range 3 {
		b.after(time.Duration(i+1)*time.Minute, func() { b.signal(9) })
	}
	upserts := b.recordAttributes()
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Len(t, *upserts, 3)
	gates := contract.GatesAttribute.GetName()
	require.Equal(t, []string{"commit", contract.Keyword(both.Gates[1])}, (*upserts)[0][gates])
	require.Equal(t, map[string]any{gates: []string{"quality"}}, (*upserts)[1], "one has answered")
	require.NotContains(t, (*upserts)[2], gates)
}
