package lineage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// completeRun is an OpenLineage RunEvent without any oddity.
const completeRun = `{
	"eventType": "COMPLETE",
	"eventTime": "2024-06-01T10:00:00Z",
	"producer": "https://example.com/scheduler",
	"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
	"run": {"runId": "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", "facets": {}},
	"job": {"namespace": "airflow", "name": "shop.load_orders", "facets": {}},
	"inputs": [{"namespace": "postgres://shop", "name": "public.orders", "facets": {}}],
	"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {}, "outputFacets": {}}]
}`

const (
	runMember     = `"run": {"runId": "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", "facets": {}}`
	jobMember     = `"job": {"namespace": "airflow", "name": "shop.load_orders", "facets": {}}`
	inputsMember  = `"inputs": [{"namespace": "postgres://shop", "name": "public.orders", "facets": {}}]`
	outputsMember = `"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {}, "outputFacets": {}}]`
)

var (
	orders     = lineage.DatasetID{Namespace: "postgres://shop", Name: "public.orders"}
	ordersLake = lineage.DatasetID{Namespace: "s3://lake", Name: "orders"}
	loadOrders = lineage.JobID{Namespace: "airflow", Name: "shop.load_orders"}
	tenOClock  = time.Date(2024, 6, 1, 10, 0, 0, 0, time.UTC)
)

// edited replaces one part of a document by another; pairs holds what to find and what to put there.
func edited(t testing.TB, document string, pairs ...string) []byte {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Equal(t, 1, strings.Count(document, pairs[i]), "the document must hold %s once", pairs[i])
		document = strings.Replace(document, pairs[i], pairs[i+1], 1)
	}
	return []byte(document)
}

func decode(t testing.TB, document []byte) lineage.Event {
	t.Helper()
	event, err := lineage.Decode(lineage.FormatOpenLineage, document, lineage.DefaultLimits())
	require.NoError(t, err)
	return event
}

// refusal decodes a document that must be refused.
func refusal(t testing.TB, format lineage.Format, document []byte, limits lineage.Limits) *lineage.InvalidError {
	t.Helper()
	event, err := lineage.Decode(format, document, limits)
	require.Error(t, err)
	require.Zero(t, event, "a refused document gives no event")
	var invalid *lineage.InvalidError
	require.ErrorAs(t, err, &invalid)
	requireSpeaks(t, invalid)
	return invalid
}

// requireSpeaks requires that a producer can act on a refusal and that a store can keep it.
func requireSpeaks(t require.TestingT, invalid *lineage.InvalidError) {
	require.Regexp(t, `^[a-z0-9_]+$`, invalid.Code)
	require.NotEmpty(t, invalid.Reason)
	require.Less(t, len(invalid.Error()), 1000, "a reason stays short, whatever the document holds")
	require.NotContains(t, invalid.Error(), "\x00")
	require.NotContains(t, invalid.Error(), "jsontext", "a producer knows no Go")
	require.NotContains(t, invalid.Error(), "%!")
}

// warningCodes lists the codes of warnings with their paths.
func warningCodes(warnings []lineage.Warning) []string {
	var codes []string
	for _, warning := range warnings {
		codes = append(codes, strings.TrimSpace(warning.Code+" "+warning.Path))
	}
	return codes
}
