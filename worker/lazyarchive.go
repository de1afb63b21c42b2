package worker

import (
	"context"
	"sync"

	"github.com/headwater-data/headwater/archive"
)

// lazyArchive opens the archive when it is first needed, so that a worker can start while the bucket is away.
type lazyArchive struct {
	open func(context.Context) (*archive.Archive, error)

	mu     sync.Mutex
	opened *archive.Archive
}

// get returns the archive. An error lets the next call try again.
func (l *lazyArchive) get(ctx context.Context) (*archive.Archive, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opened != nil {
		return l.opened, nil
	}
	opened, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	l.opened = opened
	return opened, nil
}
