package projection_test

import (
	"encoding/json/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// written is a run that writes one dataset with columns, or drops or creates it.
type written struct {
	run, output string
	minute      int
	inputs      []string
	columns     []string
	change      string
}

// write logs the run and that its output is published.
func (b *bundle) write(w written) {
	facets := map[string]any{}
	if w.columns != nil {
		fields := []map[string]any{}
		for _, name := range w.columns {
			fields = append(fields, map[string]any{"name": name, "type": "text"})
		}
		facets["schema"] = map[string]any{"fields": fields}
	}
	switch w.change {
	case "":
	case deleteSchema:
		facets["schema"] = map[string]any{"_deleted": true}
	default:
		facets["lifecycleStateChange"] = map[string]any{"lifecycleStateChange": w.change}
	}
	inputs := []map[string]any{}
	for _, input := range w.inputs {
		inputs = append(inputs, map[string]any{"namespace": "warehouse", "name": input})
	}
	document, err := json.Marshal(map[string]any{
		"eventType": "COMPLETE", "eventTime": at(w.minute).Format(time.RFC3339), "run": map[string]any{"runId": w.run},
		"job":    map[string]any{"namespace": "scheduler", "name": "job " + w.run},
		"inputs": inputs, "outputs": []map[string]any{{"namespace": "warehouse", "name": w.output, "facets": facets}},
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
	b.decide(story{run: w.run, job: "job " + w.run}, w.output, lineage.Complete, lineage.Published)
}

func TestHistoryWithSchemasIsTheSameHoweverTheLogIsCut(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, columns: []string{"id", "name"}})
	b.write(written{run: "2", output: "orders", minute: 5, columns: []string{"id"}})
	b.write(written{run: "3", output: "orders", minute: 3, columns: []string{"id", "name"}})
	b.write(written{run: "4", output: "orders", minute: 9, change: "DROP"})
	b.write(written{run: "5", output: "orders", minute: 12, columns: []string{"id", "name"}, change: "CREATE"})
	b.fold(b.active, 1)
	want, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	for _, size := range []int{3, 100} {
		shadow, err := b.store.Create(b.ctx, "shadow-"+string(rune('0'+size%10)), nil)
		require.NoError(t, err)
		b.fold(shadow.ID, size)
		got, err := b.store.Digest(b.ctx, shadow.ID)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// node asks for a dataset as of some minute.
func (b *bundle) node(name string, minute int, change ...func(*projection.NodeRequest)) (projection.NodeAnswer, error) {
	request := projection.NodeRequest{Node: dataset(name), ValidAt: at(minute), Show: everything}
	for _, apply := range change {
		apply(&request)
	}
	return b.store.GetNode(b.ctx, request)
}

// columnsAt are the columns that a dataset has at some minute.
func (b *bundle) columnsAt(name string, minute int, change ...func(*projection.NodeRequest)) []string {
	b.t.Helper()
	answer, err := b.node(name, minute, change...)
	require.NoError(b.t, err)
	schema := answer.Schemas.At(answer.ValidAt)
	if schema == nil {
		return nil
	}
	var columns []string
	schema.Schema.Walk(func(path lineage.FieldPath, _ lineage.Field) { columns = append(columns, string(path)) })
	return columns
}

func TestSchemaIsThatOfTheTimeAndOfWhatWasKnown(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, columns: []string{"id", "name"}})
	b.write(written{run: "2", output: "orders", minute: 10, columns: []string{"id"}})
	b.write(written{run: "late", output: "orders", minute: 5, columns: []string{"id", "name", "at"}})
	b.fold(b.active, 2)
	require.Nil(t, b.columnsAt("orders", 0))
	require.Equal(t, []string{"id", "name"}, b.columnsAt("orders", 4))
	require.Equal(t, []string{"id", "name", "at"}, b.columnsAt("orders", 7))
	require.Equal(t, []string{"id"}, b.columnsAt("orders", 12))
	require.Equal(t, []string{"id", "name"}, b.columnsAt("orders", 7, func(r *projection.NodeRequest) { r.RecordedAt = 4 }), "before the late one came")
}

// deleteSchema is a change that deletes the facet of the schema.
const deleteSchema = "deleted schema"

func TestDeletedSchemaIsNoneUntilOneIsStatedAgain(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, columns: []string{"id"}})
	b.write(written{run: "3", output: "orders", minute: 9, columns: []string{"id"}})
	b.write(written{run: "2", output: "orders", minute: 5, change: deleteSchema})
	b.fold(b.active, 1)
	require.Equal(t, []string{"id"}, b.columnsAt("orders", 4))
	require.Nil(t, b.columnsAt("orders", 7))
	require.Equal(t, []string{"id"}, b.columnsAt("orders", 12))
	require.Equal(t, []string{"id"}, b.columnsAt("orders", 7, func(r *projection.NodeRequest) { r.RecordedAt = 4 }), "before the deletion came")
}

func TestSchemaOfARunThatIsNotPublishedIsNone(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, columns: []string{"id"}})
	b.log = b.log[:1] // without the decision
	b.fold(b.active, 1)
	require.Nil(t, b.columnsAt("orders", 5))
}

func TestSchemaOfACatalogEndsWithItsSnapshot(t *testing.T) {
	b := setup(t)
	catalog := snapshotOf("shop", model{"daily", []string{"orders"}})
	catalog.Datasets[0].Fields = []lineage.Field{{Name: "day", Type: "date"}}
	b.declare(0, catalog)
	b.declare(10, snapshotOf("shop", model{"weekly", []string{"orders"}}))
	b.fold(b.active, 1)
	require.Equal(t, []string{"day"}, b.columnsAt("daily", 5))
	require.Nil(t, b.columnsAt("daily", 15))
}

func TestDroppedDatasetIsDroppedUntilItIsWrittenOrCreatedAgain(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "staging", minute: 1, inputs: []string{"orders"}, columns: []string{"id"}})
	b.write(written{run: "2", output: "staging", minute: 5, change: "DROP"})
	b.write(written{run: "3", output: "staging", minute: 9, inputs: []string{"orders"}, columns: []string{"id"}})
	b.write(written{run: "4", output: "scratch", minute: 2, change: "DROP"})
	b.write(written{run: "5", output: "scratch", minute: 6, change: "CREATE"})
	b.fold(b.active, 1)
	dropped := func(name string, minute int) time.Time {
		answer, err := b.node(name, minute)
		require.NoError(t, err)
		return answer.DroppedAt
	}
	require.Zero(t, dropped("staging", 4))
	require.Equal(t, at(5), dropped("staging", 7))
	require.Zero(t, dropped("staging", 10), "it was written again")
	require.Equal(t, []string{"id"}, b.columnsAt("staging", 4))
	require.Nil(t, b.columnsAt("staging", 7))
	require.Equal(t, []string{"id"}, b.columnsAt("staging", 10))
	require.Equal(t, at(2), dropped("scratch", 4))
	require.Zero(t, dropped("scratch", 7), "it was created again")
}

func TestNodeThatTheCallerMayNotSeeDoesNotExist(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, columns: []string{"id"}})
	b.fold(b.active, 1)
	_, err := b.node("orders", 5, func(r *projection.NodeRequest) { r.Show = hiding("orders") })
	require.ErrorIs(t, err, projection.ErrNotFound)
	_, err = b.node("nothing", 5)
	require.ErrorIs(t, err, projection.ErrNotFound)
	answer, err := b.node("orders", 5)
	require.NoError(t, err)
	require.Equal(t, []projection.NodeWriter{{Job: lineage.JobID{Namespace: "scheduler", Name: "job 1"}, Origin: lineage.Observed, LastAt: at(1)}}, answer.Writers)
	answer, err = b.node("orders", 5, func(r *projection.NodeRequest) { r.Show = hiding("job 1") })
	require.NoError(t, err)
	require.Empty(t, answer.Writers)
	require.Empty(t, answer.Schemas.Versions, "nor does the schema that a hidden job stated")
}

// read logs a run that shows the columns of its input.
func (b *bundle) read(run, input string, minute int, columns ...string) {
	fields := []map[string]any{}
	for _, name := range columns {
		fields = append(fields, map[string]any{"name": name, "type": "text"})
	}
	document, err := json.Marshal(map[string]any{
		"eventType": "COMPLETE", "eventTime": at(minute).Format(time.RFC3339), "run": map[string]any{"runId": run},
		"job":     map[string]any{"namespace": "scheduler", "name": "job " + run},
		"inputs":  []map[string]any{{"namespace": "warehouse", "name": input, "facets": map[string]any{"schema": map[string]any{"fields": fields}}}},
		"outputs": []map[string]any{{"namespace": "warehouse", "name": "report"}},
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
	b.decide(story{run: run, job: "job " + run}, "report", lineage.Complete, lineage.Published)
}

func TestSchemaAsItWasReadCountsOnlyWhereNobodyElseSpoke(t *testing.T) {
	b := setup(t)
	b.read("1", "clicks", 5, "id", "url")
	b.read("2", "clicks", 7, "id")
	b.fold(b.active, 1)
	require.Nil(t, b.columnsAt("clicks", 3))
	require.Equal(t, []string{"id"}, b.columnsAt("clicks", 9))
	require.Nil(t, b.columnsAt("clicks", 9, func(r *projection.NodeRequest) { r.Show = hiding("job 1", "job 2") }), "evidence of hidden jobs is none")
	b.write(written{run: "3", output: "clicks", minute: 8, columns: []string{"id", "url", "at"}})
	b.fold(b.active, 1)
	require.Equal(t, []string{"id", "url", "at"}, b.columnsAt("clicks", 9))
	require.Equal(t, []string{"id"}, b.columnsAt("clicks", 7), "before that, nobody else had spoken")
}

// explain logs a run that writes a dataset and says what its columns mean.
func (b *bundle) explain(run, output string, minute int, meanings map[string]string) {
	fields := []map[string]any{}
	for _, name := range []string{"id", "name"} {
		fields = append(fields, map[string]any{"name": name, "type": "text", "description": meanings[name]})
	}
	b.complete(story{
		run: run, job: "job " + run, minute: minute, outputs: []string{output},
		outputFacets: map[string]map[string]any{output: {"schema": map[string]any{"fields": fields}}},
	})
}

func TestWhatFieldsMeanIsWhatWasSaidLastAndMakesNoVersion(t *testing.T) {
	b := setup(t)
	b.explain("1", "orders", 1, map[string]string{"id": "the key"})
	b.explain("2", "orders", 5, map[string]string{"id": "the key of an order", "name": "of the customer"})
	b.explain("3", "orders", 9, nil)
	b.fold(b.active, 2)
	answer, err := b.node("orders", 20)
	require.NoError(t, err)
	require.Len(t, answer.Schemas.Versions, 1)
	require.Equal(t, []lineage.FieldDescription{{Path: "id", Text: "the key of an order"}, {Path: "name", Text: "of the customer"}}, answer.Attributes.Descriptions)

	answer, err = b.node("orders", 20, func(r *projection.NodeRequest) { r.RecordedAt = 2 })
	require.NoError(t, err)
	require.Equal(t, []lineage.FieldDescription{{Path: "id", Text: "the key"}}, answer.Attributes.Descriptions, "before the second run came")
}
