package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// PostgreSQL keeps no U+0000. One that came through would stop the projector at its event for ever.
func TestNoEventStopsTheProjector(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := strings.Repeat("x", 1<<20)
	for name, facets := range map[string][2]string{ // of the run, of the job
		"U+0000 in an error message":         {`"errorMessage":{"message":"a\u0000b"}`, ``},
		"U+0000 in a facet's name":           {`"a\u0000b":1`, `"a\u0000b":1`},
		"U+0000 in a job's version":          {``, `"sourceCodeLocation":{"version":"a\u0000b"}`},
		"U+0000 in a mode":                   {``, `"jobType":{"processingType":"a\u0000b"}`},
		"U+0000 in a parent":                 {`"parent":{"run":{"runId":"a\u0000b"},"job":{"namespace":"n","name":"\u0000"}}`, ``},
		"U+0000 in an input of a facet":      {``, `"lineage":{"entries":[{"type":"DATASET","namespace":"n","name":"a","inputs":[{"namespace":"\u0000","name":"b"}]}]}`},
		"U+0000 in a type of a facet":        {``, `"lineage":{"entries":[{"type":"\u0000","namespace":"n","name":"a","inputs":[]}]}`},
		"U+0000 in a member where it is not": {`"errorMessage":{"a\u0000b":{},"message":{"a\u0000b":[]}}`, ``},
		"a long error message":               {`"errorMessage":{"message":"` + long + `"}`, ``},
		"a long name in a facet":             {`"parent":{"run":{"runId":"` + long + `"},"job":{"namespace":"` + long + `","name":"j"}}`, `"lineage":{"entries":[{"type":"DATASET","namespace":"n","name":"` + long + `","inputs":[]}]}`},
		"a long name of a facet":             {`"` + long + `":1`, ``},
		"a long version":                     {``, `"sourceCodeLocation":{"version":"` + long + `"}`},
	} {
		event := `{"eventType":"COMPLETE","eventTime":"2026-07-19T00:00:00Z","run":{"runId":"` + name + `","facets":{` + facets[0] + `}},` +
			`"job":{"namespace":"n","name":"j","facets":{` + facets[1] + `}},"outputs":[{"namespace":"n","name":"o","facets":{"a\u0000b":1}}]}`
		event = strings.Replace(event, name, strings.ReplaceAll(name, "U+0000", "nul"), 1)
		require.Equal(t, http.StatusCreated, b.post(t, singleDoor, []byte(event)).Status, name)
		b.fold(t)
	}
	var largest int
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT max(length(body::text)) FROM run`).Scan(&largest))
	require.Less(t, largest, 64<<10, "what is stored of a run is bounded, whatever its facets hold")
}
