package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/headwater-data/headwater/internal/stack"
)

// privateDir makes a directory for a server of this process, after it has removed those of processes that ended.
func privateDir() (string, error) {
	parent := filepath.Join(os.TempDir(), fmt.Sprintf("headwater-test-%d", os.Getuid()))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	removeAbandoned(parent)
	dir, err := os.MkdirTemp(parent, "")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL runs as another user when tests run as root
		return "", err
	}
	unlock, err := stack.Lock(dir)
	if err != nil {
		return "", err
	}
	heldLocks.Store(dir, unlock)
	return dir, nil
}

// heldLocks keeps locks until this process ends: one that nothing refers to would be released by the garbage
// collector, and another process would then remove the directory of a running server.
var heldLocks sync.Map

// removeAbandoned removes the directories under parent whose lock ended with the process that made them.
func removeAbandoned(parent string) {
	locks, _ := filepath.Glob(filepath.Join(parent, "*", "lock")) // the pattern is valid
	for _, lock := range locks {
		dir := filepath.Dir(lock)
		if unlock, err := stack.Lock(dir); err == nil {
			_ = os.RemoveAll(dir) // what stays is tried again by the next process
			unlock()
		}
	}
}
