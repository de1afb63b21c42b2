package lineage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestExplicitLineageMapsFields(t *testing.T) {
	const c = `"namespace": "n", "name": "c", "type": "DATASET"`
	for name, test := range map[string]struct {
		entries string
		want    []string
	}{
		"fields":                     {`{` + c + `, "fields": {"x": {"inputs": [` + from("i", identity) + `]}}}`, []string{"x <- a.i direct IDENTITY"}},
		"a source of unknown fields": {`{` + c + `, "fields": {"x": {"inputs": [{"namespace": "n", "name": "a", "type": "DATASET"}]}}}`, []string{"x <- a direct"}},
		"a field made by the job":    {`{` + c + `, "fields": {"x": {"inputs": [{"type": "JOB", "transformations": [` + aggregate + `]}]}}}`, []string{"x <- [shop.load_orders] direct AGGREGATION masking"}},
		"a field of the whole":       {`{` + c + `, "inputs": [` + from("f", filter) + `, ` + from("g") + `]}`, []string{"* <- a.f indirect FILTER", "* <- a.g indirect"}},
		"a target twice":             {`{` + c + `, "fields": {"x": {"inputs": [` + from("i", identity) + `]}}}, {` + c + `, "fields": {"y": {"inputs": [` + from("j", identity) + `]}}}`, []string{"x <- a.i direct IDENTITY", "y <- a.j direct IDENTITY"}},
		"none on purpose":            {`{` + c + `, "inputs": [{"namespace": "n", "name": "a", "type": "DATASET"}], "fields": {}}`, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			contribution, warnings := contributed(t, withJobFacets(t, `"lineage": {"entries": [`+test.entries+`]}`))
			require.Empty(t, warnings)
			m := onlyMap(t, contribution)
			require.Equal(t, test.want, mapped(m))
			require.Equal(t, "c", m.Output.Name)
			require.Equal(t, lineage.ExplicitPair, contribution.Maps[0].Derivation)
		})
	}
	for name, entries := range map[string]string{
		"tables alone": `{` + c + `, "inputs": [{"namespace": "n", "name": "a", "type": "DATASET"}]}`,
		"no inputs":    `{` + c + `, "inputs": []}`,
		"a job":        `{"type": "JOB", "inputs": [` + from("f", filter) + `]}`,
	} {
		contribution, _ := contributed(t, withJobFacets(t, `"lineage": {"entries": [`+entries+`]}`))
		require.Nil(t, onlyMap(t, contribution), "%s: nothing is said of columns", name)
	}
}

func TestTypesInALineageFacetAreReadInAnyCase(t *testing.T) {
	contribution, warnings := contributed(t, withJobFacets(t,
		`"lineage": {"entries": [{"type": "job", "inputs": [{"namespace": "n", "name": "a", "type": "Job"}]}]}`))
	require.Empty(t, warnings)
	require.Equal(t, []lineage.Pairs{{Target: loadOrders.Node(), Inputs: []lineage.Node{lineage.JobID{Namespace: "n", Name: "a"}.Node()}}}, contribution.Explicit)
}

func TestDatasetEventsDeclareColumns(t *testing.T) {
	for facet, derivation := range map[string]lineage.Derivation{
		`"lineage": {"fields": {"x": {"inputs": [` + from("i", identity) + `]}}}`:            lineage.ExplicitPair,
		`"columnLineage": {"fields": {"x": {"inputFields": [` + from("i", identity) + `]}}}`: lineage.ByColumnLineage,
	} {
		document := []byte(`{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n", "name": "v", "facets": {` + facet + `}}}`)
		contribution, warnings := contributed(t, document)
		require.Empty(t, warnings)
		m := onlyMap(t, contribution)
		require.Equal(t, []string{"x <- a.i direct IDENTITY"}, mapped(m))
		require.Zero(t, m.Job, "a view has no job")
		require.Equal(t, derivation, contribution.Maps[0].Derivation)
		statements := lineage.DeclaredStatements(lineage.JobID{}, contribution, nil)
		require.Equal(t, []string{"a -> v"}, edges(statements))
	}
}

func TestSyntheticColumnMaps(t *testing.T) {
	maps := map[string]*lineage.ColumnMap{}
	for _, file := range corpusFiles(t, "synthetic/cll-legacy-vs-dataset") {
		maps[filepath.Base(file)] = columnsIn(t, file)
	}
	want := []string{
		"* <- staging.s.src.flag indirect FILTER", "* <- staging.s.src.ts indirect SORT",
		"amt <- staging.s.src.amt direct AGGREGATION masking", "id <- staging.s.src.id direct IDENTITY",
	}
	require.Equal(t, want, mapped(maps["01.json"]))
	require.Equal(t, want, mapped(maps["02.json"]))

	require.Equal(t, []string{"api <- [withcll] direct AGGREGATION", "z <- x.A.fresh direct IDENTITY"},
		mapped(columnsIn(t, filepath.Join(corpus, "synthetic/explicit-lineage/02.json"))))

	huge := columnsIn(t, filepath.Join(corpus, "synthetic/cll-huge/01.json"))
	require.Len(t, huge.Fields, 100)
	require.Equal(t, 1+(1+1+100)+100*(1+1+1), huge.Rows(), "fields and inputs, not their product")
}

// columnsIn gives the first column map that a document states.
func columnsIn(t *testing.T, file string) *lineage.ColumnMap {
	t.Helper()
	document, err := os.ReadFile(file)
	require.NoError(t, err)
	contribution, warnings := lineage.NewContribution(decode(t, document), arrivalOf(t, document, file))
	require.Empty(t, warnings)
	require.NotEmpty(t, contribution.ColumnMaps)
	return contribution.ColumnMaps[0]
}

// cartesian is column lineage as Spark writes it by default: each of many fields names as many inputs.
func cartesian(count int) string {
	inputs := make([]string, count)
	for i := range inputs {
		inputs[i] = from(fmt.Sprintf("i%04d", i), `{"type": "INDIRECT", "subtype": "JOIN", "description": "", "masking": false}`)
	}
	fields := make([]string, count)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"x%04d": {"inputFields": [%s, %s]}`, i, from(fmt.Sprintf("i%04d", i), identity), strings.Join(inputs, ", "))
	}
	return `{"fields": {` + strings.Join(fields, ", ") + "}}"
}

// TestMegabytesOfColumnLineageTakeLittleMemory holds on to what reading leaves behind, and requires that it is a small part
// of the facet.
func TestMegabytesOfColumnLineageTakeLittleMemory(t *testing.T) {
	document := withOutputFacets(t, `"columnLineage": `+cartesian(300))
	require.Greater(t, len(document), 13<<20)
	event := decode(t, document)
	arrival := arrivalOf(t, document, "1")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	contribution, warnings := lineage.NewContribution(event, arrival)
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Empty(t, warnings)
	require.Equal(t, 1+302+900, contribution.ColumnMaps[0].Rows())
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(len(document)/10))
	runtime.KeepAlive(document)
}

func BenchmarkMegabytesOfColumnLineage(b *testing.B) {
	document := withOutputFacets(b, `"columnLineage": `+cartesian(300))
	event := decode(b, document)
	b.SetBytes(int64(len(document)))
	b.ReportAllocs()
	for b.Loop() {
		lineage.NewContribution(event, lineage.Arrival{EventID: "1"})
	}
}

// FuzzColumnLineage requires of any facet that it is left out with a warning, or that its map is canonical: built again
// of what it holds, it has the same hash.
func FuzzColumnLineage(f *testing.F) {
	for _, facet := range []string{
		cartesian(3), `{}`, `{"fields": {}}`, `{"fields": {"x": null}}`, `{"fields": {"a[0]": {"inputFields": [` + from("b._element") + `]}}}`,
		`{"fields": {"x": {"inputFields": [` + from("i", identity, filter) + `], "transformationType": "MASKED"}}, "dataset": [` + from("f", sort) + `]}`,
		`{"fields": 1}`, `{"dataset": [7]}`,
	} {
		f.Add(facet)
	}
	f.Fuzz(func(t *testing.T, facet string) {
		document := strings.Replace(completeRun, `"facets": {}, "outputFacets"`, `"facets": {"columnLineage": `+facet+`}, "outputFacets"`, 1)
		event, err := lineage.Decode(lineage.FormatOpenLineage, []byte(document), lineage.DefaultLimits())
		if err != nil || event.Kind != lineage.RunEvent {
			return
		}
		contribution, warnings := lineage.NewContribution(event, lineage.Arrival{EventID: "1"})
		for _, warning := range warnings {
			require.NotContains(t, warning.Reason, "%!")
		}
		for _, m := range contribution.ColumnMaps {
			requireCanonical(t, m)
		}
	})
}

// requireCanonical requires that a map built of what a map says is that map.
func requireCanonical(t *testing.T, m *lineage.ColumnMap) {
	t.Helper()
	influences := func(sets []*lineage.InputSet) []lineage.Influence {
		var list []lineage.Influence
		for _, set := range sets {
			for _, input := range set.Inputs {
				list = append(list, lineage.Influence{Input: input, Transformation: set.Transformation})
			}
		}
		return list
	}
	fields := map[lineage.FieldPath][]lineage.Influence{}
	for _, field := range m.Fields {
		fields[field.Path] = influences(field.Sets)
	}
	again := lineage.NewColumnMap(m.Job, m.Output, influences(m.Whole), fields)
	require.Equal(t, m.ID(), again.ID())
	require.Equal(t, m.Rows(), again.Rows())
}
