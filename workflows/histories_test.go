package workflows_test

import (
	"compress/gzip"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"
)

// Running workflows must survive a change of their code. What they have in their histories is recorded under testdata,
// and replayed by every test run. A history stays when the code changes; new ones are added by
//
//	go test ./workflows -run TestRecordHistories -record
//
// which writes those that are missing, against a real Temporal server.
var record = flag.Bool("record", false, "record the histories that are missing under testdata")

func TestRecordedHistoriesReplay(t *testing.T) {
	for _, path := range recorded(t, "*") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			require.NoError(t, replayHistory(t, path))
		})
	}
}

func TestEveryPlayIsRecorded(t *testing.T) {
	for name := range plays {
		require.FileExists(t, historyFile(name))
	}
}

func TestRecordHistories(t *testing.T) {
	if !*record {
		t.Skip("only with -record")
	}
	for name, play := range plays {
		t.Run(name, func(t *testing.T) {
			path := historyFile(name)
			if _, err := os.Stat(path); err == nil {
				t.Skip("recorded before")
			}
			s := newStage(t)
			writeHistory(t, path, s.history(play(s)))
		})
	}
}

func historyFile(name string) string { return filepath.Join("testdata", name+".json.gz") }

// recorded are the files of histories whose name matches, of which there must be some.
func recorded(t *testing.T, name string) []string {
	t.Helper()
	paths, err := filepath.Glob(historyFile(name))
	require.NoError(t, err)
	require.NotEmpty(t, paths, name)
	return paths
}

// replayHistory replays a recorded history against the workflows as they are, or as interceptors change them.
func replayHistory(t *testing.T, path string, changed ...interceptor.WorkerInterceptor) error {
	t.Helper()
	replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{Interceptors: changed})
	require.NoError(t, err)
	register(replayer)
	return replayer.ReplayWorkflowHistory(quiet(), readHistory(t, path))
}

func writeHistory(t *testing.T, path string, recorded *history.History) {
	t.Helper()
	text, err := protojson.Marshal(recorded)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	compressed := gzip.NewWriter(file)
	_, err = compressed.Write(text)
	require.NoError(t, err)
	require.NoError(t, compressed.Close())
}

func readHistory(t *testing.T, path string) *history.History {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	text, err := gzip.NewReader(file)
	require.NoError(t, err)
	recorded, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return recorded
}

func quiet() log.Logger { return log.NewStructuredLogger(slog.New(slog.DiscardHandler)) }
