package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// wideRun is a COMPLETE with as many inputs as outputs.
func wideRun(t testing.TB, datasets int) []byte {
	t.Helper()
	list := func(prefix string) string {
		names := make([]string, datasets)
		for i := range names {
			names[i] = fmt.Sprintf(`{"namespace": "postgres://shop", "name": "%s_%04d"}`, prefix, datasets-i)
		}
		return "[" + strings.Join(names, ", ") + "]"
	}
	return edited(t, completeRun, inputsMember, `"inputs": `+list("in"), outputsMember, `"outputs": `+list("out"))
}

// wideStatements folds and publishes a wide run.
func wideStatements(t testing.TB, document []byte, arrival lineage.Arrival) []lineage.Statement {
	t.Helper()
	event, err := lineage.Decode(lineage.FormatOpenLineage, document, lineage.DefaultLimits())
	require.NoError(t, err)
	contribution, _ := lineage.NewContribution(event, arrival)
	return published(contribution).Statements()
}

func TestWideRunIsOneFlow(t *testing.T) {
	document := wideRun(t, 1500)
	statements := wideStatements(t, document, arrivalOf(t, document, "1"))
	require.Len(t, statements, 1500)
	for i := range statements {
		require.Same(t, statements[0].Flow(), statements[i].Flow())
	}
	require.Len(t, statements[0].Flow().Inputs, 1500)
}

func TestWideRunGrowsWithItsDatasetsNotTheirProduct(t *testing.T) {
	allocations := func(datasets int) float64 {
		document := wideRun(t, datasets)
		arrival := arrivalOf(t, document, "1")
		return testing.AllocsPerRun(1, func() { wideStatements(t, document, arrival) })
	}
	require.Less(t, allocations(2000), 3*allocations(1000), "four times would be the product")
}

func BenchmarkWideRun(b *testing.B) {
	document := wideRun(b, 1500)
	arrival := arrivalOf(b, document, "1")
	b.SetBytes(int64(len(document)))
	for b.Loop() {
		wideStatements(b, document, arrival)
	}
}

func BenchmarkWideStatements(b *testing.B) {
	document := wideRun(b, 1500)
	event, err := lineage.Decode(lineage.FormatOpenLineage, document, lineage.DefaultLimits())
	require.NoError(b, err)
	contribution, _ := lineage.NewContribution(event, arrivalOf(b, document, "1"))
	run := published(contribution)
	for b.Loop() {
		run.Statements()
	}
}

func BenchmarkDecodeTypicalEvent(b *testing.B) {
	fields := strings.Repeat(`{"name": "amount", "type": "decimal(18,2)", "description": "what was paid"}, `, 240)
	document := edited(b, completeRun, `public.orders", "facets": {}`, `public.orders", "facets": {"schema": {"fields": [`+fields+`{}]}}`)
	limits := lineage.DefaultLimits()
	b.SetBytes(int64(len(document)))
	for b.Loop() {
		_, err := lineage.Decode(lineage.FormatOpenLineage, document, limits)
		require.NoError(b, err)
	}
}
