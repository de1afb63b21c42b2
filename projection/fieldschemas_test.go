package projection_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/projection"
)

// withSchema adds a schema facet of some columns to facets.
func withSchema(facets map[string]any, names ...string) map[string]any {
	fields := []any{}
	for _, name := range names {
		fields = append(fields, map[string]any{"name": name, "type": "string"})
	}
	facets = maps.Clone(facets)
	facets["schema"] = map[string]any{"fields": fields}
	return facets
}

func TestDroppedColumnDoesNotShowAsLapsed(t *testing.T) {
	b := setup(t)
	for _, run := range []struct {
		id     string
		minute int
		facets map[string]any
	}{
		{"r1", 1, withSchema(columns("x<-a.i", "y<-a.j", "again<-a.g"), "x", "y", "again")},
		{"r2", 5, withSchema(columns("y<-a.k"), "y")},
		{"r3", 7, withSchema(columns("y<-a.k", "again<-a.h"), "y", "again")},
	} {
		b.complete(story{
			run: run.id, job: "ab", minute: run.minute, inputs: []string{"a"}, outputs: []string{"b"},
			outputFacets: map[string]map[string]any{"b": run.facets},
		})
	}
	b.fold(b.active, 100)
	ask := func(name string, minute int) []string {
		r := request(field(name), projection.Upstream)
		r.ValidAt = at(minute)
		return links(b.traverse(r).Edges)
	}
	require.Equal(t, []string{"a.j→b.y IDENTITY?", "a.k→b.y IDENTITY"}, ask("b.y", 9), "the column is still there")
	require.Empty(t, ask("b.x", 9), "the column was dropped")
	require.Equal(t, []string{"a.i→b.x IDENTITY"}, ask("b.x", 3))
	require.Equal(t, []string{"a.h→b.again IDENTITY"}, ask("b.again", 9), "the column that was dropped was another one")
}
