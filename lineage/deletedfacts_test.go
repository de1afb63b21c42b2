package lineage_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

const saidOfANode = `"ownership": %[1]s, "tags": %[1]s, "documentation": %[1]s, "datasetType": %[1]s, "schema": %[1]s`

// takenBack are the kinds of attribute that an event takes back of a node.
func takenBack(c lineage.Contribution, node lineage.Node) []lineage.AttributeKind {
	var kinds []lineage.AttributeKind
	for _, stated := range c.Attributes {
		if stated.Node == node && stated.Value == "null" {
			kinds = append(kinds, stated.Kind)
		}
	}
	return kinds
}

func TestDeletedFacetTakesBackWhatWasSaidOfItsNode(t *testing.T) {
	deleted := fmt.Sprintf(saidOfANode, deletedFacet)
	all := []lineage.AttributeKind{
		lineage.OwnersAttribute, lineage.TagsAttribute, lineage.DocumentationAttribute, lineage.TypeAttribute, lineage.DescriptionsAttribute,
	}
	job := facetEvent(t, "COMPLETE", "01", deleted, "")
	require.ElementsMatch(t, all[:4], takenBack(job, loadOrdersRun.Job.Node()))
	output := facetEvent(t, "COMPLETE", "01", "", deleted)
	require.ElementsMatch(t, all, takenBack(output, ordersLake.Node()))
	view, _ := contributed(t, []byte(`{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "s3://lake", "name": "orders", "facets": {`+deleted+`}}}`))
	require.ElementsMatch(t, all, takenBack(view, ordersLake.Node()))
	reading, _ := contributed(t, []byte(`{"eventTime": "2024-06-01T10:00:00Z", "job": {"namespace": "n", "name": "j"},
		"inputs": [{"namespace": "s3://lake", "name": "orders", "facets": {`+deleted+`}}]}`))
	require.ElementsMatch(t, all[:4], takenBack(reading, ordersLake.Node()), "what an input says of its fields is evidence only")
}

func TestWhatAnEventStatesBeatsThatItDeletesItElsewhere(t *testing.T) {
	c, _ := contributed(t, []byte(`{"eventTime": "2024-06-01T10:00:00Z", "job": {"namespace": "n", "name": "j"},
		"inputs": [{"namespace": "s3://lake", "name": "orders", "facets": {"documentation": `+deletedFacet+`}}],
		"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {"documentation": {"description": "All of them."}}}]}`))
	require.Equal(t, `"All of them."`, c.Attributes[0].Value)
}

// schemasOf are the contents at the level of schemas, as "time columns", none where nothing holds.
func schemasOf(statements []lineage.Statement, names map[lineage.Hash]string) []string {
	var list []string
	for _, s := range statements {
		if s.Content.Level() == lineage.SchemaLevel {
			list = append(list, s.EffectiveAt.Format("15:04")+" "+names[s.Content.ID()])
		}
	}
	return list
}

func TestDeletedSchemaEndsUntilOneIsStatedAgain(t *testing.T) {
	const id, deleted = `"schema": {"fields": [{"name": "id"}]}`, `"schema": ` + deletedFacet
	said := func(eventType, minutes, facet string) lineage.Contribution {
		return facetEvent(t, eventType, minutes, "", facet)
	}
	names := map[lineage.Hash]string{said("RUNNING", "01", id).Schemas[0].Schema: "id", {}: "none"}
	for name, test := range map[string]struct {
		events []lineage.Contribution
		want   []string
	}{
		"deleted":      {[]lineage.Contribution{said("RUNNING", "01", id), said("COMPLETE", "02", deleted)}, []string{"10:02 none"}},
		"stated again": {[]lineage.Contribution{said("RUNNING", "01", deleted), said("COMPLETE", "02", id)}, []string{"10:02 id"}},
		"in a stream, whose facets add up": {
			[]lineage.Contribution{streaming(said("RUNNING", "01", id)), streaming(said("RUNNING", "02", deleted))},
			[]string{"10:01 id"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				run := folded(rapid.Permutation(test.events).Draw(rt, "order")...)
				publish(run)
				require.Equal(rt, test.want, schemasOf(run.Statements(), names))
			})
		})
	}
	view := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n", "name": "v", "facets": {` + deleted + `}}}`
	require.Equal(t, []string{"10:00 none"}, schemasOf(declare(t, []byte(view), "1"), names))
}

func streaming(c lineage.Contribution) lineage.Contribution {
	c.Mode = lineage.Streaming
	return c
}

func TestDeletedSymlinksLeaveADatasetWithoutOtherNamesUntilItIsGivenSomeAgain(t *testing.T) {
	table, deleted := symlinked("hive://ms a TABLE"), `"symlinks": `+deletedFacet
	a := "hive://ms a = s3://lake orders"
	require.Equal(t, []string{"10:00: " + a, "10:01: "}, called(t, lineage.Running, table, deleted))
	require.Equal(t, []string{"10:00: " + a, "10:01: ", "10:03: " + a}, called(t, lineage.Running, table, deleted, "", table))
	require.Equal(t, []string{"10:00: ", "10:01: " + a}, called(t, lineage.Running, deleted, table, table))
}
