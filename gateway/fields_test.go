package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// publishColumns tells of a run that makes a table of another and states how a column comes about, directly and by a key.
func (b *bundle) publishColumns(t *testing.T, input, output, column, source, key string) {
	t.Helper()
	document := strings.NewReplacer("INPUT", input, "OUTPUT", output, "COLUMN", column, "SOURCE", source, "KEY", key,
		"NOW", time.Now().Format(time.RFC3339)).Replace(`{
		"eventType": "COMPLETE", "eventTime": "NOW", "run": {"runId": "columns of OUTPUT"},
		"job": {"namespace": "spark-prod", "name": "make OUTPUT"},
		"inputs": [{"namespace": "warehouse", "name": "INPUT"}],
		"outputs": [{"namespace": "warehouse", "name": "OUTPUT", "facets": {"columnLineage": {
			"fields": {"COLUMN": {"inputFields": [{"namespace": "warehouse", "name": "INPUT", "field": "SOURCE",
				"transformations": [{"type": "DIRECT", "subtype": "AGGREGATION", "masking": true}]}]}},
			"dataset": [{"namespace": "warehouse", "name": "INPUT", "field": "KEY", "transformations": [{"type": "INDIRECT", "subtype": "JOIN"}]}]
		}}}]}`)
	require.Equal(t, http.StatusCreated, b.post(t, "/api/v1/lineage", []byte(document)).Status)
	b.published(t, lineage.RunKey{Job: lineage.JobID{Namespace: "spark-prod", Name: "make " + output}, RunID: "columns of " + output}, output)
}

func TestFieldsAreTraversed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "source", "raw")
	b.publishColumns(t, "raw", "mart", "total", "amounts[0].value", "id")
	ask := func(more string) map[string]any {
		answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(
			`{"start":{"field":{"namespace":"warehouse","name":"mart","path":"total"}},"direction":"DIRECTION_UPSTREAM"`+more+`}`))
		require.Equal(t, http.StatusOK, answered.Status, answered.Body)
		return answered.Body
	}
	body := ask("")
	nodes := body["nodes"].([]any)
	require.Len(t, nodes, 4)
	start, whole := nodes[0].(map[string]any), nodes[1].(map[string]any)
	require.Equal(t, map[string]any{"namespace": "warehouse", "name": "mart", "path": "total"}, start["field"])
	require.Equal(t, map[string]any{"namespace": "warehouse", "name": "mart"}, whole["dataset"], "what influences all of it")
	require.EqualValues(t, 0, whole["depth"])
	value := nodes[2].(map[string]any)
	require.Equal(t, map[string]any{"namespace": "warehouse", "name": "raw", "path": "amounts[].value"}, value["field"])

	edges := body["edges"].([]any)
	require.Len(t, edges, 2)
	direct, indirect := edges[0].(map[string]any), edges[1].(map[string]any)
	require.Equal(t, value["id"], direct["from"])
	require.Equal(t, start["id"], direct["to"])
	require.Equal(t, "DERIVATION_COLUMN_LINEAGE", direct["derivation"])
	require.Equal(t, []any{map[string]any{"kind": "TRANSFORMATION_KIND_DIRECT", "subtype": "AGGREGATION", "masking": true}}, direct["transformations"])
	require.Equal(t, whole["id"], indirect["to"])

	level := body["tableLevel"].(map[string]any)
	require.Len(t, level["nodes"], 2)
	require.Equal(t, "make raw", level["edges"].([]any)[0].(map[string]any)["job"].(map[string]any)["name"])
	gaps := body["gaps"].([]any)
	gap := gaps[len(gaps)-1].(map[string]any)
	require.Equal(t, "GAP_KIND_NO_COLUMN_LINEAGE", gap["kind"])
	require.Equal(t, map[string]any{"namespace": "spark-prod", "name": "make raw"}, gap["job"])

	require.Len(t, ask(`,"transformations":["TRANSFORMATION_KIND_DIRECT"]`)["edges"], 1)
	require.Len(t, ask(`,"transformations":["TRANSFORMATION_KIND_INDIRECT"]`)["edges"], 1)
}

func TestFieldOfATableThatNobodyKnowsIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(
		`{"start":{"field":{"namespace":"warehouse","name":"nowhere","path":"total"}},"direction":"DIRECTION_UPSTREAM"}`))
	require.Equal(t, "not_found", answered.Body["code"])
	require.Equal(t, `no dataset "nowhere" is known in namespace "warehouse"`, answered.Body["message"])
}

func TestTheContractNumbersTransformationsAsTheDomainDoes(t *testing.T) {
	t.Parallel()
	require.Equal(t, headwaterv1.TransformationKind_TRANSFORMATION_KIND_DIRECT, headwaterv1.TransformationKind(lineage.Direct))
	require.Equal(t, headwaterv1.TransformationKind_TRANSFORMATION_KIND_INDIRECT, headwaterv1.TransformationKind(lineage.Indirect))
}

func TestStartThatIsNoFieldOfItsTableIsToldOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusCreated, b.post(t, "/api/v1/lineage", []byte(`{"eventTime": "2024-06-01T10:00:00Z",
		"dataset": {"namespace": "warehouse", "name": "mart", "facets": {"schema": {"fields": [{"name": "Total"}]}}}}`)).Status)
	b.fold(t)
	ask := func(path string) []any {
		answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(
			`{"start":{"field":{"namespace":"warehouse","name":"mart","path":"`+path+`"}},"direction":"DIRECTION_UPSTREAM"}`))
		require.Equal(t, http.StatusOK, answered.Status, answered.Body)
		var messages []any
		for _, gap := range answered.Body["gaps"].([]any) {
			if gap := gap.(map[string]any); gap["kind"] == "GAP_KIND_NO_SUCH_FIELD" {
				require.Equal(t, answered.Body["nodes"].([]any)[0].(map[string]any)["id"], gap["node"])
				messages = append(messages, gap["message"])
			}
		}
		return messages
	}
	require.Empty(t, ask("Total"))
	require.Equal(t, []any{"the schema of mart at that time has no field totals"}, ask("totals"))
	require.Equal(t, []any{"the schema of mart at that time has no field total; it has Total, which differs only in upper and lower case"}, ask("total"))
}

func TestColumnsAreFoundInAnyCaseAndShowAsTheSchemaSpellsThemUnderARuleThatFoldsThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusCreated, b.post(t, "/api/v1/lineage", []byte(`{"eventTime": "2024-06-01T10:00:00Z",
		"dataset": {"namespace": "warehouse", "name": "mart", "facets": {"schema": {"fields": [{"name": "orderTotal"}]},
			"columnLineage": {"fields": {"ORDERTOTAL": {"inputFields": [{"namespace": "warehouse", "name": "raw", "field": "Amount"}]}}}}}}`)).Status)
	ask := func() (paths, gaps []any) {
		b.fold(t)
		answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(
			`{"start":{"field":{"namespace":"warehouse","name":"mart","path":"ordertotal"}},"direction":"DIRECTION_UPSTREAM"}`))
		require.Equal(t, http.StatusOK, answered.Status, answered.Body)
		for _, node := range answered.Body["nodes"].([]any) {
			paths = append(paths, node.(map[string]any)["field"].(map[string]any)["path"])
		}
		for _, gap := range answered.Body["gaps"].([]any) {
			if kind := gap.(map[string]any)["kind"]; kind == "GAP_KIND_FIELD_SPELLED_OTHERWISE" {
				gaps = append(gaps, gap.(map[string]any)["message"])
			}
		}
		return paths, gaps
	}
	paths, gaps := ask()
	require.Equal(t, []any{"ordertotal"}, paths)
	require.Equal(t, []any{"more is said of ORDERTOTAL of mart, which differs from ordertotal only in upper and lower case: a name rule that folds columns makes them one"}, gaps)

	b.under(t, &headwaterv1.NameRuleSet{Namespaces: []*headwaterv1.NamespaceRule{{Namespace: "warehouse", Columns: "lower"}}})
	paths, gaps = ask()
	require.Equal(t, []any{"orderTotal", "amount"}, paths)
	require.Empty(t, gaps)
}

func TestWhatIsSaidOfAColumnShowsWhoeverSpellsItHow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, stated := range []string{
		`10:00:00Z", "dataset": {"namespace": "warehouse", "name": "mart", "facets": {"schema": {"fields": [{"name": "TOTAL", "description": "in cents"}]}}}}`,
		`11:00:00Z", "dataset": {"namespace": "warehouse", "name": "mart", "facets": {"schema": {"fields": [{"name": "Total"}]}}}}`,
	} {
		require.Equal(t, http.StatusCreated, b.post(t, "/api/v1/lineage", []byte(`{"eventTime": "2024-06-01T`+stated)).Status)
	}
	total := func() *headwaterv1.FieldDescription {
		answer, err := b.lineage().GetNode(t.Context(), &headwaterv1.GetNodeRequest{
			Node: &headwaterv1.GetNodeRequest_Dataset{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: "mart"}},
		})
		require.NoError(t, err)
		return answer.GetSchema().GetFields()[0]
	}
	b.fold(t)
	require.Equal(t, "Total", total().GetPath())
	require.Empty(t, total().GetDescription())
	require.Equal(t, 11, total().GetSince().AsTime().Hour())
	b.under(t, &headwaterv1.NameRuleSet{Namespaces: []*headwaterv1.NamespaceRule{{Namespace: "warehouse", Columns: "lower"}}})
	require.Equal(t, "Total", total().GetPath(), "as it is spelled now")
	require.Equal(t, "in cents", total().GetDescription())
	require.Equal(t, 10, total().GetSince().AsTime().Hour())
}

func TestRegisteredRuleSaysWhatBecomesOfColumns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	folds := &headwaterv1.NameRuleSet{Environment: "prod", Namespaces: []*headwaterv1.NamespaceRule{{Namespace: "warehouse", Columns: "lower"}}}
	response, err := b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{
		{Reason: "columns", Fact: &headwaterv1.Fact_NameRulesRegistered{NameRulesRegistered: &headwaterv1.NameRulesRegistered{Rules: folds}}},
	}})
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted())
	b.fold(t)
	b.under(t, folds)
	rules, err := b.admin().GetNameRules(t.Context(), &headwaterv1.GetNameRulesRequest{})
	require.NoError(t, err)
	require.Equal(t, rules.GetRegistered()[0].GetRevision(), rules.GetRevision(), "as it was registered")
	require.Equal(t, "lower", rules.GetRules().GetNamespaces()[0].GetColumns())
}
