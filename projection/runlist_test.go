package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// list gives the ids of the runs of all pages.
func (b *bundle) list(filter projection.RunFilter) []string {
	b.t.Helper()
	ids := []string{}
	for {
		list, err := b.store.ListRuns(b.t.Context(), filter)
		require.NoError(b.t, err)
		for i := range list.Runs {
			ids = append(ids, list.Runs[i].Key.RunID)
		}
		if list.Next == nil {
			return ids
		}
		filter.Before = list.Next
	}
}

func TestRunsAreListedByWhenTheyBegan(t *testing.T) {
	b := setup(t)
	b.tell(
		story{run: "second", job: "j", kind: lineage.Complete, minute: 20},
		story{run: "third", job: "j", kind: lineage.Complete, minute: 30},
		story{run: "also third", job: "j", kind: lineage.Complete, minute: 30},
		story{run: "told late", job: "j", kind: lineage.Complete, minute: 10},
		story{run: "third", job: "j", kind: lineage.Start, minute: 25},
		story{run: "first", job: "other", kind: lineage.Start, minute: 5},
		story{run: "first", job: "other", kind: lineage.Complete, minute: 50},
	)
	b.fold(b.active, len(b.log))

	all := []string{"also third", "third", "second", "told late", "first"}
	for limit := 1; limit <= len(all)+1; limit++ {
		require.Equal(t, all, b.list(projection.RunFilter{Limit: limit}), "in pages of %d", limit)
		page, err := b.store.ListRuns(b.ctx, projection.RunFilter{Limit: limit})
		require.NoError(t, err)
		require.Equal(t, limit < len(all), page.Next != nil, "what is full may be the last page")
	}
	require.Equal(t, []string{"third", "second", "told late"}, b.list(projection.RunFilter{Since: at(10), Until: at(30), Limit: 2}))
	require.Equal(t, []string{"also third"}, b.list(projection.RunFilter{Since: at(26), Limit: 2}))
	require.Equal(t, []string{"first"}, b.list(projection.RunFilter{Until: at(10), Limit: 2}))
	job := lineage.JobID{Namespace: "scheduler", Name: "other"}
	require.Empty(t, b.list(projection.RunFilter{Job: &job, Since: at(6), Limit: 2}))
}

func TestRunsThatBeganTogetherAreAllListed(t *testing.T) {
	b := setup(t)
	for _, run := range []string{"a", "b", "c", "d", "e"} {
		b.tell(story{run: run, job: "j", kind: lineage.Complete, minute: 1})
	}
	b.fold(b.active, len(b.log))
	require.Equal(t, []string{"e", "d", "c", "b", "a"}, b.list(projection.RunFilter{Limit: 2}))
}

func TestRunsWithoutEvidenceAreNotListed(t *testing.T) {
	b := setup(t)
	withdrawn := story{run: "withdrawn", job: "j", kind: lineage.Complete}
	b.tell(withdrawn, story{run: "kept", job: "j", kind: lineage.Complete})
	b.withdraw(lineage.Withdrawal{Run: runKey(withdrawn)}, 0)
	b.fold(b.active, len(b.log))
	require.Equal(t, []string{"kept"}, b.list(projection.RunFilter{Limit: 10}))
}

func TestRunsAreListedByWhatBecameOfAnyOutput(t *testing.T) {
	b := setup(t)
	for minute, publication := range []lineage.Publication{
		lineage.Published, lineage.Diagnostic, lineage.Suspect, lineage.Rejected, lineage.RolledBack, lineage.Pending,
	} {
		s := story{run: publication.String(), job: "j", kind: lineage.Complete, minute: minute, outputs: []string{"a", "b"}}
		b.tell(s)
		b.decide(s, "a", lineage.Complete, lineage.Published)
		if publication != lineage.Pending {
			b.decide(s, "b", lineage.Complete, publication)
		}
	}
	b.tell(story{run: "no outputs", job: "j", kind: lineage.Complete, minute: 9})
	b.fold(b.active, len(b.log))
	list := func(publications ...lineage.Publication) []string {
		return b.list(projection.RunFilter{Publications: publications, Limit: 2})
	}
	for _, publication := range []lineage.Publication{
		lineage.Diagnostic, lineage.Suspect, lineage.Rejected, lineage.RolledBack, lineage.Pending,
	} {
		require.Equal(t, []string{publication.String()}, list(publication))
	}
	require.Len(t, list(lineage.Published), 6)
	require.Equal(t, []string{"pending", "suspect"}, list(lineage.Suspect, lineage.Pending))
	require.Equal(t, []string{"rolled_back", "rejected"}, list(lineage.Rejected, lineage.RolledBack))
}
