package lineage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// mapped writes a column map as "field <- input kind subtype", with * for the whole output, sorted.
func mapped(m *lineage.ColumnMap) []string {
	lines := []string{}
	write := func(field string, sets []*lineage.InputSet) {
		if len(sets) == 0 {
			lines = append(lines, field+" <-")
		}
		for _, set := range sets {
			for _, input := range set.Inputs {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s <- %s %s", field, fieldLabel(input), way(set.Transformation))))
			}
		}
	}
	if len(m.Whole) > 0 {
		write("*", m.Whole)
	}
	for _, field := range m.Fields {
		write(string(field.Path), field.Sets)
	}
	slices.Sort(lines)
	return lines
}

func fieldLabel(node lineage.Node) string {
	if node.Kind == lineage.NodeField {
		return node.Name + "." + string(node.Path)
	}
	return label(node)
}

func way(t lineage.Transformation) string {
	words := []string{map[lineage.TransformationKind]string{lineage.Direct: "direct", lineage.Indirect: "indirect"}[t.Kind], t.Subtype}
	if t.Masking {
		words = append(words, "masking")
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// columnsOf gives the one column map that a facet of the output of completeRun states, or nil.
func columnsOf(t *testing.T, facet string) (*lineage.ColumnMap, []lineage.Warning) {
	t.Helper()
	contribution, warnings := contributed(t, withOutputFacets(t, `"columnLineage": `+facet))
	return onlyMap(t, contribution), warnings
}

func onlyMap(t *testing.T, contribution lineage.Contribution) *lineage.ColumnMap {
	t.Helper()
	require.Len(t, contribution.Maps, len(contribution.ColumnMaps))
	if len(contribution.ColumnMaps) == 0 {
		return nil
	}
	require.Len(t, contribution.ColumnMaps, 1)
	m := contribution.ColumnMaps[0]
	require.Equal(t, m.ID(), contribution.Maps[0].Map)
	require.Equal(t, m.Output, contribution.Maps[0].Output)
	return m
}

// from writes an input field of table a.
func from(field string, transformations ...string) string {
	text := fmt.Sprintf(`{"namespace": "n", "name": "a", "type": "DATASET", "field": %q`, field)
	if len(transformations) > 0 {
		text += `, "transformations": [` + strings.Join(transformations, ", ") + "]"
	}
	return text + "}"
}

const (
	identity  = `{"type": "DIRECT", "subtype": "IDENTITY", "description": "SELECT password = 'hunter2'", "masking": false}`
	aggregate = `{"type": "DIRECT", "subtype": "AGGREGATION", "masking": true}`
	filter    = `{"type": "INDIRECT", "subtype": "FILTER"}`
	sort      = `{"type": "INDIRECT", "subtype": "SORT"}`
)

func TestColumnLineageMapsFields(t *testing.T) {
	for name, test := range map[string]struct {
		facet string
		want  []string
		warns int
	}{
		"direct and indirect": {
			`{"fields": {"x": {"inputFields": [` + from("i", identity) + `, ` + from("f", filter) + `]}, "y": {"inputFields": [` + from("j", aggregate) + `]}}}`,
			[]string{"x <- a.f indirect FILTER", "x <- a.i direct IDENTITY", "y <- a.j direct AGGREGATION masking"},
			0,
		},
		"one input in two ways":            {`{"fields": {"x": {"inputFields": [` + from("i", identity, filter) + `]}, "y": {"inputFields": []}}}`, []string{"x <- a.i direct IDENTITY", "x <- a.i indirect FILTER", "y <-"}, 0},
		"indirect on every field":          {`{"fields": {"x": {"inputFields": [` + from("i", filter) + `]}, "y": {"inputFields": [` + from("i", filter) + `]}}}`, []string{"* <- a.i indirect FILTER", "x <-", "y <-"}, 0},
		"direct on every field":            {`{"fields": {"x": {"inputFields": [` + from("i", identity) + `]}, "y": {"inputFields": [` + from("i", identity) + `]}}}`, []string{"x <- a.i direct IDENTITY", "y <- a.i direct IDENTITY"}, 0},
		"the dataset as a whole":           {`{"fields": {"x": {"inputFields": [` + from("i", identity) + `]}}, "dataset": [` + from("f", filter, sort) + `]}`, []string{"* <- a.f indirect FILTER", "* <- a.f indirect SORT", "x <- a.i direct IDENTITY"}, 0},
		"the whole again on a field":       {`{"fields": {"x": {"inputFields": [` + from("f", filter) + `]}, "y": {"inputFields": [` + from("i", identity) + `]}}, "dataset": [` + from("f", filter) + `]}`, []string{"* <- a.f indirect FILTER", "x <-", "y <- a.i direct IDENTITY"}, 0},
		"the dataset, nothing said how":    {`{"fields": {}, "dataset": [` + from("f") + `]}`, []string{"* <- a.f indirect"}, 0},
		"no transformation":                {`{"fields": {"x": {"inputFields": [` + from("i") + `]}}}`, []string{"x <- a.i direct"}, 0},
		"a type for all inputs":            {`{"fields": {"x": {"transformationType": "IDENTITY", "transformationDescription": "same", "inputFields": [` + from("i") + `, ` + from("j") + `]}}}`, []string{"x <- a.i direct IDENTITY", "x <- a.j direct IDENTITY"}, 0},
		"the type behind the inputs":       {`{"fields": {"x": {"inputFields": [` + from("i") + `, ` + from("f", filter) + `], "transformationType": "MASKED"}, "y": {"inputFields": []}}}`, []string{"x <- a.f indirect FILTER", "x <- a.i direct MASKED masking", "y <-"}, 0},
		"a subtype of one's own":           {`{"fields": {"x": {"inputFields": [` + from("i", `{"type": "direct", "subtype": "Fuzzy join (v2)"}`) + `]}}}`, []string{"x <- a.i direct Fuzzy join (v2)"}, 0},
		"a type of one's own":              {`{"fields": {"x": {"inputFields": [` + from("i", `{"type": "HASH"}`, `{"type": "HASH", "subtype": "SHA"}`) + `]}}}`, []string{"x <- a.i direct HASH", "x <- a.i direct HASH/SHA"}, 0},
		"nested fields":                    {`{"fields": {"s.x[0].y": {"inputFields": [` + from("c._element.d", identity) + `]}}}`, []string{"s.x[].y <- a.c[].d direct IDENTITY"}, 0},
		"two names of one field":           {`{"fields": {"s[].x": {"inputFields": [` + from("i", identity) + `]}, "s[0].x": {"inputFields": [` + from("j", identity) + `]}}}`, []string{"s[].x <- a.i direct IDENTITY", "s[].x <- a.j direct IDENTITY"}, 0},
		"a dataset without a field":        {`{"fields": {"x": {"inputFields": [{"namespace": "n", "name": "a"}]}}}`, []string{"x <- a direct"}, 0},
		"null is absent":                   {`{"fields": {"x": null, "y": {"inputFields": null}, "z": {"inputFields": [` + from("i", identity) + `], "transformationType": null}}, "dataset": null}`, []string{"z <- a.i direct IDENTITY"}, 0},
		"a broken input":                   {`{"fields": {"x": {"inputFields": [` + from("i", identity) + `, {"name": "a", "field": "i"}]}}}`, []string{"x <- a.i direct IDENTITY"}, 1},
		"a field with broken inputs alone": {`{"fields": {"x": {"inputFields": [{"name": "a"}]}, "y": {"inputFields": [` + from("i", identity) + `]}}}`, []string{"y <- a.i direct IDENTITY"}, 1},
		"a field without a name":           {`{"fields": {"": {"inputFields": [` + from("i", identity) + `]}, "y": {"inputFields": [` + from("i", identity) + `]}}}`, []string{"y <- a.i direct IDENTITY"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m, warnings := columnsOf(t, test.facet)
			require.Len(t, warnings, test.warns, "%v", warnings)
			require.Equal(t, test.want, mapped(m))
			require.Equal(t, ordersLake, m.Output)
			require.Equal(t, loadOrders, m.Job)
		})
	}
}

func TestNoColumnLineageIsNotSilence(t *testing.T) {
	m, warnings := columnsOf(t, `{"fields": {}}`)
	require.Empty(t, warnings)
	require.True(t, m.Empty(), "it says that there is none")
	for name, facet := range map[string]string{
		"no fields":           `{}`,
		"null":                `{"fields": null}`,
		"broken inputs alone": `{"fields": {"x": {"inputFields": [{"name": "a"}]}}}`,
		"not a facet":         `{"fields": []}`,
		"broken deep within":  `{"fields": {"x": {"inputFields": [` + from("i", identity) + `, 7]}}}`,
	} {
		m, _ := columnsOf(t, facet)
		require.Nil(t, m, name)
	}
}

func TestBrokenColumnLineageSaysWhereItIsBroken(t *testing.T) {
	_, warnings := columnsOf(t, `{"fields": {"x": {"inputFields": {"i": 1}}}}`)
	require.Len(t, warnings, 1)
	require.Equal(t, "outputs[0].facets.columnLineage", warnings[0].Path)
	require.Equal(t, `was left out: "/fields/x/inputFields" is an object, which is not what the facet's schema says`, warnings[0].Reason)
}

func TestColumnMapsOfEqualContentAreOne(t *testing.T) {
	first, _ := columnsOf(t, `{"fields": {"x": {"inputFields": [`+from("i", identity)+`, `+from("f", filter)+`]}, "y": {"inputFields": [`+from("j")+`, `+from("f", filter)+`]}}}`)
	second, _ := columnsOf(t, `{"dataset": [`+from("f", filter)+`, `+from("f", filter)+`], "fields": {"y": {"inputFields": [`+from("j")+`]}, "x": {"inputFields": [`+from("i", identity)+`]}}}`)
	require.Equal(t, first.ID(), second.ID(), "it matters neither in which form nor in which order it is said")

	seen := map[lineage.Hash]string{}
	for _, facet := range []string{
		`{"fields": {}}`,
		`{"fields": {"x": {"inputFields": []}}}`,
		`{"fields": {"x": {"inputFields": [` + from("i", identity) + `]}}}`,
		`{"fields": {"x": {"inputFields": [` + from("j", identity) + `]}}}`,
		`{"fields": {"x": {"inputFields": [` + from("i", sort) + `]}}}`,
		`{"fields": {"x": {"inputFields": [` + from("i", `{"type": "INDIRECT", "subtype": "SORT", "masking": true}`) + `]}}}`,
		`{"fields": {"y": {"inputFields": [` + from("i", identity) + `]}}}`,
		`{"fields": {"x": {"inputFields": [` + from("i", identity, sort) + `]}, "y": {"inputFields": []}}}`,
		`{"fields": {"x": {"inputFields": [{"namespace": "n", "name": "a"}]}}}`,
	} {
		m, _ := columnsOf(t, facet)
		require.Empty(t, seen[m.ID()], "%s has the hash of another", facet)
		seen[m.ID()] = facet
	}
}

func TestFieldsThatAreFedAlikeShareTheirInputs(t *testing.T) {
	m, _ := columnsOf(t, `{"fields": {"x": {"inputFields": [`+from("i", identity)+`, `+from("f", filter)+`]}, "y": {"inputFields": [`+from("j", identity)+`, `+from("f", filter)+`]}, "z": {"inputFields": []}}}`)
	require.Len(t, m.Fields, 3)
	require.Same(t, m.Fields[0].Sets[1], m.Fields[1].Sets[1])
	require.Len(t, m.Sets(), 3)
	require.Equal(t, 1+5+6, m.Rows(), "a map, two sets of two fields and none of the third, three sets of one input")
}

func TestColumnMapThatIsTooLargeSaysNothing(t *testing.T) {
	// A map, and for each field a row with its set and a set of one input: the limit is 100,000 rows.
	const fields = 33_333
	wide := func(count int) string {
		members := make([]string, count)
		for i := range members {
			members[i] = fmt.Sprintf(`"x%d": {"inputFields": [%s]}`, i, from(fmt.Sprintf("i%d", i), identity))
		}
		return `{"fields": {` + strings.Join(members, ", ") + "}}"
	}
	m, warnings := columnsOf(t, wide(fields))
	require.Empty(t, warnings)
	require.Equal(t, 100_000, m.Rows())
	m, warnings = columnsOf(t, wide(fields+1))
	require.Nil(t, m)
	require.Equal(t, []string{"column_lineage_too_large outputs[0].facets.columnLineage"}, warningCodes(warnings))
	contribution, _ := contributed(t, withOutputFacets(t, `"columnLineage": `+wide(fields+1)))
	require.NotEmpty(t, contribution.Columns, "what it says of datasets still counts")
}

func TestColumnMapsKeepNoSecrets(t *testing.T) {
	m, _ := columnsOf(t, `{"fields": {"x": {"inputFields": [{"namespace": "jdbc:postgresql://u:hunter2@db", "name": "a", "field": "i?password=hunter2",
		"transformations": [`+identity+`, {"type": "DIRECT", "subtype": "password=hunter2"}, {"type": "DIRECT", "subtype": "`+strings.Repeat("x", 300)+`"}]}]}}}`)
	require.NotContains(t, fmt.Sprintf("%+v %v", m.Fields[0].Sets[0], mapped(m)), "hunter2")
	for _, set := range m.Sets() {
		require.LessOrEqual(t, len(set.Subtype), 203)
		require.NotContains(t, fmt.Sprintf("%+v", set), "hunter2")
	}
}

func TestNewColumnMapIsWhatAFacetWouldState(t *testing.T) {
	stated, _ := columnsOf(t, `{"fields": {"x": {"inputFields": [`+from("i", identity)+`]}}, "dataset": [`+from("f", filter)+`]}`)
	built := lineage.NewColumnMap(loadOrders, ordersLake,
		[]lineage.Influence{{Input: named("a")[0].Field("f"), Transformation: lineage.Transformation{Kind: lineage.Indirect, Subtype: "FILTER"}}},
		map[lineage.FieldPath][]lineage.Influence{
			"x": {{Input: named("a")[0].Field("i"), Transformation: lineage.Transformation{Kind: lineage.Direct, Subtype: "IDENTITY"}}},
		})
	require.Equal(t, stated.ID(), built.ID())
}
