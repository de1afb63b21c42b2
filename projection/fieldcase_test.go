package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// tellInTwoSpellings logs two runs of which the second spells the columns of the table between them otherwise.
func (b *bundle) tellInTwoSpellings() {
	b.mapped("1", "load", 1, "raw", "orders", "Order_Id<-raw.ID", "*<-raw.Status FILTER")
	b.mapped("2", "mart", 2, "orders", "daily", "KEY<-orders.ORDER_ID")
}

func TestColumnsThatDifferInCaseMeetWhereTheRuleOfTheirNamespaceFoldsThem(t *testing.T) {
	b := setup(t)
	b.tellInTwoSpellings()
	for name, letters := range map[string]lineage.NamespaceRule{"names": {Case: lineage.CaseLower}, "columns": {Columns: lineage.CaseLower}} {
		b.replay(name, warehouseRules(t, letters), 1)
		want := []string{"orders.order_id→daily.key IDENTITY", "raw.id→orders.order_id IDENTITY", "raw.status→orders ~FILTER"}
		for _, spelled := range []string{"daily.key", "daily.Key"} {
			require.Equal(t, want, links(b.traverse(request(field(spelled), projection.Upstream)).Edges))
		}
		require.Equal(t, []string{want[0], want[1]}, links(b.traverse(request(field("raw.iD"), projection.Downstream)).Edges))
	}
}

func TestColumnsThatDifferInCaseStayApartWhereNamesAreKept(t *testing.T) {
	b := setup(t)
	b.tellInTwoSpellings()
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders.ORDER_ID→daily.KEY IDENTITY", "raw.Status→orders ~FILTER"},
		links(b.traverse(request(field("daily.KEY"), projection.Upstream)).Edges))
}

// spellings are the gaps of a walk that name a field which is spelled otherwise.
func (b *bundle) spellings(r projection.TraverseRequest) []string {
	var found []string
	for _, gap := range b.traverse(r).Gaps {
		if gap.Kind == projection.FieldSpelledOtherwise {
			found = append(found, gap.Node.Name+"."+string(gap.Node.Path)+" or "+string(gap.Meant))
		}
	}
	return found
}

func TestWalkThatEndsWhereColumnsAreSpelledOtherwiseTellsOfIt(t *testing.T) {
	b := setup(t)
	b.tellInTwoSpellings()
	b.mapped("3", "report", 3, "daily", "report", "key<-daily.KEY")
	b.fold(b.active, 1)
	up, down := request(field("report.key"), projection.Upstream), request(field("raw.ID"), projection.Downstream)
	require.Equal(t, []string{"orders.ORDER_ID or Order_Id"}, b.spellings(up))
	require.Equal(t, []string{"orders.Order_Id or ORDER_ID"}, b.spellings(down))
	require.Empty(t, b.spellings(request(field("report.key"), projection.Downstream)))
	require.Equal(t, []string{"report.KEY or key"}, b.spellings(request(field("report.KEY"), projection.Upstream)))

	hidden := up
	hidden.Show = hiding("load")
	require.Empty(t, b.spellings(hidden), "what a hidden job says of a column tells nothing")
	past := up
	past.ValidAt = at(0)
	require.Empty(t, b.spellings(past), "nobody had said so by then")

	b.replay("folded", warehouseRules(t, lineage.NamespaceRule{Columns: lineage.CaseUpper}), 1)
	require.Empty(t, b.spellings(up))
}

func TestFieldsOfOneTableMeetThoughItsTwoNamesFoldColumnsOtherwise(t *testing.T) {
	b := setup(t)
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{
		{Namespace: "warehouse", Columns: lineage.CaseLower}, {Namespace: "lake", Columns: lineage.CaseUpper},
	}})
	require.NoError(t, err)
	b.mapped("1", "load", 1, "raw", "orders", "Id<-raw.id")
	for _, document := range []string{
		`{"eventTime": "2026-07-19T12:02:00Z", "dataset": {"namespace": "warehouse", "name": "daily", "facets": {"columnLineage":
			{"fields": {"key": {"inputFields": [{"namespace": "lake", "name": "orders", "field": "id"}]}}}}}}`,
		`{"eventTime": "2026-07-19T12:03:00Z", "dataset": {"namespace": "warehouse", "name": "orders", "facets": {"symlinks":
			{"identifiers": [{"namespace": "lake", "name": "orders", "type": "TABLE"}]}}}}`,
	} {
		b.logged(lineage.FormatOpenLineage, []byte(document))
	}
	b.replay("folded", rules, 1)
	require.Len(t, b.traverse(request(field("daily.key"), projection.Upstream)).Edges, 2)
}

func TestFieldsShowAsTheSchemaThatHoldsSpellsThem(t *testing.T) {
	b := setup(t)
	b.tellInTwoSpellings()
	b.write(written{run: "3", output: "orders", minute: 3, inputs: []string{"raw"}, columns: []string{"Order_ID", "other"}})
	b.write(written{run: "4", output: "orders", minute: 6, inputs: []string{"raw"}, columns: []string{"orderX"}})
	b.replay("folded", warehouseRules(t, lineage.NamespaceRule{Columns: lineage.CaseLower}), 1)
	spelled := func(minute int, change ...func(*projection.TraverseRequest)) []lineage.FieldPath {
		r := request(field("daily.key"), projection.Upstream)
		r.ValidAt = at(minute)
		for _, apply := range change {
			apply(&r)
		}
		var paths []lineage.FieldPath
		for _, node := range b.traverse(r).Nodes {
			if node.Name == "orders" && node.Kind == lineage.NodeField {
				require.Equal(t, lineage.FieldPath("order_id"), node.Path, "it is known under one name whatever the spelling")
				paths = append(paths, node.Spelled)
			}
		}
		return paths
	}
	require.Equal(t, []lineage.FieldPath{""}, spelled(2), "nobody had told of a schema")
	require.Equal(t, []lineage.FieldPath{"Order_ID"}, spelled(4))
	require.Equal(t, []lineage.FieldPath{""}, spelled(7), "the schema has no such column any more")
	require.Equal(t, []lineage.FieldPath{""}, spelled(4, func(r *projection.TraverseRequest) { r.Show = hiding("job 3") }), "a hidden job spells nothing")
	require.Equal(t, []lineage.FieldPath{"Order_ID"}, spelled(4, func(r *projection.TraverseRequest) { r.Show = hiding("job 4") }))
}
