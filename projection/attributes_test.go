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

// ownerRegistered logs what a person says of who owns a dataset.
func (b *bundle) ownerRegistered(minute int, name, owner, by string) {
	payload, err := lineage.EncodeFact(lineage.Ownership{
		Dataset: lineage.DatasetID{Namespace: "warehouse", Name: name}, Owners: []lineage.Owner{{Name: owner}},
	}, lineage.Attribution{EventTime: at(minute), By: by, Reason: "test"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
	b.log[len(b.log)-1].Producer = by
}

func TestOwnerThatAPersonRegistersRanksByItsTime(t *testing.T) {
	b := setup(t)
	b.ownedBy(5, "orders", "team:a")
	b.ownerRegistered(7, "orders", "team:person", "ines")
	b.ownedBy(9, "orders", "team:b")
	b.fold(b.active, 2)
	require.Equal(t, "team:person", b.owner("orders", 2))
	require.Equal(t, "team:b", b.owner("orders", 0))
}

// documents tells of a run that documents what it writes.
func (b *bundle) documents(minute int, job, output, text string) {
	b.complete(story{
		run: fmt.Sprint(job, minute), job: job, minute: minute, outputs: []string{output},
		outputFacets: map[string]map[string]any{output: {"documentation": map[string]any{"description": text}}},
	})
}

func TestEachAttributeTellsWhoSaidIt(t *testing.T) {
	b := setup(t)
	b.documents(1, "load", "orders", "Orders.")
	b.ownerRegistered(7, "orders", "team:shop", "ines")
	b.ownedBy(3, "orders", "team:late")
	b.fold(b.active, 5)
	answer, err := b.node("orders", 60)
	require.NoError(t, err)
	require.Equal(t, []projection.AttributeSource{
		{Kind: lineage.OwnersAttribute, Sender: lineage.Sender{Producer: "ines", EventID: b.log[2].EventID}, EventTime: at(7)},
		{
			Kind: lineage.DocumentationAttribute, Sender: lineage.Sender{Producer: "test", EventID: b.log[0].EventID}, EventTime: at(1),
			Job: &lineage.JobID{Namespace: "scheduler", Name: "load"},
		},
	}, answer.Sources)
}

func TestWhatIsTakenBackHasNoSource(t *testing.T) {
	b := setup(t)
	b.ownedBy(5, "orders", "team:a")
	b.ownedBy(9, "orders", "")
	b.fold(b.active, 5)
	answer, err := b.node("orders", 60)
	require.NoError(t, err)
	require.Empty(t, answer.Sources)
}

func TestWhatAHiddenJobSaysOfADatasetDoesNotStandInForWhatVisibleOnesSay(t *testing.T) {
	b := setup(t)
	b.documents(1, "load", "orders", "Orders.")
	for minute := range 3 {
		b.documents(5+minute, "secret", "orders", "What nobody shall know.")
	}
	b.documents(8, "other", "orders", "Other.")
	b.fold(b.active, 5)
	documented := func(recordedAt lineage.Offset, hidden ...string) (string, string) {
		answer, err := b.node("orders", 60, func(r *projection.NodeRequest) { r.RecordedAt, r.Show = recordedAt, hiding(hidden...) })
		require.NoError(t, err)
		if len(answer.Sources) == 0 {
			return answer.Attributes.Documentation, ""
		}
		return answer.Attributes.Documentation, answer.Sources[0].Job.Name
	}
	text, by := documented(0, "secret", "other")
	require.Equal(t, []string{"Orders.", "load"}, []string{text, by})
	text, by = documented(0, "secret")
	require.Equal(t, []string{"Other.", "other"}, []string{text, by})
	text, _ = documented(8, "secret")
	require.Equal(t, "Orders.", text, "as it was known before the last")
	text, _ = documented(0, "load", "secret", "other")
	require.Empty(t, text)
}

func TestWhatIsSaidAgainUnderOneNameLeavesEarlierAnswersAboutAnotherAlone(t *testing.T) {
	b := setup(t)
	b.symlink(0, "orders", "lake/orders")
	b.ownedBy(1, "lake/orders", "team:lake")
	b.ownedBy(2, "orders", "team:shop")
	b.ownedBy(3, "lake/orders", "team:lake")
	b.fold(b.active, 2)
	require.Equal(t, "team:shop", b.owner("orders", 3))
	require.Equal(t, "team:lake", b.owner("orders", 0))
}
