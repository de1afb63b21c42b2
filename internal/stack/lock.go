package stack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrLocked tells that another process uses a directory.
var ErrLocked = errors.New("in use by another process")

// Lock takes a directory, created when missing, for this process. The lock ends with unlock or with the process,
// however that ends. It fails with [ErrLocked] when another process holds it.
func Lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return func() { _ = file.Close() }, nil
}
