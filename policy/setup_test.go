package policy_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

var (
	producer = policy.Principal{Name: "spark-prod-eu", Kind: policy.Producer}
	reader   = policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}}
)

const (
	submit   = "/headwater.v1.IngestService/SubmitEvents"
	traverse = "/headwater.v1.LineageService/Traverse"
)

// defaults copies the default set into a directory and puts files over it; an empty content removes a file.
func defaults(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "policies")
	require.NoError(t, os.CopyFS(dir, policies.Files))
	for name, content := range files {
		if content == "" {
			require.NoError(t, os.Remove(filepath.Join(dir, name)))
			continue
		}
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}

// write puts a file in place whole, so that no reload meets half of it.
func write(t testing.TB, file, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	unfinished := filepath.Join(filepath.Dir(file), ".unfinished")
	require.NoError(t, os.WriteFile(unfinished, []byte(content), 0o644))
	require.NoError(t, os.Rename(unfinished, file))
}

func load(t testing.TB, dir string) *policy.Engine {
	t.Helper()
	engine, err := policy.Load(t.Context(), policy.Config{Dir: dir, Default: policies.Files, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return engine
}

// watched is an engine that follows its directory, and the outcome of each reload.
type watched struct {
	*policy.Engine
	reloads chan error
}

func watch(t *testing.T, dir string) watched {
	t.Helper()
	w := watched{reloads: make(chan error, 64)}
	engine, err := policy.Load(t.Context(), policy.Config{
		Dir:      dir,
		Log:      slog.New(slog.DiscardHandler),
		Reloaded: func(_ string, err error) { w.reloads <- err },
	})
	require.NoError(t, err)
	w.Engine = engine

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- engine.Watch(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return w
}

// reloaded waits for the next reload and gives its outcome.
func (w watched) reloaded(t *testing.T) error {
	t.Helper()
	select {
	case err := <-w.reloads:
		return err
	case <-time.After(2 * time.Minute):
		require.Fail(t, "the change was not noticed")
		return nil
	}
}

// requireTaken waits until a reload succeeds. One that meets the files halfway between two states may fail before.
func (w watched) requireTaken(t *testing.T) {
	t.Helper()
	for w.reloaded(t) != nil {
	}
}

func allowed(t *testing.T, engine *policy.Engine, principal policy.Principal, procedure string) bool {
	t.Helper()
	decision, err := engine.Authorize(t.Context(), principal, procedure)
	require.NoError(t, err)
	require.NotEmpty(t, decision.Reason)
	return decision.Allow
}
