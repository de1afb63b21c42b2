package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// spelled are three ways in which producers write one table.
var spelled = []string{"raw.orders", "RAW.ORDERS", "raw.orders__dbt_tmp"}

const namesOfOrders = `namespaces:
  - namespace: e2e-names
    environment: test
    case: lower
    shape: schema.table
    staging: ["*__dbt_tmp"]
`

// awaitApproval waits until a replay asks for a verdict.
func awaitApproval(t *testing.T, name string) {
	t.Helper()
	within(t, 2*time.Minute, func() error {
		page, err := headwater.Command(t.Context(), "replay", "show", name)
		if err == nil && !strings.Contains(page, "awaiting approval") {
			err = fmt.Errorf("the replay is not there yet:\n%s", page)
		}
		return err
	})
}

func TestOneTableUnderThreeNamesBecomesOneNode(t *testing.T) {
	var runs []string
	for i, name := range spelled {
		runs = append(runs, newRunID())
		headwater.producer.send(t, event{
			kind: lineage.Complete, at: time.Now(), run: runs[i], namespace: "e2e-names", job: fmt.Sprint("report_", i),
			inputs: []string{name}, outputs: []string{fmt.Sprint("mart.report_", i)},
		})
	}
	awaitQuiet(t, time.Minute)
	file := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(file, []byte(namesOfOrders), 0o600))

	var plan headwaterv1.PlanNameRulesResponse
	require.NoError(t, protojson.Unmarshal([]byte(headwaterSays(t, "namespaces", "plan", file, "--json")), &plan))
	require.Len(t, plan.GetMerges(), 1)
	require.Equal(t, "raw.orders", plan.GetMerges()[0].GetInto().GetName())
	require.Len(t, plan.GetMerges()[0].GetFrom(), 3)

	said := headwaterSays(t, "namespaces", "apply", file, "--reason", "orders have one name")
	approve := regexp.MustCompile(`headwater replay approve (\S+)`).FindStringSubmatch(said)
	require.NotNil(t, approve, said)
	awaitApproval(t, approve[1])
	headwaterSays(t, "replay", "approve", approve[1], "--reason", "the plan is right")

	orders := &headwaterv1.Dataset{Namespace: "e2e-names", Name: spelled[1]}
	within(t, time.Minute, func() error {
		answer, err := headwater.reader.Lineage.Traverse(t.Context(), &headwaterv1.TraverseRequest{
			Start:     &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{Dataset: orders}},
			Direction: headwaterv1.Direction_DIRECTION_DOWNSTREAM,
		})
		if got := names(answer); err == nil && len(got) != 4 {
			err = fmt.Errorf("the answer has %v", got)
		} else if err == nil && got[0] != "raw.orders" {
			err = fmt.Errorf("it is known as %s", got[0])
		}
		return err
	})
	for i, run := range runs {
		got, err := headwater.reader.run(t, run)
		require.NoError(t, err)
		require.Equal(t, spelled[i], got.GetInputs()[0].GetDataset().GetName(), "the run keeps the raw name")
	}
	require.Contains(t, headwaterSays(t, "namespaces", "show"), "namespace: e2e-names")
	require.Regexp(t, `e2e-names +test `, headwaterSays(t, "namespaces", "list"))
}

func TestNameThatDoesNotFitIsJudged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(namesOfOrders, "e2e-names", "e2e-loose")), 0o600))
	headwaterSays(t, "namespaces", "apply", file, "--reason", "names have two parts", "--projection", "e2e-loose")
	awaitApproval(t, "e2e-loose")
	headwaterSays(t, "replay", "approve", "e2e-loose")
	headwater.producer.send(t, event{
		kind: lineage.Complete, at: time.Now(), run: newRunID(), namespace: "e2e-loose", job: "load",
		inputs: []string{"raw.orders"}, outputs: []string{"orders"},
	})
	queue := func() string { return headwaterSays(t, "unresolved", "list", "--namespace", "e2e-loose") }
	within(t, time.Minute, func() error {
		if list := queue(); !strings.Contains(list, "does not have the 2 parts of schema.table") {
			return fmt.Errorf("the queue has\n%s", list)
		}
		return nil
	})
	require.Contains(t, headwaterSays(t, "unresolved", "show", "e2e-loose", "orders"), "e2e-loose raw.orders", "a candidate")
	headwaterSays(t, "unresolved", "dismiss", "e2e-loose", "orders", "--reason", "a scratch table")
	within(t, patience, func() error {
		if list := queue(); !strings.Contains(list, "no name\n") {
			return fmt.Errorf("the queue has\n%s", list)
		}
		return nil
	})
}
