package testenv

import (
	"fmt"
	"os"
	"path/filepath"

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
	_, err = stack.Lock(dir) // held until this process ends
	return dir, err
}

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
