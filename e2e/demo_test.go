package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/headwater-data/headwater/demo"
)

func TestSendingTheDemoAgainChangesNoDigest(t *testing.T) {
	before := digest(t)
	_, err := demo.Send(t.Context(), headwater.admin.HTTP, headwater.admin.URL, night)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(before, digest(t), protocmp.Transform()))
}

func TestCommandsShowTheDemo(t *testing.T) {
	sendDemo(t)
	tree, err := headwater.Command(t.Context(), "lineage", "upstream", demo.MainOutput.Namespace, demo.MainOutput.Name, "--depth", "5")
	require.NoError(t, err)
	for _, line := range []string{
		"looker sales_overview",
		"─ bigquery shop.mart.daily_orders",
		"by dbt-prod shop.mart.shop_dbt.daily_orders",
		"─ postgres://shop-db:5432 shop.public.orders",
		"─ kafka://kafka:9092 clicks",
		"bigquery shop.staging.customers ↑ see above",
		"complete",
	} {
		require.Contains(t, tree, line)
	}
	require.NotContains(t, tree, "\x1b", "colour without a terminal")

	affected, err := headwater.Command(t.Context(), "lineage", "downstream", "kafka://kafka:9092", "clicks", "--depth", "5", "--mermaid")
	require.NoError(t, err)
	require.Contains(t, affected, "sales_overview")
}

func TestRunPageTellsOfThePartialWrite(t *testing.T) {
	sendDemo(t)
	page, err := headwater.Command(t.Context(), "run", "show", demo.PartialWrite(night))
	require.NoError(t, err)
	require.Contains(t, page, "failed")
	require.Contains(t, page, "bigquery shop.export.ledger  diagnostic")
}
