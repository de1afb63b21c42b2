package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestLimitsHoldAtTheirEdge(t *testing.T) {
	limits := lineage.DefaultLimits()
	datasets := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(`{"namespace": "n", "name": "%d"}`, i)
		}
		return "[" + strings.Join(names, ",") + "]"
	}
	for name, test := range map[string]struct {
		document   func(size int) []byte
		limit      int
		code, path string
	}{
		"depth": {
			func(n int) []byte { // the document itself, its run, the facets and the facet are four levels
				nested := strings.Repeat("[", n-4) + strings.Repeat("]", n-4)
				return edited(t, completeRun, `f2a10", "facets": {}`, `f2a10", "facets": {"a": {"b": `+nested+`}}`)
			}, limits.Depth, "too_deep", "",
		},
		"name": {
			func(n int) []byte { return edited(t, completeRun, "public.orders", strings.Repeat("x", n)) },
			limits.NameBytes, "name_too_long", "inputs[0].name",
		},
		"name in bytes, not characters": {
			func(n int) []byte { return edited(t, completeRun, "shop.load_orders", "x"+strings.Repeat("é", n/2)) },
			limits.NameBytes - 1, "name_too_long", "job.name",
		},
		"namespace": {
			func(n int) []byte { return edited(t, completeRun, "s3://lake", strings.Repeat("x", n)) },
			limits.NameBytes, "name_too_long", "outputs[0].namespace",
		},
		"run id": {
			func(n int) []byte {
				return edited(t, completeRun, "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", strings.Repeat("x", n))
			}, limits.RunIDBytes, "run_id_too_long", "run.runId",
		},
		"inputs": {
			func(n int) []byte { return edited(t, completeRun, inputsMember, `"inputs": `+datasets(n)) },
			limits.Datasets, "too_many_datasets", "inputs",
		},
		"outputs": {
			func(n int) []byte { return edited(t, completeRun, outputsMember, `"outputs": `+datasets(n)) },
			limits.Datasets, "too_many_datasets", "outputs",
		},
	} {
		t.Run(name, func(t *testing.T) {
			decode(t, test.document(test.limit))
			invalid := refusal(t, lineage.FormatOpenLineage, test.document(test.limit+1), limits)
			require.Equal(t, test.code, invalid.Code)
			require.Equal(t, test.path, invalid.Path)
		})
	}
}

func TestDeepNestingIsRefusedWithoutEndingTheProcess(t *testing.T) {
	unlimited := lineage.DefaultLimits()
	unlimited.Depth = 1 << 30
	for _, document := range []string{strings.Repeat("[", 40_000), strings.Repeat(`{"a":`, 40_000)} {
		require.Equal(t, "too_deep", refusal(t, lineage.FormatOpenLineage, []byte(document), lineage.DefaultLimits()).Code)
		require.Equal(t, "not_json", refusal(t, lineage.FormatOpenLineage, []byte(document), unlimited).Code)
	}
}
