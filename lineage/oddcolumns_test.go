package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// columnsSaid gives the column map of an output with some facets, the paths and reasons of the warnings, and the edges of the run.
func columnsSaid(t *testing.T, facets string) (columns, warned, flows []string) {
	t.Helper()
	c, warnings := contributed(t, withOutputFacets(t, facets))
	if m := onlyMap(t, c); m != nil {
		columns = mapped(m)
	}
	for _, warning := range warnings {
		warned = append(warned, warning.Code+" "+warning.Path)
	}
	return columns, warned, edges(published(c).Statements())
}

func TestOddColumnLineageGivesTheEdgesThatItStates(t *testing.T) {
	own := `{"namespace": "s3://lake", "name": "orders", "field": "id"}`
	for name, test := range map[string]struct {
		fields        string
		columns, flow []string
	}{
		"a field of itself":           {`"id": {"inputFields": [` + own + `]}`, []string{"id <- orders.id direct"}, []string{"orders -> orders", "public.orders -> orders"}},
		"of what is no input":         {`"id": {"inputFields": [` + from("i") + `]}`, []string{"id <- a.i direct"}, []string{"a -> orders", "public.orders -> orders"}},
		"of no known field":           {`"id": {"inputFields": [` + from("") + `]}`, []string{"id <- a direct"}, []string{"a -> orders", "public.orders -> orders"}},
		"no transformations":          {`"id": {"inputFields": [{"namespace": "n", "name": "a", "field": "i", "transformations": []}]}`, []string{"id <- a.i direct"}, []string{"a -> orders", "public.orders -> orders"}},
		"null for all":                {`"id": {"inputFields": [` + from("i", `{"type": null, "subtype": null, "masking": null}`) + `]}, "gone": null`, []string{"id <- a.i direct"}, []string{"a -> orders", "public.orders -> orders"}},
		"both forms":                  {`"id": {"inputFields": [` + from("i", filter) + `, ` + from("j") + `], "transformationType": "MASKED"}`, []string{"* <- a.i indirect FILTER", "id <- a.j direct MASKED masking"}, []string{"a -> orders", "public.orders -> orders"}},
		"masked and not":              {`"id": {"inputFields": [` + from("i", `{"type": "DIRECT", "subtype": "HASH", "masking": true}`, `{"type": "DIRECT", "subtype": "HASH"}`) + `]}`, []string{"id <- a.i direct HASH", "id <- a.i direct HASH masking"}, []string{"a -> orders", "public.orders -> orders"}},
		"direct and not":              {`"id": {"inputFields": [` + from("i", identity, filter) + `]}, "x": {"inputFields": []}`, []string{"id <- a.i direct IDENTITY", "id <- a.i indirect FILTER", "x <-"}, []string{"a -> orders", "public.orders -> orders"}},
		"a word that nobody knows":    {`"id": {"inputFields": [` + from("i", `{"type": "Guess", "subtype": "odd"}`) + `]}`, []string{"id <- a.i direct Guess/odd"}, []string{"a -> orders", "public.orders -> orders"}},
		"a column called *":           {`"*": {"inputFields": [` + from("*", identity) + `]}`, []string{"* <- a.* direct IDENTITY"}, []string{"a -> orders", "public.orders -> orders"}},
		"columns that differ in case": {`"id": {"inputFields": [` + from("i") + `]}, "ID": {"inputFields": [` + from("j") + `]}`, []string{"ID <- a.j direct", "id <- a.i direct"}, []string{"a -> orders", "public.orders -> orders"}},
	} {
		columns, warned, flow := columnsSaid(t, `"columnLineage": {"fields": {`+test.fields+`}}`)
		require.Empty(t, warned, name)
		require.ElementsMatch(t, test.columns, columns, name)
		require.Equal(t, test.flow, flow, name)
	}
}

func TestFieldsWithoutANameOrAListOfInputsSayNothing(t *testing.T) {
	broken := []string{"malformed_facet outputs[0].facets.columnLineage"}
	for field, want := range map[string][]string{
		`"id": {}`: nil, `"id": null`: nil, `"id": {"inputFields": null}`: nil, `"": {"inputFields": []}`: broken, `"a\u0000": {"inputFields": []}`: broken,
	} {
		columns, warned, _ := columnsSaid(t, `"columnLineage": {"fields": {`+field+`}}`)
		require.Nil(t, columns, "%s: not even that there is no lineage of columns", field)
		require.Equal(t, want, warned, field)
		columns, warned, _ = columnsSaid(t, `"columnLineage": {"fields": {`+field+`, "x": {"inputFields": [`+from("i")+`]}}}`)
		require.Equal(t, []string{"x <- a.i direct"}, columns, field)
		require.Equal(t, want, warned, field)
	}
	columns, warned, flow := columnsSaid(t, `"lineage": {"fields": {"id": {}}}`)
	require.Nil(t, columns)
	require.Empty(t, warned)
	require.Equal(t, []string{"public.orders -> orders"}, flow, "nor of what feeds the table")
}

func TestColumnLineageThatTheLineageFacetContradictsIsLeftOut(t *testing.T) {
	lineageOf := func(inputs string) string { return `"lineage": {"inputs": [` + inputs + `]}, ` }
	b := `{"namespace": "n", "name": "b", "type": "DATASET"}`
	columnLineage := `"columnLineage": {"fields": {"x": {"inputFields": [` + from("i") + `, {"namespace": "n", "name": "b", "field": "j"}]}, "y": {"inputFields": [` + from("i") + `]}, "z": {"inputFields": []}},
		"dataset": [` + from("f", filter) + `]}`
	contradicted := []string{"column_lineage_contradicted outputs[0].facets.columnLineage"}

	columns, warned, flow := columnsSaid(t, lineageOf(b)+columnLineage)
	require.Equal(t, []string{"x <- b.j direct", "z <-"}, columns)
	require.Equal(t, contradicted, warned)
	require.Equal(t, []string{"b -> orders", "public.orders -> [shop.load_orders]"}, flow)

	columns, warned, _ = columnsSaid(t, lineageOf(b+", "+from(""))+columnLineage)
	require.Len(t, columns, 5)
	require.Empty(t, warned, "they agree")

	columns, warned, _ = columnsSaid(t, lineageOf(b)+`"columnLineage": {"fields": {"y": {"inputFields": [`+from("i")+`]}}}`)
	require.Nil(t, columns, "nothing is left, which is not to say that there is none")
	require.Equal(t, contradicted, warned)
}

func TestLineageFacetOfTheOtherKindIsWarnedOf(t *testing.T) {
	entries := `"entries": [{"namespace": "n", "name": "c", "type": "DATASET", "inputs": []}]`
	_, warned, flow := columnsSaid(t, `"lineage": {`+entries+`}`)
	require.Equal(t, []string{"malformed_facet outputs[0].facets.lineage.entries"}, warned)
	require.Equal(t, []string{"public.orders -> orders"}, flow)
	c, warnings := contributed(t, withJobFacets(t, `"lineage": {"inputs": [`+from("")+`], `+entries+`}`))
	require.Equal(t, []string{"malformed_facet job.facets.lineage"}, warningCodes(warnings))
	require.Len(t, c.Explicit, 1)
}

func TestDatasetThatStandsTwiceWithOtherFacetsIsWarnedOf(t *testing.T) {
	output := func(facets string) string {
		return `{"namespace": "s3://lake", "name": "orders", "facets": {` + facets + `}}`
	}
	half := func(field string) string {
		return `"columnLineage": {"fields": {"` + field + `": {"inputFields": [` + from(field) + `]}}}`
	}
	said := func(first, second string) ([]string, []string) {
		document := edited(t, completeRun, outputsMember, `"outputs": [`+output(first)+`, `+output(second)+`]`)
		c, warnings := contributed(t, document)
		return mapped(onlyMap(t, c)), warningCodes(warnings)
	}
	columns, warned := said(half("x"), half("y"))
	require.Equal(t, []string{"y <- a.y direct"}, columns)
	require.Equal(t, []string{"duplicate_dataset outputs[1]"}, warned)
	for _, second := range []string{half("x"), "", `"schema": {"fields": [{"name": "x"}]}`} {
		columns, warned = said(half("x"), second)
		require.Equal(t, []string{"x <- a.x direct"}, columns)
		require.Empty(t, warned)
	}
}
