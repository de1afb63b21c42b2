package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// completeEnvelope says in the envelope's words what completeRun says in OpenLineage's.
const completeEnvelope = `{
	"eventId": "load-orders-1",
	"producer": "scheduler",
	"schemaVersion": "1.0",
	"emittedAt": "2024-06-01T10:00:00Z",
	"job": {"namespace": "airflow", "name": "shop.load_orders", "facets": {}},
	"runId": "0B6E1C1E-7A0F-4A53-9A7C-0F3F6F1F2A10",
	"state": "COMPLETE",
	"facets": {},
	"inputs": [{"namespace": "postgres://shop", "name": "public.orders", "facets": {}}],
	"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {}, "outputFacets": {}}]
}`

const envelopeHeader = `{"eventId": "1", "producer": "p", "schemaVersion": "1.0", "emittedAt": "2024-06-01T11:00:00Z", `

func decodeEnvelope(t testing.TB, document []byte) lineage.Event {
	t.Helper()
	event, err := lineage.Decode(lineage.FormatEnvelope, document, lineage.DefaultLimits())
	require.NoError(t, err)
	return event
}

func TestEnvelopeSaysWhatARunEventSays(t *testing.T) {
	want := decode(t, []byte(completeRun))
	want.EventID, want.ProducerName = "load-orders-1", "scheduler"
	require.Equal(t, want, decodeEnvelope(t, []byte(completeEnvelope)))
}

func TestEnvelopeCarriesAnOpenLineageDocument(t *testing.T) {
	want := decode(t, []byte(completeRun))
	want.EventID, want.ProducerName = "1", "p"
	require.Equal(t, want, decodeEnvelope(t, []byte(envelopeHeader+`"openLineage": `+completeRun+"}")))

	view := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "s3://lake", "name": "orders"}}`
	require.Equal(t, lineage.DatasetEvent, decodeEnvelope(t, []byte(envelopeHeader+`"openLineage": `+view+"}")).Kind)
}

func TestEnvelopeTellsEventTimeFromEmittedTime(t *testing.T) {
	event := decodeEnvelope(t, edited(t, completeEnvelope, `"emittedAt": "2024-06-01T10:00:00Z"`,
		`"emittedAt": "2024-06-01T11:00:00Z", "eventTime": "2024-06-01T10:00:00Z"`))
	require.Equal(t, tenOClock, event.EventTime)
}

func TestEnvelopeStatesAJobVersion(t *testing.T) {
	event := decodeEnvelope(t, edited(t, completeEnvelope, `"state"`, `"jobVersion": "v7", "state"`))
	require.Equal(t, "v7", event.JobVersion)
	event = decodeEnvelope(t, edited(t, completeEnvelope, `"state"`, `"jobVersion": 7, "state"`))
	require.Empty(t, event.JobVersion)
	require.Equal(t, []string{"bad_job_version jobVersion"}, warningCodes(event.Warnings))
}

func TestEnvelopeIsReadLeniently(t *testing.T) {
	event := decodeEnvelope(t, edited(t, completeEnvelope, `"COMPLETE"`, `"done"`, `2024-06-01T10:00:00Z`, `2024-06-01T10:00:00`,
		`0B6E1C1E-7A0F-4A53-9A7C-0F3F6F1F2A10`, `manual-1`, `"facets": {},
	"inputs"`, `"facets": {"nominalTime": 1}, "offsets": [], "inputs"`))
	require.Equal(t, lineage.Other, event.Type)
	require.Equal(t, []string{
		"unknown_event_type state", "event_time_without_zone emittedAt", "run_id_no_uuid runId", "malformed_facet facets.nominalTime",
	}, warningCodes(event.Warnings))
}

func TestEnvelopeRefusalSpeaksOfTheEnvelope(t *testing.T) {
	for name, test := range map[string]struct {
		document   []byte
		code, path string
	}{
		"no object":         {[]byte("[]"), "not_an_object", ""},
		"no event id":       {edited(t, completeEnvelope, `"load-orders-1"`, "null"), "missing_header", "eventId"},
		"empty producer":    {edited(t, completeEnvelope, `"scheduler"`, `""`), "missing_header", "producer"},
		"event id a number": {edited(t, completeEnvelope, `"load-orders-1"`, "1"), "missing_header", "eventId"},
		"NUL in event id":   {edited(t, completeEnvelope, "load-orders-1", `\u0000`), "nul_in_name", "eventId"},
		"no version":        {edited(t, completeEnvelope, `"schemaVersion": "1.0",`, ""), "unknown_schema_version", "schemaVersion"},
		"other version":     {edited(t, completeEnvelope, `"1.0"`, `"2.0"`), "unknown_schema_version", "schemaVersion"},
		"version a number":  {edited(t, completeEnvelope, `"1.0"`, `1.0`), "unknown_schema_version", "schemaVersion"},
		"no time":           {edited(t, completeEnvelope, `"emittedAt": "2024-06-01T10:00:00Z",`, ""), "missing_event_time", "emittedAt"},
		"bad event time":    {edited(t, completeEnvelope, `"state"`, `"eventTime": "soon", "state"`), "bad_event_time", "eventTime"},
		"no job":            {edited(t, completeEnvelope, `{"namespace": "airflow", "name": "shop.load_orders", "facets": {}}`, "null"), "missing_job", "job"},
		"no run id":         {edited(t, completeEnvelope, `"runId": "0B6E1C1E-7A0F-4A53-9A7C-0F3F6F1F2A10",`, ""), "missing_run_id", "runId"},
		"an unnamed output": {edited(t, completeEnvelope, `"orders", "facets": {}, "outputFacets": {}`, `""`), "missing_name", "outputs[0].name"},
		"document a string": {[]byte(envelopeHeader + `"openLineage": "{}"}`), "bad_content", "openLineage"},
		"document and run":  {edited(t, completeEnvelope, `"state"`, `"openLineage": {}, "state"`), "two_contents", "openLineage"},
		"a bad document":    {[]byte(envelopeHeader + `"openLineage": {"eventTime": "soon"}}`), "bad_event_time", "openLineage.eventTime"},
	} {
		t.Run(name, func(t *testing.T) {
			invalid := refusal(t, lineage.FormatEnvelope, test.document, lineage.DefaultLimits())
			require.Equal(t, test.code, invalid.Code, invalid.Error())
			require.Equal(t, test.path, invalid.Path)
		})
	}
}
