package stack

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for what has to come: enough for a machine with much else to do.
const patience = time.Minute

func TestStopAsksInTheWayOfTheCommandAndWaits(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "marker")
	process, err := shell(`trap 'echo stopped >` + marker + `; exit 0' TERM; echo ready >` + marker + `; while :; do sleep 0.01; done`).Start()
	require.NoError(t, err)
	require.Eventually(t, func() bool { return contentOf(marker) == "ready\n" }, patience, time.Millisecond)

	process.Stop()
	require.NoError(t, process.Err())
	require.Equal(t, "stopped\n", contentOf(marker))
	process.Stop() // a second call does nothing
}

func TestWaitingEndsWithAProcessThatFails(t *testing.T) {
	process, err := shell(`exit 3`).Start()
	require.NoError(t, err)
	err = process.awaitReady(t.Context(), time.Minute, func(context.Context) error { return os.ErrNotExist })
	require.ErrorContains(t, err, "ended while it was starting: exit status 3")
}

func TestWaitingEndsAtItsDeadlineAndSaysWhatWasMissing(t *testing.T) {
	process, err := shell(`sleep 60`).Start()
	require.NoError(t, err)
	t.Cleanup(process.Stop)
	err = process.awaitReady(t.Context(), 100*time.Millisecond, func(context.Context) error { return os.ErrNotExist })
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestKilledProcessFinishesNothing(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "marker")
	process, err := shell(`trap 'echo stopped >` + marker + `' TERM EXIT; sleep 60`).Start()
	require.NoError(t, err)
	process.Kill()
	require.ErrorContains(t, process.Err(), "killed")
	require.Empty(t, contentOf(marker))
	process.Kill() // a second call does nothing
}

func TestPausedProcessStandsStillWithItsChildren(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells which children a process has")
	}
	ticks := filepath.Join(t.TempDir(), "ticks")
	process, err := shell(`(while kill -0 $$ && echo tick >>` + ticks + `; do sleep 0.01; done) & wait`).Start()
	require.NoError(t, err)
	t.Cleanup(process.Stop)
	requireGrowth := func() {
		t.Helper()
		before := contentOf(ticks)
		require.Eventually(t, func() bool { return contentOf(ticks) != before }, patience, time.Millisecond)
	}
	requireGrowth()
	require.NoError(t, process.Pause())
	require.Eventually(t, func() bool { // a tick that was under way may still be written
		before := contentOf(ticks)
		<-time.After(300 * time.Millisecond)
		return contentOf(ticks) == before
	}, patience, time.Millisecond)
	require.NoError(t, process.Continue())
	requireGrowth()
}

func TestErrorsQuoteTheEndOfTheLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(log, []byte("1\n2\n3\n4\n5\nFATAL: no space\n"), 0o600))
	err := WithLog(os.ErrClosed, log)
	require.ErrorIs(t, err, os.ErrClosed)
	require.ErrorContains(t, err, "\n2\n3\n4\n5\nFATAL: no space")
	require.NotContains(t, err.Error(), "\n1\n")
}

func shell(script string) Command {
	return Command{Name: "test", Path: "/bin/sh", Args: []string{"-c", script}}
}

func contentOf(path string) string {
	content, _ := os.ReadFile(path)
	return string(content)
}
