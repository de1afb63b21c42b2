package testenv

import (
	"context"
	"os"
	"sync"
	"testing"
)

// server is a shared service: one address for all tests of this process.
type server struct {
	variable string // of the environment; holds the address of a server that already runs
	start    func(ctx context.Context, dir string) (process, string, error)

	once    sync.Once
	address string
	err     error
}

// process is what is left to do with a server that was started.
type process interface{ Stop() }

// require returns the address of the service. It starts the service when nobody has, and fails the test when that
// is impossible.
func (s *server) require(t testing.TB) string {
	t.Helper()
	s.once.Do(func() {
		if s.address = os.Getenv(s.variable); s.address != "" {
			return
		}
		var dir string
		if dir, s.err = privateDir(); s.err != nil {
			return
		}
		// Nobody stops it: the kernel does, when this process ends.
		_, s.address, s.err = s.start(context.Background(), dir)
	})
	if s.err != nil {
		t.Fatalf("testenv: %v", s.err)
	}
	return s.address
}
