package projection_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// randomStories are events of a few runs of a few jobs, as producers send them: repeated, late, contradictory.
func randomStories(random *rand.Rand, count int) []story {
	kinds := []lineage.EventType{lineage.Start, lineage.Running, lineage.Complete, lineage.Complete, lineage.Fail, lineage.Other}
	names := func(prefix string) []string {
		var list []string
		for range random.IntN(3) {
			list = append(list, fmt.Sprintf("%s%d", prefix, random.IntN(3)))
		}
		return list
	}
	stories := make([]story, count)
	for i := range stories {
		job := random.IntN(3)
		stories[i] = story{
			run: fmt.Sprintf("run-%d-%d", job, random.IntN(5)), job: fmt.Sprintf("job%d", job),
			kind: kinds[random.IntN(len(kinds))], minute: random.IntN(30), inputs: names("t"), outputs: names("t"),
		}
		if random.IntN(2) == 0 {
			stories[i].outputFacets = map[string]map[string]any{}
			for _, output := range stories[i].outputs {
				stories[i].outputFacets[output] = columns(fmt.Sprintf("x<-t%d.i", random.IntN(3)), fmt.Sprintf("*<-t%d.k JOIN", random.IntN(2)))
				for name, facet := range map[string]map[string]any{
					"schema":   {"fields": []map[string]any{{"name": "x"}}},
					"symlinks": {"identifiers": []map[string]any{{"namespace": "warehouse", "name": "t0", "type": "TABLE"}}},
				} {
					stories[i].outputFacets[output][name] = []map[string]any{facet, {"_deleted": true}}[(i+len(name))%2]
				}
			}
		}
		if i%4 == 0 {
			if stories[i].outputFacets == nil {
				stories[i].outputFacets = map[string]map[string]any{}
			}
			for _, input := range stories[i].inputs {
				if stories[i].outputFacets[input] == nil {
					change := []string{"DROP", "CREATE"}[i/4%2]
					stories[i].outputFacets[input] = map[string]any{"lifecycleStateChange": map[string]any{"lifecycleStateChange": change}}
				}
			}
		}
		if job == 2 {
			stories[i].jobFacets = map[string]any{"jobType": map[string]any{"processingType": "STREAMING", "integration": "FLINK"}}
		}
		if job > 0 && i%3 == 0 {
			stories[i].jobFacets = map[string]any{"jobType": map[string]any{
				"processingType": []string{"", "BATCH", "STREAMING"}[job], "integration": "FLINK", "emissionPattern": map[string]any{
					"eventTrigger": "PERIODIC", "eventContentMode": "COMPLETE_SNAPSHOT", "windowDuration": 300,
				},
			}}
		}
	}
	return stories
}

func TestHistoryIsTheSameHoweverTheLogIsCut(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setup(t)
			random := rand.New(rand.NewPCG(seed, 1))
			for _, s := range randomStories(random, 80) {
				b.tell(s)
				if len(s.outputs) > 0 && random.IntN(2) == 0 {
					end := []lineage.EventType{"", lineage.Complete, lineage.Fail}[random.IntN(3)]
					b.decide(s, s.outputs[0], end, []lineage.Publication{lineage.Published, lineage.Suspect, lineage.Diagnostic}[random.IntN(3)])
				}
			}
			b.fold(b.active, 1)
			want, err := b.store.Digest(b.ctx, b.active)
			require.NoError(t, err)
			statements := slices.IndexFunc(want.Tables, func(table projection.TableDigest) bool { return table.Table == "statement" })
			require.Positive(t, want.Tables[statements].Rows, "the stories make statements")
			for _, size := range []int{2, 7, 1000} {
				shadow, err := b.store.Create(b.ctx, fmt.Sprint("shadow-", size), nil)
				require.NoError(t, err)
				b.fold(shadow.ID, size)
				got, err := b.store.Digest(b.ctx, shadow.ID)
				require.NoError(t, err)
				require.Equal(t, want, got, "batches of %d", size)
			}
		})
	}
}

// TestStateIsTheSameInAnyOrder shuffles evidence, with received times held fixed, then decides each output from all of it.
func TestStateIsTheSameInAnyOrder(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setup(t)
			random := rand.New(rand.NewPCG(seed, 2))
			stories := randomStories(random, 60)
			var want string
			for round := range 4 {
				b.log = nil
				for _, s := range stories {
					entry := entryOf(s.document(), lineage.FormatOpenLineage, lineage.Offset(len(b.log)+1), noon.Add(48*time.Hour))
					if !slices.ContainsFunc(b.log, func(e lineage.Entry) bool { return e.EventID == entry.EventID }) {
						b.log = append(b.log, entry)
					}
				}
				shadow, err := b.store.Create(b.ctx, fmt.Sprint("round-", round), nil)
				require.NoError(t, err)
				b.fold(shadow.ID, 1+random.IntN(9))
				b.decideAll(stories)
				b.fold(shadow.ID, 1+random.IntN(9))
				got, err := b.store.Digest(b.ctx, shadow.ID)
				require.NoError(t, err)
				if round == 0 {
					want = got.State
				}
				require.Equal(t, want, got.State)
				random.Shuffle(len(stories), func(i, j int) { stories[i], stories[j] = stories[j], stories[i] })
			}
		})
	}
}

// decideAll logs, for each run as the log has it, what the default policy decides.
func (b *bundle) decideAll(stories []story) {
	contributions := map[lineage.RunKey][]lineage.Contribution{}
	for _, s := range stories {
		entry := entryOf(s.document(), lineage.FormatOpenLineage, 1, noon.Add(48*time.Hour))
		event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
		require.NoError(b.t, err)
		contribution, _ := lineage.NewContribution(event, entry.Arrival())
		contributions[event.Run] = append(contributions[event.Run], contribution)
	}
	for key, all := range contributions {
		run := lineage.Fold(key, all)
		for _, output := range run.Written() {
			if decided := run.Decide(output.DatasetID, lineage.Requirement{}).Publication; decided != lineage.Pending {
				b.decide(story{run: key.RunID, job: key.Job.Name}, output.Name, run.EndType(), decided)
			}
		}
	}
}
