package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func TestWideEventIsThousandsOfRowsAndAnsweredWhole(t *testing.T) {
	const width = 1500
	wide := event{kind: lineage.Complete, at: time.Now(), run: newRunID(), namespace: "e2e-wide", job: "rebuild_everything"}
	for i := range width {
		wide.inputs = append(wide.inputs, fmt.Sprintf("raw.table_%04d", i))
		wide.outputs = append(wide.outputs, fmt.Sprintf("mart.table_%04d", i))
	}
	awaitQuiet(t, time.Minute)
	before := rows(t)
	headwater.producer.send(t, wide)

	within(t, patience, func() error {
		got, err := headwater.reader.run(t, wide.run)
		if err != nil {
			return err
		}
		for _, output := range got.GetOutputs() {
			if output.GetPublication() != headwaterv1.Publication_PUBLICATION_PUBLISHED {
				return fmt.Errorf("%s is %s", output.GetDataset().GetName(), output.GetPublication())
			}
		}
		return nil
	})
	awaitQuiet(t, time.Minute)
	// Nodes, inputs of the flow, statements and writes.
	require.Less(t, rows(t)-before, 10*width)

	got, err := headwater.reader.upstream(t, lineage.DatasetID{Namespace: "e2e-wide", Name: "mart.table_1499"}, 2)
	require.NoError(t, err)
	require.True(t, got.GetCompleteness().GetComplete(), "no budget was spent")
	require.Len(t, got.GetNodes(), width+1)
	require.Len(t, got.GetEdges(), width)
	require.Equal(t, headwaterv1.Derivation_DERIVATION_INPUTS_OUTPUTS, got.GetEdges()[0].GetDerivation())
}

// rows counts what the active projection holds.
func rows(t *testing.T) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), headwater.DatabaseURL())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	total := 0
	for _, table := range []string{"node", "run", "run_event", "flow", "flow_input", "statement", "write"} {
		var count int
		require.NoError(t, conn.QueryRow(t.Context(),
			`SELECT count(*) FROM `+table+` JOIN projection USING (projection_id) WHERE status = 'active'`).Scan(&count))
		total += count
	}
	return total
}
