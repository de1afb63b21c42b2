package projection_test

import (
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// ownedBy logs what a DatasetEvent says of who owns a dataset; nobody: it deletes the facet.
func (b *bundle) ownedBy(minute int, name, owner string) {
	b.log = append(b.log, b.ownership(minute, name, owner))
}

func (b *bundle) ownership(minute int, name, owner string) lineage.Entry {
	ownership := map[string]any{"owners": []map[string]any{{"name": owner}}}
	if owner == "" {
		ownership = map[string]any{"_deleted": true}
	}
	document, err := json.Marshal(map[string]any{
		"eventTime": at(minute).Format(time.RFC3339),
		"dataset":   map[string]any{"namespace": "warehouse", "name": name, "facets": map[string]any{"ownership": ownership}},
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	return entryOf(document, lineage.FormatOpenLineage, lineage.Offset(len(b.log)+1), noon.Add(48*time.Hour))
}

// owner is who owned a dataset as it was known at an offset; 0 is now.
func (b *bundle) owner(name string, recordedAt lineage.Offset) string {
	b.t.Helper()
	answer, err := b.node(name, 60, func(r *projection.NodeRequest) { r.RecordedAt = recordedAt })
	require.NoError(b.t, err)
	if len(answer.Attributes.Owners) == 0 {
		return ""
	}
	return answer.Attributes.Owners[0].Name
}

func TestOwnerSaidLastHoldsAndEarlierOnesAreKeptInRecordedTime(t *testing.T) {
	b := setup(t)
	b.ownedBy(5, "orders", "team:a")
	b.ownedBy(9, "orders", "team:b")
	b.ownedBy(7, "orders", "team:late")
	b.fold(b.active, 2)
	require.Equal(t, "team:b", b.owner("orders", 0))
	require.Equal(t, "team:a", b.owner("orders", 1))
	require.Equal(t, "team:b", b.owner("orders", 3))
}

func TestDeletedFacetTakesBackWhatWasSaidBeforeItUntilItIsSaidAgain(t *testing.T) {
	b := setup(t)
	b.ownedBy(5, "orders", "team:a")
	b.ownedBy(9, "orders", "")
	b.ownedBy(7, "orders", "team:late")
	b.ownedBy(12, "orders", "team:a")
	b.fold(b.active, 2)
	require.Equal(t, "team:a", b.owner("orders", 1))
	require.Empty(t, b.owner("orders", 2))
	require.Empty(t, b.owner("orders", 3), "what comes late is older than the deletion")
	require.Equal(t, "team:a", b.owner("orders", 0))
}

func TestAttributesGiveOneStateInAnyOrderAndOneHistoryHoweverTheLogIsCut(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(3, 9))
	type word struct {
		minute      int
		name, owner string
	}
	var words []word
	for range 40 {
		words = append(words, word{random.IntN(20), fmt.Sprint("t", random.IntN(2)), []string{"", "team:0", "team:1"}[random.IntN(3)]})
	}
	var state string
	for round := range 3 {
		b.log = nil
		seen := map[string]bool{}
		for _, w := range words {
			if entry := b.ownership(w.minute, w.name, w.owner); !seen[entry.EventID] {
				seen[entry.EventID] = true
				b.log = append(b.log, entry)
			}
		}
		var history string
		for _, size := range []int{1, 7, 100} {
			shadow, err := b.store.Create(b.ctx, fmt.Sprintf("round-%d-%d", round, size), nil)
			require.NoError(t, err)
			b.fold(shadow.ID, size)
			got, err := b.store.Digest(b.ctx, shadow.ID)
			require.NoError(t, err)
			if state == "" {
				state = got.State
			}
			if history == "" {
				history = got.History
			}
			require.Equal(t, state, got.State)
			require.Equal(t, history, got.History)
		}
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	}
}

func TestSnapshotDocumentsItsDatasetsAndJobs(t *testing.T) {
	b := setup(t)
	snapshot := snapshotOf("shop", model{"daily", []string{"orders"}})
	snapshot.Datasets[0].Documentation = "Orders by day."
	snapshot.Flows[0].Owners = []lineage.Owner{{Name: "team:shop"}}
	b.declare(0, snapshot)
	b.fold(b.active, 1)
	answer, err := b.node("daily", 5)
	require.NoError(t, err)
	require.Equal(t, "Orders by day.", answer.Attributes.Documentation)
	job, err := b.store.GetNode(b.ctx, projection.NodeRequest{Node: lineage.JobID{Namespace: "dbt", Name: "model.daily"}.Node(), Show: everything})
	require.NoError(t, err)
	require.Equal(t, []lineage.Owner{{Name: "team:shop"}}, job.Attributes.Owners)
}

func TestOwnerThatAPersonRegistersRanksByItsTime(t *testing.T) {
	b := setup(t)
	b.ownedBy(5, "orders", "team:a")
	b.ownedBy(9, "orders", "team:b")
	payload, err := lineage.EncodeFact(lineage.Ownership{
		Dataset: lineage.DatasetID{Namespace: "warehouse", Name: "orders"}, Owners: []lineage.Owner{{Name: "team:person"}},
	}, lineage.Attribution{EventTime: at(7), By: "ines", Reason: "test"})
	require.NoError(t, err)
	b.logged(lineage.FormatPlatform, payload)
	b.fold(b.active, 1)
	require.Equal(t, "team:b", b.owner("orders", 0))
	b.log = b.log[:0]
	b.ownedBy(5, "orders", "team:a")
	b.logged(lineage.FormatPlatform, payload)
	shadow, err := b.store.Create(b.ctx, "shadow", nil)
	require.NoError(t, err)
	b.fold(shadow.ID, 5)
	var value string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT value FROM node_attribute WHERE projection_id = $1 AND recorded_to = 9223372036854775807`, shadow.ID).Scan(&value))
	require.JSONEq(t, `[{"name": "team:person"}]`, value)
}
