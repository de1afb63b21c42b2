package stack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// releaseLock removes the lock file that a server left behind when it was killed; otherwise the next server would
// refuse to start as soon as another process has the same id. A server that is still alive was left behind by a parent
// that was killed: it is asked to end. The result tells whether a killed server left the lock.
func (c *cluster) releaseLock(ctx context.Context) (wasKilled bool, err error) {
	lock := filepath.Join(c.dataDir(), "postmaster.pid")
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	for {
		content, err := os.ReadFile(lock)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		firstLine, _, _ := strings.Cut(string(content), "\n")
		pid, err := strconv.Atoi(firstLine)
		if err != nil || !c.serves(pid) {
			return true, os.Remove(lock)
		}
		_ = syscall.Kill(pid, syscall.SIGINT) // it may have ended by now
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("process %d still uses %s: stop it first", pid, c.dir)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// serves tells whether the process is a server on this data directory.
func (c *cluster) serves(pid int) bool {
	return strings.Contains(commandLine(pid), c.dataDir())
}
