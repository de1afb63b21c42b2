package lineage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// ofLevel are the statements of one level.
func ofLevel(statements []lineage.Statement, level lineage.Level) []lineage.Statement {
	var found []lineage.Statement
	for _, s := range statements {
		if s.Content.Level() == level {
			found = append(found, s)
		}
	}
	return found
}

// withFacet is completeRun with a facet on its output.
func withFacet(t *testing.T, facet string) []byte {
	t.Helper()
	return edited(t, completeRun, outputsMember, `"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {`+facet+`}}]`)
}

func TestSchemaOfAPublishedOutputIsStatedOfTheDatasetWhoeverWritesIt(t *testing.T) {
	contribution := contributionOf(t, withFacet(t, `"schema": {"fields": [{"name": "id", "type": "bigint"}, {"name": "at", "type": null}]}`))
	schema := contribution.SchemaContents[0]
	require.Equal(t, []lineage.Field{{Name: "id", Type: "bigint", Fields: []lineage.Field{}}, {Name: "at", Fields: []lineage.Field{}}}, schema.Fields)
	stated := ofLevel(published(contribution).Statements(), lineage.SchemaLevel)
	require.Len(t, stated, 1)
	require.Equal(t, schema.ID(), stated[0].Content.ID())
	require.Zero(t, stated[0].Job)
	require.Equal(t, "orders", stated[0].Output.Name)

	pending := &lineage.Run{Key: loadOrdersRun}
	pending.Add(contribution)
	require.Empty(t, ofLevel(pending.Statements(), lineage.SchemaLevel), "what a run says follows the publication")
}

func TestSchemaWithoutFieldsSaysNothing(t *testing.T) {
	for _, facet := range []string{`"schema": {}`, `"schema": {"fields": []}`, `"schema": {"fields": null}`} {
		contribution := contributionOf(t, withFacet(t, facet))
		require.Empty(t, contribution.Schemas)
	}
}

func TestSchemaOfAnInputIsEvidenceAlone(t *testing.T) {
	document := edited(t, completeRun, inputsMember, `"inputs": [{"namespace": "postgres://db", "name": "public.orders",
		"facets": {"schema": {"fields": [{"name": "id"}]}}}]`)
	contribution := contributionOf(t, document)
	require.True(t, contribution.Schemas[0].Read)
	require.Empty(t, ofLevel(published(contribution).Statements(), lineage.SchemaLevel))
}

func TestSchemaThatIsOnlyExplainedAnewIsTheSame(t *testing.T) {
	ids := map[lineage.Hash]bool{}
	for _, description := range []string{`"the key"`, `"the primary key"`, `null`} {
		contribution := contributionOf(t, withFacet(t, `"schema": {"fields": [{"name": "id", "type": "bigint", "description": `+description+`}]}`))
		ids[contribution.Schemas[0].Schema] = true
	}
	require.Len(t, ids, 1)
	other := contributionOf(t, withFacet(t, `"schema": {"fields": [{"name": "id", "type": "string"}]}`))
	require.False(t, ids[other.Schemas[0].Schema])
}

func TestNestedFieldsHavePaths(t *testing.T) {
	schema := contributionOf(t, withFacet(t, `"schema": {"fields": [
		{"name": "customer", "type": "struct", "fields": [{"name": "id", "type": "bigint"}]},
		{"name": "lines", "type": "array", "fields": [{"name": "_element", "type": "struct", "fields": [{"name": "sku", "type": {"odd": true}}]}]}]}`)).SchemaContents[0]
	var fields []string
	schema.Walk(func(path lineage.FieldPath, field lineage.Field) {
		fields = append(fields, fmt.Sprint(path, " ", field.Type))
	})
	require.Equal(t, []string{
		"customer struct", "customer.id bigint", "lines array", "lines[] struct", `lines[].sku {"odd":true}`,
	}, fields)
}

func TestDeepAndWideSchemaIsKeptWhole(t *testing.T) {
	document, err := os.ReadFile(filepath.Join(corpus, "synthetic/schema-deep-wide/01.json"))
	requireCorpus(t)
	require.NoError(t, err)
	schema := contributionOf(t, document).SchemaContents[0]
	fields, deepest := 0, 0
	schema.Walk(func(path lineage.FieldPath, _ lineage.Field) {
		fields++
		deepest = max(deepest, strings.Count(string(path), ".")+1)
	})
	require.GreaterOrEqual(t, fields, 3060)
	require.GreaterOrEqual(t, deepest, 60)
}

func TestWhatLiesTooDeepIsLeftOutWithAWarning(t *testing.T) {
	field := `{"name": "leaf"}`
	for range 120 {
		field = `{"name": "f", "fields": [` + field + `]}`
	}
	event := decode(t, withFacet(t, `"schema": {"fields": [`+field+`]}`))
	contribution, warnings := lineage.NewContribution(event, arrivalOf(t, []byte(field), "1"))
	require.Equal(t, "deep_schema", warnings[0].Code)
	deepest := 0
	contribution.SchemaContents[0].Walk(func(path lineage.FieldPath, _ lineage.Field) {
		deepest = max(deepest, strings.Count(string(path), ".")+1)
	})
	require.Equal(t, 100, deepest)
}

func TestDatasetEventDeclaresASchemaWithoutFeedingAnything(t *testing.T) {
	document := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n", "name": "v", "facets": {"schema": {"fields": [{"name": "id"}]}}}}`
	statements := declare(t, []byte(document), "1")
	require.Len(t, statements, 1)
	require.Equal(t, lineage.SchemaLevel, statements[0].Content.Level())
	require.Equal(t, lineage.Declared, statements[0].Origin)
	require.Equal(t, "producer", statements[0].Scope)
}

func TestDropEndsTheSchemaAndRetractsNoLineage(t *testing.T) {
	contribution := contributionOf(t, withFacet(t, `"lifecycleStateChange": {"lifecycleStateChange": "DROP"}, "schema": {"fields": [{"name": "id"}]}`))
	statements := published(contribution).Statements()
	require.Equal(t, []string{"public.orders -> orders"}, edges(ofLevel(statements, lineage.FlowLevel)))
	life := ofLevel(statements, lineage.LifeLevel)
	require.Len(t, life, 1)
	require.Equal(t, lineage.Dropped, life[0].Content)
	schema := ofLevel(statements, lineage.SchemaLevel)
	require.Len(t, schema, 1)
	require.Zero(t, schema[0].Content.ID())
}

func TestRunThatOnlyDropsWritesNothing(t *testing.T) {
	drop := edited(t, string(withFacet(t, `"lifecycleStateChange": {"lifecycleStateChange": "DROP"}`)), inputsMember+",", "")
	require.Empty(t, ofLevel(published(contributionOf(t, drop)).Statements(), lineage.FlowLevel))
}

func TestTruncateAndOverwriteSayNothingOfExistence(t *testing.T) {
	for _, change := range []string{"TRUNCATE", "OVERWRITE", "ALTER", "RENAME", "else"} {
		contribution := contributionOf(t, withFacet(t, `"lifecycleStateChange": {"lifecycleStateChange": "`+change+`"}`))
		require.Empty(t, contribution.Lives, change)
	}
	created := contributionOf(t, withFacet(t, `"lifecycleStateChange": {"lifecycleStateChange": "create", "previousIdentifier": 7}`))
	require.Equal(t, lineage.Created, created.Lives[0].Life)
}

// contributionOf is what a document contributes.
func contributionOf(t *testing.T, document []byte) lineage.Contribution {
	t.Helper()
	contribution, _ := lineage.NewContribution(decode(t, document), arrivalOf(t, document, "1"))
	return contribution
}
