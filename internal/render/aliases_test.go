package render_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func alias(name, of string) *headwaterv1.Alias {
	return &headwaterv1.Alias{
		Name: table(name, 0).GetDataset(), Of: table(of, 0).GetDataset(), Source: headwaterv1.AliasSource_ALIAS_SOURCE_SYMLINK,
		ValidFrom: timestamppb.New(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)), Producer: "spark",
	}
}

func TestTreeShowsTheOtherNamesOfANode(t *testing.T) {
	t.Parallel()
	start := table("a", 0)
	start.Aliases = []*headwaterv1.Alias{alias("a", "b"), alias("b", "c")}
	requireText(t, `
warehouse a
│ = warehouse b · from 2026-07-01T00:00:00Z · symlink by spark
│ = warehouse c · from 2026-07-01T00:00:00Z · symlink by spark
└─ warehouse raw
     by dbt make_a · observed 1 hour ago · run run-of-a completed

2 nodes, 1 edge, complete
projection first at offset 87
`, upstream(answer([]*headwaterv1.Node{start, table("raw", 1)}, flow("raw", "a"))))
}

func TestAliasesAreListedWithWhoSaysSoAndConflicts(t *testing.T) {
	t.Parallel()
	registered := &headwaterv1.Alias{
		Name: table("view", 0).GetDataset(), Of: table("old", 0).GetDataset(), Source: headwaterv1.AliasSource_ALIAS_SOURCE_REGISTRATION,
		Producer: "ann", Canonical: true, Reason: "people know it by that name",
	}
	replaced := alias("table", "old")
	replaced.ValidTo = timestamppb.New(time.Date(2026, 7, 5, 0, 0, 0, 0, time.UTC))
	requireText(t, `
warehouse table ≠ warehouse old
  from 2026-07-01T00:00:00Z until 2026-07-05T00:00:00Z · symlink by spark
  ! also said to stand for warehouse new; what was said last rules
warehouse view = warehouse old
  always · registration by ann · shown under this name · people know it by that name
there are more: --page t

projection first at offset 87
`, render.Aliases(&headwaterv1.ListAliasesResponse{
		Aliases: []*headwaterv1.ListedAlias{
			{Alias: replaced, Conflicts: []*headwaterv1.Dataset{table("new", 0).GetDataset()}},
			{Alias: registered, Holds: true},
		},
		NextPageToken: "t",
		Projection:    answer(nil).GetProjection(),
	}, plain))
}
