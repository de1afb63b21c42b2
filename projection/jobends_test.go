package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// fedBy is a lineage facet that says which jobs, and which datasets, feed a job.
func fedBy(job string, jobs, datasets []string) map[string]any {
	inputs := []map[string]any{}
	for _, name := range jobs {
		inputs = append(inputs, map[string]any{"type": "JOB", "namespace": "scheduler", "name": name})
	}
	for _, name := range datasets {
		inputs = append(inputs, map[string]any{"type": "DATASET", "namespace": "warehouse", "name": name})
	}
	entry := map[string]any{"type": "JOB", "namespace": "scheduler", "name": job, "inputs": inputs}
	return map[string]any{"lineage": map[string]any{"entries": []any{entry}}}
}

// both walks either way from a dataset.
func (b *bundle) both(name string) (upstream, downstream []string) {
	return pairs(b.traverse(request(dataset(name), projection.Upstream))), pairs(b.traverse(request(dataset(name), projection.Downstream)))
}

func TestWhatAJobReadsDoesNotFeedWhatItWritesBesideALineageFacet(t *testing.T) {
	b := setup(t)
	entries := []any{
		map[string]any{"type": "DATASET", "namespace": "warehouse", "name": "told", "inputs": []any{
			map[string]any{"type": "DATASET", "namespace": "warehouse", "name": "source"},
		}},
		map[string]any{"type": "DATASET", "namespace": "warehouse", "name": "generated", "inputs": []any{}},
	}
	b.complete(story{
		run: "r1", job: "bulk", minute: 1, inputs: []string{"source", "setting"}, outputs: []string{"told", "generated", "untold"},
		jobFacets: map[string]any{"lineage": map[string]any{"entries": entries}},
	})
	b.fold(b.active, 100)
	for _, name := range []string{"generated", "untold"} {
		up, _ := b.both(name)
		require.Equal(t, []string{"bulk→" + name}, up)
	}
	_, down := b.both("setting")
	require.Equal(t, []string{"setting→bulk"}, down)
	_, down = b.both("source")
	require.Equal(t, []string{"source→told"}, down)

	job := lineage.JobID{Namespace: "scheduler", Name: "bulk"}.Node()
	require.Equal(t, []string{"setting→bulk", "source→bulk"}, pairs(b.traverse(request(job, projection.Upstream))), "one may still ask the job")
}

func TestWalkGoesOnThroughAJobThatAnotherFeeds(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "extract", minute: 1, inputs: []string{"raw"}})
	b.complete(story{run: "r2", job: "load", minute: 2, outputs: []string{"mart"}, jobFacets: fedBy("load", []string{"extract"}, []string{"setting"})})
	b.fold(b.active, 100)
	up, _ := b.both("mart")
	require.Equal(t, []string{"extract→load", "load→mart", "raw→extract", "setting→load"}, up)
	_, down := b.both("raw")
	require.Equal(t, []string{"extract→load", "load→mart", "raw→extract"}, down)
}
