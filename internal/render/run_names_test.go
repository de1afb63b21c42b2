package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func TestRunShowsWhatRawNamesAreKnownAs(t *testing.T) {
	t.Parallel()
	text := render.Run(&headwaterv1.GetRunResponse{Run: &headwaterv1.Run{
		RunId: "r1", Job: &headwaterv1.Job{Namespace: "spark", Name: "load"},
		Inputs:  []*headwaterv1.RunInput{{Dataset: inWarehouse("RAW.Orders"), KnownAs: inWarehouse("raw.orders")}, {Dataset: inWarehouse("raw.items")}},
		Outputs: []*headwaterv1.RunOutput{{Dataset: inWarehouse("MART.Daily"), KnownAs: inWarehouse("mart.daily"), Publication: headwaterv1.Publication_PUBLICATION_PUBLISHED}},
	}}, plain)
	require.Contains(t, text, "  w RAW.Orders, known as w raw.orders\n")
	require.Contains(t, text, "  w raw.items\n")
	require.Contains(t, text, "  w MART.Daily, known as w mart.daily  published\n")
}
