package lineage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestRefusalNamesCodeAndPlace(t *testing.T) {
	const runID = "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10"
	for name, test := range map[string]struct {
		document   []byte
		code, path string
	}{
		"empty body":              {[]byte(" \n"), "empty_body", ""},
		"only a byte order mark":  {[]byte("\xef\xbb\xbf"), "empty_body", ""},
		"not UTF-8":               {[]byte("{\"a\": \"\xff\"}"), "not_utf8", ""},
		"UTF-16":                  {[]byte("\xff\xfe{\x00}\x00"), "not_utf8", ""},
		"cut off":                 {[]byte(completeRun[:200]), "not_json", ""},
		"single quotes":           {[]byte(`{'run': 1}`), "not_json", ""},
		"trailing comma":          {[]byte(`{"a": 1,}`), "not_json", ""},
		"NaN":                     {[]byte(`{"a": NaN}`), "not_json", ""},
		"a lone surrogate":        {edited(t, completeRun, "public.orders", `\ud83d`), "not_json", ""},
		"a second document":       {[]byte(completeRun + completeRun), "trailing_data", ""},
		"trailing garbage":        {[]byte(completeRun + " x"), "trailing_data", ""},
		"a name twice":            {edited(t, completeRun, `"eventType"`, `"eventType": "START", "eventType"`), "duplicate_name", ""},
		"a name twice in a facet": {edited(t, completeRun, `f2a10", "facets": {}`, `f2a10", "facets": {"a": {"b": 1, "b": 1}}`), "duplicate_name", ""},
		"a long name twice": {
			[]byte(`{"` + strings.Repeat("x", 5000) + `\u0000": 1, "` + strings.Repeat("x", 5000) + `\u0000": 1}`), "duplicate_name", "",
		},
		"an array":                {[]byte("[" + completeRun + "]"), "not_an_object", ""},
		"null":                    {[]byte("null"), "not_an_object", ""},
		"a string":                {[]byte(`"x"`), "not_an_object", ""},
		"about nothing":           {[]byte(`{"eventTime": "2024-06-01T10:00:00Z"}`), "unknown_kind", ""},
		"no event time":           {edited(t, completeRun, `"eventTime": "2024-06-01T10:00:00Z",`, ""), "missing_event_time", "eventTime"},
		"null event time":         {edited(t, completeRun, `"2024-06-01T10:00:00Z"`, "null"), "missing_event_time", "eventTime"},
		"event time as a number":  {edited(t, completeRun, `"2024-06-01T10:00:00Z"`, "1717236000"), "missing_event_time", "eventTime"},
		"no time":                 {edited(t, completeRun, "2024-06-01T10:00:00Z", "yesterday"), "bad_event_time", "eventTime"},
		"an endless time":         {edited(t, completeRun, "2024-06-01T10:00:00Z", strings.Repeat("2", 50_000)), "bad_event_time", "eventTime"},
		"run is a string":         {edited(t, completeRun, runMember, `"run": "x"`), "bad_run", "run"},
		"no run id":               {edited(t, completeRun, runMember, `"run": {}`), "missing_run_id", "run.runId"},
		"empty run id":            {edited(t, completeRun, runID, " "), "missing_run_id", "run.runId"},
		"run id is a number":      {edited(t, completeRun, `"`+runID+`"`, "7"), "missing_run_id", "run.runId"},
		"NUL in the run id":       {edited(t, completeRun, runID, `a\u0000b`), "nul_in_run_id", "run.runId"},
		"no job":                  {edited(t, completeRun, jobMember+",", ""), "missing_job", "job"},
		"job is a string":         {edited(t, completeRun, jobMember, `"job": "x"`), "missing_job", "job"},
		"job without namespace":   {edited(t, completeRun, `"airflow"`, "null"), "missing_name", "job.namespace"},
		"job with an empty name":  {edited(t, completeRun, "shop.load_orders", ""), "missing_name", "job.name"},
		"job name is an object":   {edited(t, completeRun, `"shop.load_orders"`, "{}"), "bad_name", "job.name"},
		"NUL in a name":           {edited(t, completeRun, "public.orders", `nul\u0000byte`), "nul_in_name", "inputs[0].name"},
		"NUL in a namespace":      {edited(t, completeRun, "s3://lake", `\u0000`), "nul_in_name", "outputs[0].namespace"},
		"inputs is an object":     {edited(t, completeRun, inputsMember, `"inputs": {}`), "bad_datasets", "inputs"},
		"an input is a string":    {edited(t, completeRun, inputsMember, `"inputs": ["orders"]`), "bad_dataset", "inputs[0]"},
		"an output has no name":   {edited(t, completeRun, outputsMember, `"outputs": [{"namespace": "n"}]`), "missing_name", "outputs[0].name"},
		"dataset without a name":  {[]byte(`{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n"}}`), "missing_name", "dataset.name"},
		"dataset is a string":     {[]byte(`{"eventTime": "2024-06-01T10:00:00Z", "dataset": "n"}`), "bad_dataset", "dataset"},
		"the first reason counts": {[]byte(`{"run": {}, "job": {}}`), "missing_event_time", "eventTime"},
	} {
		t.Run(name, func(t *testing.T) {
			invalid := refusal(t, lineage.FormatOpenLineage, test.document, lineage.DefaultLimits())
			require.Equal(t, test.code, invalid.Code, invalid.Error())
			require.Equal(t, test.path, invalid.Path)
		})
	}
}

func TestUnknownFormatIsRefused(t *testing.T) {
	require.Equal(t, "unknown_format", refusal(t, lineage.Format(9), []byte(completeRun), lineage.DefaultLimits()).Code)
}
