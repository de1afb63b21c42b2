package lineage_test

import (
	"slices"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// What property tests draw comes from few values, so that draws meet each other.

var drawnDatasets = rapid.Map(rapid.SampledFrom([]string{"a", "b", "c", "d"}), func(name string) lineage.DatasetID {
	return lineage.DatasetID{Namespace: "n", Name: name}
})

var drawnTimes = rapid.Map(rapid.IntRange(0, 5), func(minutes int) time.Time {
	return tenOClock.Add(time.Duration(minutes) * time.Minute)
})

var drawnTypes = rapid.SampledFrom([]lineage.EventType{
	lineage.Start, lineage.Running, lineage.Complete, lineage.Fail, lineage.Abort, lineage.Other,
})

// drawnPairs draws what facets say of some targets, each at most once.
func drawnPairs(targets *rapid.Generator[lineage.Node]) *rapid.Generator[[]lineage.Pairs] {
	pairs := rapid.Custom(func(t *rapid.T) lineage.Pairs {
		var inputs []lineage.Node
		for _, id := range rapid.SliceOfNDistinct(drawnDatasets, 0, 3, rapid.ID).Draw(t, "inputs") {
			inputs = append(inputs, id.Node())
		}
		slices.SortFunc(inputs, lineage.Node.Compare)
		return lineage.Pairs{Target: targets.Draw(t, "target"), Inputs: inputs}
	})
	return rapid.SliceOfNDistinct(pairs, 0, 2, func(p lineage.Pairs) lineage.Node { return p.Target })
}

var (
	drawnColumns  = drawnPairs(rapid.Map(drawnDatasets, lineage.DatasetID.Node))
	drawnExplicit = drawnPairs(rapid.OneOf(rapid.Map(drawnDatasets, lineage.DatasetID.Node), rapid.Just(loadOrders.Node())))
)

var drawnMaps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) lineage.StatedMap {
	return lineage.StatedMap{
		Output:     drawnDatasets.Draw(t, "output"),
		Map:        lineage.HashOf(rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "map")),
		Derivation: rapid.SampledFrom([]lineage.Derivation{lineage.ExplicitPair, lineage.ByColumnLineage}).Draw(t, "derivation"),
	}
}), 0, 2)

var drawnDeleted = rapid.Custom(func(t *rapid.T) lineage.Deleted {
	if rapid.IntRange(0, 3).Draw(t, "deletes") > 0 {
		return lineage.Deleted{}
	}
	return lineage.Deleted{
		Job:     rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"jobType", "lineage", "sql"}), 0, 3, rapid.ID).Draw(t, "facets"),
		Columns: rapid.SliceOfN(drawnDatasets, 0, 2).Draw(t, "columns"),
		Lineage: rapid.SliceOfN(drawnDatasets, 0, 2).Draw(t, "lineage"),
	}
})

var drawnSchemas = rapid.Custom(func(t *rapid.T) lineage.StatedSchema {
	return lineage.StatedSchema{
		Dataset: drawnDatasets.Draw(t, "dataset"),
		Schema:  rapid.SampledFrom([]lineage.Hash{lineage.HashOf("s1"), lineage.HashOf("s2"), {}}).Draw(t, "schema"),
		Read:    rapid.Bool().Draw(t, "read"),
	}
})

var drawnLives = rapid.Custom(func(t *rapid.T) lineage.StatedLife {
	return lineage.StatedLife{
		Dataset: drawnDatasets.Draw(t, "dataset"), Life: rapid.SampledFrom([]lineage.Life{lineage.Created, lineage.Dropped}).Draw(t, "life"),
	}
})

// drawnContributions draws what the events of one run say, each event with a key of its own.
var drawnContributions = rapid.Custom(func(t *rapid.T) []lineage.Contribution {
	contributions := make([]lineage.Contribution, rapid.IntRange(1, 6).Draw(t, "events"))
	modes := rapid.SampledFrom([]lineage.ProcessingMode{"", "", lineage.Batch, lineage.Streaming})
	for i := range contributions {
		at := drawnTimes.Draw(t, "at")
		id := strconv.Itoa(i)
		contributions[i] = lineage.Contribution{
			Type:       drawnTypes.Draw(t, "type"),
			EventTime:  at,
			Moment:     lineage.Moment{EffectiveAt: at, Key: lineage.HashOf(id)},
			Sender:     lineage.Sender{Producer: "p", EventID: id},
			JobVersion: rapid.SampledFrom([]string{"", "v1", "v2"}).Draw(t, "version"),
			Mode:       modes.Draw(t, "mode"),
			Root:       rapid.SampledFrom([]lineage.RunKey{{}, {Job: loadOrders, RunID: "top"}}).Draw(t, "root"),
			Engine:     lineage.Engine{Version: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "engine")},
			Tags:       rapid.SampledFrom([][]lineage.Tag{nil, {}, {{Key: "team"}}}).Draw(t, "tags"),
			Unread:     rapid.SampledFrom([][]string{nil, {"run.facets.x"}, {"run.facets.x", "run.facets.y"}}).Draw(t, "unread"),
			Deleted:    drawnDeleted.Draw(t, "deleted"),
			Parent:     rapid.SampledFrom([]lineage.RunKey{{}, {Job: loadOrders, RunID: "up"}}).Draw(t, "parent"),
			Error:      rapid.SampledFrom([]string{"", "boom", "bang"}).Draw(t, "error"),
			Inputs:     rapid.SliceOfN(drawnDatasets, 0, 3).Draw(t, "inputs"),
			Outputs:    rapid.SliceOfN(drawnDatasets, 0, 3).Draw(t, "outputs"),
			Columns:    drawnColumns.Draw(t, "columns"),
			Explicit:   drawnExplicit.Draw(t, "explicit"),
			Schemas:    rapid.SliceOfN(drawnSchemas, 0, 2).Draw(t, "schemas"),
			Lives:      rapid.SliceOfN(drawnLives, 0, 1).Draw(t, "lives"),
			InputLives: rapid.SliceOfN(drawnLives, 0, 1).Draw(t, "input lives"),
			Maps:       drawnMaps.Draw(t, "maps"),
			Symlinks:   drawnSymlinks.Draw(t, "symlinks"),
			Renames:    rapid.SliceOfN(drawnRenames, 0, 1).Draw(t, "renames"),
		}
	}
	return contributions
})

var loadOrdersRun = lineage.RunKey{Job: loadOrders, RunID: "r"}

// folded is the run that contributions give.
func folded(contributions ...lineage.Contribution) *lineage.Run {
	run := &lineage.Run{Key: loadOrdersRun}
	for _, c := range contributions {
		run.Add(c)
	}
	return run
}
