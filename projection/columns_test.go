package projection_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// columns is a columnLineage facet of lines such as "x<-a.i" for a direct influence, "x<-a.f JOIN" for an indirect one,
// and "*<-a.f JOIN" for one on the whole output.
func columns(lines ...string) map[string]any {
	fields, whole := map[string]any{}, []any{}
	for _, line := range lines {
		field, source, _ := strings.Cut(line, "<-")
		source, subtype, indirect := strings.Cut(source, " ")
		table, path, _ := strings.Cut(source, ".")
		way := map[string]any{"type": "DIRECT", "subtype": "IDENTITY"}
		if indirect {
			way = map[string]any{"type": "INDIRECT", "subtype": subtype}
		}
		input := map[string]any{"namespace": "warehouse", "name": table, "field": path, "transformations": []any{way}}
		if field == "*" {
			whole = append(whole, input)
			continue
		}
		of, _ := fields[field].(map[string]any)
		if of == nil {
			of = map[string]any{"inputFields": []any{}}
			fields[field] = of
		}
		of["inputFields"] = append(of["inputFields"].([]any), input)
	}
	return map[string]any{"columnLineage": map[string]any{"fields": fields, "dataset": whole}}
}

// mapped tells of a run of a job that makes one table of others and states its columns.
func (b *bundle) mapped(run, job string, minute int, inputs, output string, lines ...string) {
	b.complete(story{
		run: run, job: job, minute: minute, inputs: strings.Fields(inputs), outputs: []string{output},
		outputFacets: map[string]map[string]any{output: columns(lines...)},
	})
}

func TestColumnMapIsStoredOnceNearFieldsAndInputs(t *testing.T) {
	b := setup(t)
	const width = 60
	var lines []string
	for i := range width {
		lines = append(lines, fmt.Sprintf("x%d<-a.i%d", i, i))
		for j := range width {
			lines = append(lines, fmt.Sprintf("x%d<-a.i%d JOIN", i, j))
		}
	}
	for run := range 3 {
		b.mapped(fmt.Sprint("r", run), "ab", run, "a", "b", lines...)
	}
	b.fold(b.active, 2)
	rows := map[string]int64{}
	digest, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	for _, table := range digest.Tables {
		rows[table.Table] = table.Rows
	}
	require.Equal(t, int64(1), rows["column_map"])
	require.Equal(t, int64(1), rows["column_map_input"])
	require.Equal(t, int64(width+1), rows["column_map_field"])
	require.Equal(t, int64(width+1), rows["column_set"])
	require.Equal(t, int64(2*width), rows["column_set_input"])
	require.Equal(t, int64(2*width), rows["field"])
}
