package projection_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// document is a payload before it has a place in the log.
type document struct {
	format  lineage.Format
	payload []byte
}

// randomMarkers are markers of outputs of the runs that stories tell of, and of some that they do not.
func randomMarkers(t *testing.T, random *rand.Rand, stories []story) []document {
	t.Helper()
	kinds := []lineage.MarkerKind{
		lineage.Committed, lineage.RolledBackMarker, lineage.RolledBackMarker, lineage.Validated, lineage.Invalidated, lineage.Passed, lineage.Failed,
	}
	var documents []document
	for _, s := range stories {
		marker := lineage.Marker{
			Output: lineage.DatasetID{Namespace: "warehouse", Name: fmt.Sprintf("t%d", random.IntN(3))},
			Kind:   kinds[random.IntN(len(kinds))], EventTime: at(random.IntN(40)),
		}
		if marker.Kind == lineage.Passed || marker.Kind == lineage.Failed {
			marker.Gate = "quality"
		}
		payload, err := lineage.EncodeMarker(runKey(s), marker)
		require.NoError(t, err)
		documents = append(documents, document{lineage.FormatPlatform, payload})
	}
	return documents
}

// TestStateWithMarkersIsTheSameInAnyOrder shuffles events and markers, with received times held fixed, then decides each
// output from all of it.
func TestStateWithMarkersIsTheSameInAnyOrder(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setup(t)
			random := rand.New(rand.NewPCG(seed, 5))
			stories := randomStories(random, 40)
			documents := randomMarkers(t, random, stories)
			for _, s := range stories {
				documents = append(documents, document{lineage.FormatOpenLineage, s.document()})
			}
			var want string
			for round := range 3 {
				b.log = nil
				seen := map[string]bool{}
				for _, d := range documents {
					entry := entryOf(d.payload, d.format, lineage.Offset(len(b.log)+1), noon.Add(48*time.Hour))
					if !seen[entry.EventID] {
						seen[entry.EventID] = true
						b.log = append(b.log, entry)
					}
				}
				shadow, err := b.store.Create(b.ctx, fmt.Sprint("round-", round), nil)
				require.NoError(t, err)
				b.fold(shadow.ID, 1+random.IntN(9))
				b.weighAll()
				b.fold(shadow.ID, 1+random.IntN(9))
				got, err := b.store.Digest(b.ctx, shadow.ID)
				require.NoError(t, err)
				if round == 0 {
					want = got.State
				}
				require.Equal(t, want, got.State)
				random.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
			}
		})
	}
}

// weighAll logs what the default policy decides of each output, from all that is in the log.
func (b *bundle) weighAll() {
	runs := map[lineage.RunKey]*lineage.Run{}
	for _, entry := range b.log {
		event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
		require.NoError(b.t, err)
		contribution, _ := lineage.NewContribution(event, entry.Arrival())
		if runs[event.Run] == nil {
			runs[event.Run] = &lineage.Run{Key: event.Run}
		}
		runs[event.Run].Add(contribution)
	}
	basis := lineage.Position{Epoch: 1, Offset: lineage.Offset(len(b.log))}
	for key, run := range runs {
		for _, output := range run.Outputs {
			verdict := run.Decide(output.DatasetID, lineage.Requirement{})
			if verdict.Publication == lineage.Pending {
				continue
			}
			payload, err := lineage.EncodeDecision(lineage.Decision{
				Run: key, Output: output.DatasetID, Basis: basis, EndType: run.EndType(),
				Publication: verdict.Publication, PolicyRevision: "test", Until: verdict.Until,
			})
			require.NoError(b.t, err)
			b.logged(lineage.FormatPlatform, payload)
		}
	}
}
