package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// requireVisible checks that a run that ended just now shows, published, and connects its input and output. How soon, is measured
// by make bench-lifecycle and told here.
func requireVisible(t *testing.T, run, namespace string) {
	t.Helper()
	began := time.Now()
	within(t, patience, func() error {
		got, err := headwater.reader.run(t, run)
		if err == nil && got.GetState() != headwaterv1.RunState_RUN_STATE_COMPLETED {
			err = fmt.Errorf("the run is %s", got.GetState())
		}
		return err
	})
	output := lineage.DatasetID{Namespace: namespace, Name: "mart.daily_orders"}
	within(t, patience, func() error {
		got, err := headwater.reader.upstream(t, output, 3)
		if err == nil && len(got.GetEdges()) != 1 {
			err = fmt.Errorf("there are %d edges", len(got.GetEdges()))
		}
		return err
	})
	t.Logf("its lineage showed after %v", time.Since(began).Round(time.Millisecond))
	got, err := headwater.reader.upstream(t, output, 3)
	require.NoError(t, err)
	require.Equal(t, []string{"mart.daily_orders", "raw.orders"}, names(got))
	require.True(t, got.GetCompleteness().GetComplete())
	edge := got.GetEdges()[0]
	require.Equal(t, run, edge.GetRunId())
	require.Equal(t, headwaterv1.Publication_PUBLICATION_PUBLISHED, edge.GetPublication())
	require.Equal(t, headwaterv1.Origin_ORIGIN_OBSERVED, edge.GetOrigin())
	require.Equal(t, producerName, edge.GetProducer())
}

func TestUnmodifiedPythonClientIsUnderstood(t *testing.T) {
	python, err := filepath.Abs(filepath.Join(repository, ".venv", "bin", "python"))
	require.NoError(t, err)
	if _, err := os.Stat(python); err != nil {
		t.Fatalf("%v: run `make e2e`, which installs the client first", err)
	}
	command := exec.CommandContext(t.Context(), python, "client.py")
	command.Env = append(os.Environ(), "OPENLINEAGE_URL="+headwater.producer.URL, "OPENLINEAGE_API_KEY="+headwater.producer.Token)
	command.Stderr = os.Stderr
	run, err := command.Output()
	require.NoError(t, err)
	requireVisible(t, strings.TrimSpace(string(run)), "e2e-python")
}

func TestCurlIsUnderstood(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed, so what it sends was not tested")
	}
	run := newRunID()
	complete := event{
		kind: lineage.Complete, at: time.Now(), run: run, namespace: "e2e-curl", job: "daily_orders",
		inputs: []string{"raw.orders"}, outputs: []string{"mart.daily_orders"},
	}
	// Without a Content-Type of its own, curl calls what it posts a form.
	output, err := exec.CommandContext(t.Context(), curl, "--silent", "--show-error", "--fail-with-body",
		"--header", "Authorization: Bearer "+headwater.producer.Token,
		"--data-binary", string(complete.document()), headwater.producer.URL+"/api/v1/lineage").CombinedOutput()
	require.NoError(t, err, string(output))
	requireVisible(t, run, "e2e-curl")

	question := fmt.Sprintf(`{"runId":%q}`, run)
	output, err = exec.CommandContext(t.Context(), curl, "--silent", "--show-error", "--fail-with-body",
		"--header", "Authorization: Bearer "+headwater.reader.Token, "--header", "Content-Type: application/json",
		"--data-binary", question, headwater.reader.URL+"/headwater.v1.RunService/GetRun").CombinedOutput()
	require.NoError(t, err, string(output))
	require.Contains(t, string(output), `"RUN_STATE_COMPLETED"`)
	require.Contains(t, string(output), `"PUBLICATION_PUBLISHED"`)
}

func TestWithoutATokenNothingIsAnswered(t *testing.T) {
	nobody := caller{system.NewCaller(headwater.reader.URL, "")}
	answered, err := nobody.post(event{kind: lineage.Start, at: time.Now(), run: newRunID(), namespace: "e2e", job: "j"}.document())
	require.NoError(t, err)
	require.Equal(t, 401, answered.Status)
	_, err = nobody.run(t, newRunID())
	require.ErrorContains(t, err, "unauthenticated")
}
