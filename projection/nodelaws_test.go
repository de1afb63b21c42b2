package projection_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// known writes all that is known of a dataset that can change.
func (b *bundle) known(name string, minute int, recordedAt lineage.Offset) string {
	b.t.Helper()
	answer, err := b.node(name, minute, func(r *projection.NodeRequest) { r.RecordedAt = recordedAt })
	if err != nil {
		require.ErrorIs(b.t, err, projection.ErrNotFound)
		return "nothing"
	}
	text := fmt.Sprint(answer.DroppedAt, answer.CreatedAt, answer.Attributes, answer.Writers)
	for _, source := range answer.Sources {
		text += fmt.Sprint(source.Kind, source.Sender, source.EventTime, source.Job)
	}
	for _, version := range answer.Schemas.Versions {
		text += fmt.Sprint(version.Source, version.From, version.To, version.Sender, version.Schema.ID())
	}
	return text
}

func TestWhatIsKnownOfADatasetAtTheCursorNeverChanges(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(5, 8))
	for i := range 40 {
		minute, name := random.IntN(30), fmt.Sprint("t", random.IntN(2))
		switch random.IntN(4) {
		case 0:
			b.write(written{run: fmt.Sprint("r", i), output: name, minute: minute, change: []string{"DROP", "CREATE"}[random.IntN(2)]})
		case 1:
			b.ownedBy(minute, name, fmt.Sprint("team:", random.IntN(3)))
		case 2:
			snapshot := snapshotOf("shop", model{name, []string{"source"}})
			snapshot.Datasets[0].Fields = []lineage.Field{{Name: fmt.Sprint("c", random.IntN(2))}}
			b.declare(minute, snapshot)
		default:
			b.write(written{run: fmt.Sprint("r", i), output: name, minute: minute, inputs: []string{"source"}, columns: []string{fmt.Sprint("c", random.IntN(2))}})
		}
	}
	type question struct {
		name       string
		minute     int
		recordedAt lineage.Offset
	}
	answers := map[question]string{}
	for cursor := range b.log {
		b.log[cursor].Offset = lineage.Offset(cursor + 1)
		require.NoError(t, b.store.Apply(b.ctx, b.active, b.log[cursor:cursor+1]))
		q := question{fmt.Sprint("t", random.IntN(2)), random.IntN(30), lineage.Offset(cursor + 1)}
		answers[q] = b.known(q.name, q.minute, q.recordedAt)
	}
	for q, want := range answers {
		require.Equal(t, want, b.known(q.name, q.minute, q.recordedAt), "%v", q)
	}
}
