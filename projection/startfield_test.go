package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// noSuchField are the gaps of a walk from a field at some minute that say that there is none.
func (b *bundle) noSuchField(name string, minute int, change ...func(*projection.TraverseRequest)) []projection.Gap {
	r := request(field(name), projection.Upstream)
	r.ValidAt = at(minute)
	for _, apply := range change {
		apply(&r)
	}
	var found []projection.Gap
	for _, gap := range b.traverse(r).Gaps {
		if gap.Kind == projection.NoSuchField {
			found = append(found, gap)
		}
	}
	return found
}

func TestStartThatTheSchemaOfThatTimeDoesNotHaveIsAGap(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, inputs: []string{"raw"}, columns: []string{"id", "Email"}})
	b.write(written{run: "2", output: "orders", minute: 10, inputs: []string{"raw"}, columns: []string{"id"}})
	b.fold(b.active, 1)
	gap := func(name string, meant lineage.FieldPath) []projection.Gap {
		node := field(name)
		return []projection.Gap{{Kind: projection.NoSuchField, Node: &node, Meant: meant}}
	}
	require.Empty(t, b.noSuchField("orders.Email", 5))
	require.Equal(t, gap("orders.email", "Email"), b.noSuchField("orders.email", 5))
	require.Equal(t, gap("orders.Email", ""), b.noSuchField("orders.Email", 12), "the column was dropped")
	require.Equal(t, gap("orders.nosuch", ""), b.noSuchField("orders.nosuch", 5))
	require.Empty(t, b.noSuchField("raw.anything", 5), "of a dataset without a schema nothing is known")
	require.Empty(t, b.noSuchField("orders.nosuch", 5, func(r *projection.TraverseRequest) { r.Show = hiding("job 1", "job 2") }),
		"what hidden jobs say of the schema tells nothing")
}
