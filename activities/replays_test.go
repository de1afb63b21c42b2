package activities_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/activities"
	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

var rebuilt = contract.Shadow{Name: "rebuilt", Slice: time.Minute}

// replayable gives a log of some runs, folded into the active projection.
func replayable(t *testing.T) (*bundle, *activities.Replays) {
	t.Helper()
	b := setup(t)
	for i := range 10 {
		run := dailyOrders
		run.RunID = fmt.Sprintf("run-%d", i)
		b.send(run, lineage.Start, morning.Add(time.Duration(i)*time.Hour), 2)
		b.send(run, lineage.Complete, morning.Add(time.Duration(i)*time.Hour+time.Minute), 2)
	}
	b.fold()
	return b, &activities.Replays{
		Projections: b.projections, Log: b.log, Catalogue: b.catalogue,
		Archive: func(context.Context) (*archive.Archive, error) { panic("nothing is archived") },
	}
}

func step[Result any](b *bundle, activity any) Result {
	b.t.Helper()
	result, err := execute[Result](b, activity, rebuilt)
	require.NoError(b.t, err)
	return result
}

func TestShadowOfArchiveAndTailEqualsTheLiveProjection(t *testing.T) {
	b, replays := replayable(t)
	replays.Archive = b.openArchive()
	archiving := b.archiving(replays.Archive)
	_, err := execute[contract.Archived](b, archiving.WriteSegments)
	require.NoError(t, err)
	b.send(dailyOrders, lineage.Complete, morning, 3)
	b.fold()

	step[struct{}](b, replays.CreateShadow)
	require.Equal(t, contract.Folded{Cursor: 20, Goal: 20}, step[contract.Folded](b, replays.FoldArchive))
	require.Equal(t, contract.Folded{Cursor: 21, Goal: 21}, step[contract.Folded](b, replays.FoldTail))
	comparison := step[contract.Comparison](b, replays.Compare)
	require.True(t, comparison.Equal(), "%+v", comparison)
	require.Equal(t, lineage.Offset(21), comparison.At.Offset)

	step[struct{}](b, replays.CatchUp)
	require.Equal(t, contract.Switch{From: "main", To: "rebuilt"}, step[contract.Switch](b, replays.SwitchReaders))
	require.Equal(t, contract.Switch{To: "rebuilt"}, step[contract.Switch](b, replays.SwitchReaders), "as after a crash")
	step[struct{}](b, replays.RetireShadow)
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	require.Equal(t, "rebuilt", active.Name, "what readers use is not retired")
}

func TestHoleInTheArchiveIsFoldedFromTheLog(t *testing.T) {
	b, replays := replayable(t)
	require.NoError(t, b.catalogue.Record(t.Context(), archive.Segment{FirstOffset: 5, LastOffset: 9, Epoch: 1, Object: "behind a hole"}))
	step[struct{}](b, replays.CreateShadow)
	require.True(t, step[contract.Folded](b, replays.FoldArchive).Done())
	require.Equal(t, contract.Folded{Cursor: 20, Goal: 20}, step[contract.Folded](b, replays.FoldTail))
}

func TestInterruptedReplayGoesOnWithItsShadow(t *testing.T) {
	b, replays := replayable(t)
	step[struct{}](b, replays.CreateShadow)
	step[contract.Folded](b, replays.FoldTail)
	step[struct{}](b, replays.CatchUp)

	step[struct{}](b, replays.CreateShadow)
	shadow, err := b.projections.Get(t.Context(), "rebuilt")
	require.NoError(t, err)
	require.Equal(t, projection.Building, shadow.Status)
	require.Equal(t, lineage.Offset(20), shadow.Cursor.Offset)
}

func TestDifferenceIsFoundAndNamed(t *testing.T) {
	b, replays := replayable(t)
	_, err := b.database.Exec(t.Context(), `DELETE FROM run_event WHERE log_offset = 7`)
	require.NoError(t, err)
	step[struct{}](b, replays.CreateShadow)
	step[contract.Folded](b, replays.FoldTail)
	comparison := step[contract.Comparison](b, replays.Compare)

	require.False(t, comparison.Equal())
	for _, table := range comparison.Tables {
		require.Equal(t, table.Table != "run_event", table.Equal, table.Table)
	}
	shadow, err := b.projections.Get(t.Context(), "rebuilt")
	require.NoError(t, err)
	require.Contains(t, string(shadow.Comparison), "run_event")
}

func TestRejectedShadowIsRetired(t *testing.T) {
	b, replays := replayable(t)
	step[struct{}](b, replays.RetireShadow) // none was made yet
	step[struct{}](b, replays.CreateShadow)
	step[struct{}](b, replays.RetireShadow)
	shadow, err := b.projections.Get(t.Context(), "rebuilt")
	require.NoError(t, err)
	require.Equal(t, projection.Retired, shadow.Status)

	_, err = execute[struct{}](b, replays.CreateShadow, rebuilt)
	require.ErrorContains(t, err, "choose another name")
}

func TestReadersDoNotWaitForANewShadow(t *testing.T) {
	b, replays := replayable(t)
	require.NoError(t, pgx.BeginFunc(t.Context(), b.database, func(reader pgx.Tx) error {
		_, err := reader.Exec(t.Context(), `SELECT FROM run_event`)
		require.NoError(t, err)
		step[struct{}](b, replays.CreateShadow) // would wait for ever if it locked out the reader
		_, err = reader.Exec(t.Context(), `SELECT FROM node`)
		return err
	}))
}
