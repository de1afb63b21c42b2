package render_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

var namesPosition = &headwaterv1.ProjectionPosition{Name: "main", Position: &headwaterv1.LogPosition{Offset: 9}}

func inWarehouse(name string) *headwaterv1.Dataset {
	return &headwaterv1.Dataset{Namespace: "w", Name: name}
}

func TestPlanShowsWhatBecomesOfWhichDataset(t *testing.T) {
	t.Parallel()
	requireText(t, `
5 datasets become 3

become one (2)
w Orders  → w orders
w ORDERS  → ″
  and 1 more

become several (1)
w all  → w a
″      → w b

are shown under another name (1)
w Items  → w items

would not fit their namespace, and wait in the queue (1)
w loose  does not have the 2 parts of schema.table

projection main at offset 9
`, render.NamePlan(&headwaterv1.PlanNameRulesResponse{
		DatasetsBefore: 5, DatasetsAfter: 3,
		MergeCount: 2, Merges: []*headwaterv1.PlannedMerge{{Into: inWarehouse("orders"), From: []*headwaterv1.Dataset{inWarehouse("Orders"), inWarehouse("ORDERS")}}},
		SplitCount: 1, Splits: []*headwaterv1.PlannedSplit{{From: inWarehouse("all"), Into: []*headwaterv1.Dataset{inWarehouse("a"), inWarehouse("b")}}},
		RenameCount: 1, Renames: []*headwaterv1.PlannedRename{{From: inWarehouse("Items"), To: inWarehouse("items")}},
		UnresolvedCount: 1, Unresolved: []*headwaterv1.Misfit{{Dataset: inWarehouse("loose"), Reason: "does not have the 2 parts of schema.table"}},
		Projection: namesPosition,
	}, plain))
	requireText(t, `
5 datasets become 5
no name changes

projection main at offset 9
`, render.NamePlan(&headwaterv1.PlanNameRulesResponse{DatasetsBefore: 5, DatasetsAfter: 5, Projection: namesPosition}, plain))
}

func TestNamespacesHaveALineEach(t *testing.T) {
	t.Parallel()
	requireText(t, `
NAMESPACE    ENVIRONMENT  PLATFORM  DATASETS  RAW NAMES  UNRESOLVED
s3://bucket  prod         s3        3         9          1
w            default      –         1         1          0  provisional: no rule names it

projection main at offset 9
`, render.Namespaces(&headwaterv1.ListNamespacesResponse{
		Namespaces: []*headwaterv1.NamespaceSummary{
			{Namespace: "s3://bucket", Environment: "prod", Platform: "s3", Datasets: 3, RawNames: 9, Unresolved: 1},
			{Namespace: "w", Environment: "default", Provisional: true, Datasets: 1, RawNames: 1},
		},
		Projection: namesPosition,
	}, plain))
}

func TestQueueNamesSendersAndCounts(t *testing.T) {
	t.Parallel()
	orders := &headwaterv1.UnresolvedName{
		Misfit: &headwaterv1.Misfit{Dataset: inWarehouse("orders"), Reason: "does not fit"}, Events: 2,
		Producers: []string{"dbt", "spark"}, LastUsedAt: before(5 * time.Minute),
	}
	requireText(t, `
NAMESPACE  NAME    EVENTS  LAST USED                               SENDERS     WHY
w          orders  2       2026-07-19 11:55:00 UTC, 5 minutes ago  dbt, spark  does not fit
there are more: --page t

in the queue by namespace
3  w

in the queue by sender
3  spark

projection main at offset 9
`, render.Unresolved(&headwaterv1.ListUnresolvedResponse{
		Names: []*headwaterv1.UnresolvedName{orders}, NextPageToken: "t",
		ByNamespace: []*headwaterv1.UnresolvedCount{{Of: "w", Names: 3}}, ByProducer: []*headwaterv1.UnresolvedCount{{Of: "spark", Names: 3}},
		Projection: namesPosition,
	}, plain))
	requireText(t, `
no name

projection main at offset 9
`, render.Unresolved(&headwaterv1.ListUnresolvedResponse{Projection: namesPosition}, plain))

	orders.Dismissal = &headwaterv1.Dismissal{By: "ana", Reason: "scratch", EventTime: before(time.Minute)}
	requireText(t, `
w orders
does not fit
dismissed by ana 2026-07-19 11:59:00 UTC, 1 minute ago: scratch

used by
2026-07-19 11:55:00 UTC, 5 minutes ago  spark load  r1  spark  e1
2026-07-19 11:55:00 UTC, 5 minutes ago  –               dbt    e2

datasets that end alike; whether it is one of them is for you to say
w raw.orders

projection main at offset 9
`, render.UnresolvedName(&headwaterv1.GetUnresolvedResponse{
		Name: orders,
		Uses: []*headwaterv1.NameUse{
			{Producer: "spark", EventId: "e1", EventTime: before(5 * time.Minute), Job: &headwaterv1.Job{Namespace: "spark", Name: "load"}, RunId: new("r1")},
			{Producer: "dbt", EventId: "e2", EventTime: timestamppb.New(before(5 * time.Minute).AsTime())},
		},
		Candidates: []*headwaterv1.Dataset{inWarehouse("raw.orders")}, Projection: namesPosition,
	}, plain))
}
