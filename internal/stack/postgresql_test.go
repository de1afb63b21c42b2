package stack

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestPostgreSQLKeepsItsDataAcrossStarts(t *testing.T) {
	dir := sharedTempDir(t)
	pg := startPG(t, dir)
	exec1(t, pg, `CREATE TABLE kept AS SELECT 42 AS answer`)
	pg.Stop()

	pg = startPG(t, dir)
	exec1(t, pg, `SELECT answer FROM kept`)
}

func TestPostgreSQLStartsAfterItWasKilled(t *testing.T) {
	dir := sharedTempDir(t)
	pg := startPG(t, dir)
	require.NoError(t, syscall.Kill(pg.PID(), syscall.SIGKILL))
	<-pg.Done()
	require.FileExists(t, filepath.Join(dir, "data", "postmaster.pid"))

	startPG(t, dir)
}

func TestPostgreSQLIgnoresALockOfAnUnrelatedProcess(t *testing.T) {
	dir := sharedTempDir(t)
	startPG(t, dir).Stop()
	// Process 1 is alive and is no PostgreSQL, as after a restart of a container, where ids are low.
	lock := filepath.Join(dir, "data", "postmaster.pid")
	require.NoError(t, os.WriteFile(lock, []byte("1\n"+dir+"/data\n"), 0o600))

	startPG(t, dir)
}

func TestPostgreSQLTakesOverFromAnOrphan(t *testing.T) {
	dir := sharedTempDir(t)
	orphan := startPG(t, dir)

	startPG(t, dir)
	<-orphan.Done()
}

func TestPostgreSQLNamesATakenPort(t *testing.T) {
	pg := startPG(t, sharedTempDir(t))

	_, err := StartPostgreSQL(t.Context(), PostgreSQLConfig{Dir: sharedTempDir(t), Port: pg.port, Volatile: true})
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	require.ErrorContains(t, err, "port ")
}

func TestPostgreSQLWorksBelowADirectoryClosedToOthers(t *testing.T) {
	dir := sharedTempDir(t)
	require.NoError(t, os.Chmod(dir, 0o700))

	startPG(t, filepath.Join(dir, "deep", "cluster"))
}

func TestCreateDatabaseTwiceKeepsTheFirst(t *testing.T) {
	pg := startPG(t, sharedTempDir(t))
	require.NoError(t, pg.CreateDatabase(t.Context(), "shop"))
	require.NoError(t, pg.CreateDatabase(t.Context(), "shop"))
}

// TestChildrenDieWithTheirParent starts this test binary again as a parent that is killed.
func TestChildrenDieWithTheirParent(t *testing.T) {
	const variable = "HEADWATER_TEST_PARENT_DIR"
	if dir := os.Getenv(variable); dir != "" {
		pg := startPG(t, dir)
		t.Log("child is up")
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
		<-pg.Done()
	}
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("needs a kernel that tells children of their parent's death")
	}
	dir := sharedTempDir(t)
	parent := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	parent.Env = append(os.Environ(), variable+"="+dir)
	output, err := parent.CombinedOutput()
	require.ErrorContains(t, err, "killed", "%s", output)
	require.Contains(t, string(output), "child is up")

	require.Eventually(t, func() bool { return !anyProcessUses(t, dir) }, patience, 50*time.Millisecond)
}

func anyProcessUses(t *testing.T, dir string) bool {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, line := range lines {
		if command, err := os.ReadFile(line); err == nil && strings.Contains(string(command), dir) {
			return true
		}
	}
	return false
}

func startPG(t *testing.T, dir string) *PostgreSQL {
	t.Helper()
	pg, err := StartPostgreSQL(context.Background(), PostgreSQLConfig{Dir: dir, Volatile: true})
	require.NoError(t, err)
	t.Cleanup(pg.Stop)
	return pg
}

func exec1(t *testing.T, pg *PostgreSQL, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), pg.URL(maintenanceName))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

// sharedTempDir is like t.TempDir, but other users may pass it, as they may pass most directories.
func sharedTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "stack-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
