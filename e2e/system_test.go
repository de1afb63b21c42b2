package e2e

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/headwater-data/headwater/internal/system"
)

// repository is where this package's tests run from, seen from their directory.
const repository = ".."

// producerName is in the log as the producer of what the tests send.
const producerName = system.ProducerName

// headwater is what all tests talk to.
var headwater *deployment

// deployment is the whole of Headwater with those who act on it.
type deployment struct {
	*system.System
	admin, reader, producer caller
}

// deploy starts everything. What it returns must be stopped, also after an error.
func deploy(dir string) (*deployment, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL runs as another user when tests run as root
		return nil, err
	}
	policies := filepath.Join(dir, "gated-policies")
	if err := gatedPolicies(policies); err != nil {
		return nil, err
	}
	started, err := system.Start(ctx, system.Config{
		Dir: dir, Tools: filepath.Join(repository, ".bin"), Policies: policies, Volatile: true,
	})
	if err == nil {
		for _, c := range []*system.Caller{started.Admin, started.Reader, started.Producer} {
			c.HTTP.Timeout = patience
		}
	}
	return &deployment{
		System: started, admin: caller{started.Admin}, reader: caller{started.Reader}, producer: caller{started.Producer},
	}, err
}
