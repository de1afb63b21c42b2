package projection_test

import (
	"encoding/json/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
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
	if w.change != "" {
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
