package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestStatisticsAreThoseLastReported(t *testing.T) {
	reported := func(minutes int, rows int64) lineage.Contribution {
		c := said(lineage.Running, minutes, "", "")
		c.Outputs = []lineage.DatasetID{orders}
		c.OutputStatistics = []lineage.DatasetStatistics{{Dataset: orders, Statistics: lineage.Statistics{Rows: &rows}}}
		return c
	}
	first, last := reported(1, 10), reported(2, 30)
	for _, order := range [][]lineage.Contribution{{first, last, first}, {last, first, last}} {
		require.Equal(t, int64(30), *folded(order...).Output(orders).Statistics.Value.Rows, "counted once, however often they come")
	}
}

func TestStatisticsAreReadOfInputsAndOutputs(t *testing.T) {
	document := edited(t, completeRun,
		inputsMember, `"inputs": [{"namespace": "n", "name": "a", "inputFacets": {"inputStatistics": {"rowCount": "12", "size": 3400}}}]`,
		outputsMember, `"outputs": [{"namespace": "n", "name": "b", "outputFacets": {"outputStatistics": {"rowCount": 7, "size": 0, "fileCount": 2}}}]`)
	c, warnings := contributed(t, document)
	require.Empty(t, warnings)
	require.Equal(t, []lineage.DatasetStatistics{{
		Dataset: lineage.DatasetID{Namespace: "n", Name: "a"}, Statistics: lineage.Statistics{Rows: new(int64(12)), Bytes: new(int64(3400))},
	}}, c.InputStatistics)
	require.Equal(t, lineage.Statistics{Rows: new(int64(7)), Bytes: new(int64(0)), Files: new(int64(2))}, c.OutputStatistics[0].Statistics)
}

func TestAWholeNumberIsReadHoweverItIsWritten(t *testing.T) {
	for _, count := range []string{`1000`, `1000.0`, `1e3`, `1E+3`, `"1000"`, `"1000.0"`, `" 1000 "`} {
		c, warnings := contributed(t, edited(t, completeRun, outputsMember,
			`"outputs": [{"namespace": "n", "name": "b", "outputFacets": {"outputStatistics": {"rowCount": `+count+`}}}]`))
		require.Empty(t, warnings, count)
		require.Equal(t, int64(1000), *c.OutputStatistics[0].Statistics.Rows, count)
	}
}

func TestStatisticsThatAreNoNumbersCostTheFacet(t *testing.T) {
	for _, count := range []string{`"many"`, `""`, `-1`, `-1.0`, `1.5`, `1e-3`, `[]`, `true`, `9223372036854775808`, `1e300`, `"inf"`, `"NaN"`} {
		c, warnings := contributed(t, edited(t, completeRun, outputsMember,
			`"outputs": [{"namespace": "n", "name": "b", "outputFacets": {"outputStatistics": {"rowCount": `+count+`}}}]`))
		require.Empty(t, c.OutputStatistics, count)
		require.Len(t, warnings, 1, count)
	}
}

func TestEngineAndRootAreRead(t *testing.T) {
	c, warnings := contributed(t, withRunFacets(t, `"processing_engine": {"version": "3.5.1", "name": "spark", "openlineageAdapterVersion": "1.26.0"},
		"parent": {"run": {"runId": "t"}, "job": {"namespace": "airflow", "name": "shop.load"},
			"root": {"run": {"runId": "D"}, "job": {"namespace": "airflow", "name": "shop"}}}`))
	require.Empty(t, warnings)
	require.Equal(t, lineage.Engine{Name: "spark", Version: "3.5.1", Adapter: "1.26.0"}, c.Engine)
	require.Equal(t, lineage.RunKey{Job: lineage.JobID{Namespace: "airflow", Name: "shop"}, RunID: "d"}, c.Root)

	for _, root := range []string{`{}`, `"D"`, `[]`, `{"run": {"runId": "D"}, "job": "shop"}`} {
		c, warnings = contributed(t, withRunFacets(t, `"parent": {"run": {"runId": "t"}, "job": {"namespace": "airflow", "name": "shop.load"}, "root": `+root+`}`))
		require.Len(t, warnings, 1, root)
		require.Zero(t, c.Root, root)
		require.Equal(t, "t", c.Parent.RunID, "a broken root costs only itself")
	}
}
