package policies_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

// shapes are the sets of rules under examples, and what becomes of an output under each, by what is said in the order of
// event time.
var shapes = map[string][]shapeCase{
	"publish-on-complete": {
		{output: "warehouse mart.orders", said: says("START", "COMPLETE"), want: "published"},
		{output: "warehouse mart.orders", said: says("COMPLETE"), want: "published"},
		{output: "warehouse mart.orders", said: says("START", "FAIL"), want: "diagnostic"},
		{output: "warehouse mart.orders", said: says("START", "RUNNING"), want: "pending"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "quality failed"), want: "suspect"},
		{output: "topic clicks", streaming: true, said: says("RUNNING"), want: "published"},
	},
	"commit-marker": {
		{output: "s3://lake iceberg/shop/orders", said: says("COMPLETE"), want: "pending"},
		{output: "s3://lake iceberg/shop/orders", said: says("committed", "COMPLETE"), want: "published"},
		{output: "s3://lake iceberg/shop/orders", said: says("COMPLETE", "time is up"), want: "suspect"},
		{output: "s3://lake iceberg/shop/orders", said: says("COMPLETE", "time is up", "committed"), want: "published"},
		{output: "s3://lake delta/shop/orders", said: says("COMPLETE", "committed"), want: "published"},
		{output: "s3://lake delta/shop/orders", said: says("committed", "FAIL"), want: "suspect"},
		{output: "s3://lake delta/shop/orders", said: says("committed", "FAIL", "validated"), want: "published"},
		{output: "s3://lake delta/shop/orders", said: says("FAIL"), want: "diagnostic"},
		{output: "hive://metastore:9083 shop.orders", said: says("COMPLETE"), want: "pending"},
		{output: "hive://metastore:9083 shop.orders", said: says("COMPLETE", "committed"), want: "published"},
		{output: "hive://metastore:9083 shop.orders", said: says("COMPLETE", "committed", "rolled back"), want: "rolled_back"},
		{output: "hive://metastore:9083 shop.orders", said: says("COMPLETE", "time is up"), want: "diagnostic"},
		{output: "s3://lake raw/orders", said: says("COMPLETE"), want: "published"},
	},
	"quality-gate": {
		{output: "warehouse mart.orders", said: says("COMPLETE"), want: "pending"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "quality passed"), want: "published"},
		{output: "warehouse mart.orders", said: says("quality passed", "COMPLETE"), want: "published"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "quality failed"), want: "rejected"},
		{output: "warehouse mart.orders", said: says("quality failed", "COMPLETE"), want: "rejected"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "quality failed", "quality passed"), want: "published"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "quality passed", "quality failed"), want: "suspect"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "time is up"), want: "suspect"},
		{output: "warehouse mart.orders", said: says("COMPLETE", "time is up", "quality failed"), want: "rejected"},
		{output: "warehouse finance.ledger", said: says("COMPLETE", "reconciliation passed"), want: "pending"},
		{output: "warehouse finance.ledger", said: says("COMPLETE", "reconciliation passed", "validated"), want: "published"},
		{output: "warehouse raw.orders", said: says("COMPLETE"), want: "published"},
	},
	"commit-and-quality": {
		{output: "s3://lake iceberg/audited/ledger", said: says("COMPLETE", "committed"), want: "pending"},
		{output: "s3://lake iceberg/audited/ledger", said: says("COMPLETE", "quality passed"), want: "pending"},
		{output: "s3://lake iceberg/audited/ledger", said: says("committed", "COMPLETE", "quality passed"), want: "published"},
		{output: "s3://lake iceberg/audited/ledger", said: says("committed", "COMPLETE", "quality failed"), want: "rejected"},
		{output: "s3://lake iceberg/audited/ledger", said: says("committed", "COMPLETE", "time is up"), want: "rejected"},
	},
	"streaming": {
		{output: "kafka://broker:9092 clicks", streaming: true, said: says("RUNNING"), want: "published"},
		{output: "kafka://broker:9092 clicks", streaming: true, said: says("RUNNING", "FAIL"), want: "published"},
		{output: "kafka://broker:9092 clicks", said: says("COMPLETE"), want: "pending"},
		{output: "kafka://broker:9092 payments", streaming: true, said: says("RUNNING"), want: "pending"},
		{output: "kafka://broker:9092 payments", streaming: true, said: says("RUNNING", "quality passed"), want: "published"},
		{output: "kafka://broker:9092 payments", streaming: true, said: says("RUNNING", "quality passed", "quality failed"), want: "suspect"},
	},
}

type shapeCase struct {
	output    string // namespace and name
	streaming bool
	said      []string
	want      string
}

func says(words ...string) []string { return words }

func TestEveryExampleGivesItsShape(t *testing.T) {
	files, err := filepath.Glob("examples/*.json")
	require.NoError(t, err)
	require.Len(t, files, len(shapes), "every example has its cases")
	for name, cases := range shapes {
		t.Run(name, func(t *testing.T) {
			engine := example(t, name)
			for _, c := range cases {
				for _, arrived := range [][]int{forwards(len(c.said)), backwards(len(c.said))} {
					require.Equal(t, c.want, c.decide(t, engine, arrived).String(), "%s: %v, arrived as %v", c.output, c.said, arrived)
				}
			}
		})
	}
}

// TestIcebergCommitReportOpensTheCommitGate takes what Spark sends when it has committed to a table of Iceberg.
func TestIcebergCommitReportOpensTheCommitGate(t *testing.T) {
	document := `{"eventType": "COMPLETE", "eventTime": "2026-07-19T06:00:00Z", "run": {"runId": "r1"}, "producer": "x:y",
		"job": {"namespace": "spark", "name": "load"},
		"outputs": [{"namespace": "s3://lake", "name": "iceberg/shop/orders", "outputFacets": {%s}}]}`
	engine := example(t, "commit-marker")
	for facet, want := range map[string]lineage.Publication{
		``: lineage.Pending,
		`"icebergCommitReport": {"_producer": "x:y", "_schemaURL": "x:y", "snapshotId": 7, "sequenceNumber": 3, "operation": "append",
			"commitMetrics": {}, "metadata": {}}`: lineage.Published,
	} {
		event, err := lineage.Decode(lineage.FormatOpenLineage, fmt.Appendf(nil, document, facet), lineage.DefaultLimits())
		require.NoError(t, err)
		contribution, warnings := lineage.NewContribution(event, lineage.Arrival{ReceivedAt: event.EventTime, Producer: "spark", EventID: "1"})
		run := lineage.Fold(event.Run, []lineage.Contribution{contribution})
		require.Equal(t, want, decide(t, engine, &run), "%v", warnings)
	}
}

// example is the default set with the rules of an example.
func example(t *testing.T, name string) *policy.Engine {
	t.Helper()
	set := fstest.MapFS{}
	require.NoError(t, fs.WalkDir(policies.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := policies.Files.ReadFile(path)
		set[path] = &fstest.MapFile{Data: content}
		return err
	}))
	data, err := os.ReadFile(filepath.Join("examples", name+".json"))
	require.NoError(t, err)
	set["data.json"] = &fstest.MapFile{Data: data}
	engine, err := policy.Load(t.Context(), policy.Config{Default: set})
	require.NoError(t, err)
	return engine
}

// decide folds what is said, in an order of arrival, and decides the one output.
func (c shapeCase) decide(t *testing.T, engine *policy.Engine, arrived []int) lineage.Publication {
	t.Helper()
	run := lineage.Run{Key: lineage.RunKey{Job: lineage.JobID{Namespace: "spark", Name: "load"}, RunID: "r1"}}
	for _, i := range arrived {
		run.Add(c.contribution(i))
	}
	return decide(t, engine, &run)
}

func decide(t *testing.T, engine *policy.Engine, run *lineage.Run) lineage.Publication {
	t.Helper()
	require.Len(t, run.Outputs, 1)
	output := run.Outputs[0].DatasetID
	requirement, err := engine.Publication(t.Context(), policy.PublicationInput{
		Run: run.Key, State: run.State(), Mode: run.Mode.Value, Output: output, Markers: run.Markers,
	})
	require.NoError(t, err)
	if run.End != nil && requirement.Wait > 0 {
		requirement.Deadline = run.End.EventTime // so that every timeout counts
	}
	return run.Decide(output, requirement).Publication
}

// contribution is what word i says, i minutes after six.
func (c shapeCase) contribution(i int) lineage.Contribution {
	at := time.Date(2026, 7, 19, 6, i, 0, 0, time.UTC)
	var namespace, name string
	_, _ = fmt.Sscan(c.output, &namespace, &name) // the cases are all of that form
	output := lineage.DatasetID{Namespace: namespace, Name: name}
	said := lineage.Contribution{
		EventTime: at, Moment: lineage.Moment{EffectiveAt: at, Key: lineage.HashOf(c.said[i], at.String())},
		Sender: lineage.Sender{Producer: "test", EventID: strconv.Itoa(i)}, Outputs: []lineage.DatasetID{output},
	}
	if c.streaming {
		said.Mode = lineage.Streaming
	}
	kind, gate := markerOf(c.said[i])
	if kind == "" {
		said.Type = lineage.EventType(c.said[i])
		return said
	}
	said.Markers = []lineage.Marker{{Output: output, Kind: kind, Gate: gate, EventTime: at}}
	return said
}

// markerOf is the marker that a word stands for; of no kind where it is an event of the run itself.
func markerOf(word string) (kind lineage.MarkerKind, gate string) {
	switch word {
	case "committed":
		return lineage.Committed, ""
	case "rolled back":
		return lineage.RolledBackMarker, ""
	case "validated":
		return lineage.Validated, ""
	case "time is up":
		return lineage.TimedOut, ""
	}
	var answer string
	if n, _ := fmt.Sscan(word, &gate, &answer); n == 2 {
		return lineage.MarkerKind(answer), gate
	}
	return "", ""
}

func forwards(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func backwards(n int) []int {
	order := forwards(n)
	slices.Reverse(order)
	return order
}
