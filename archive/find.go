package archive

import (
	"context"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
)

// Finder finds single events in the archive. It writes nothing: keys that may read objects are enough for it.
type Finder struct {
	archive   *Archive
	catalogue *Catalogue
}

// NewFinder finds what the catalogue lists. The archive is asked for nothing yet, so that it may be away meanwhile.
func NewFinder(config Config, catalogue *Catalogue) (*Finder, error) {
	config = config.withDefaults()
	a, err := dial(config)
	if err != nil {
		return nil, fmt.Errorf("find events in bucket %q at %s: %w", config.Bucket, config.Endpoint, err)
	}
	return &Finder{a, catalogue}, nil
}

// Entry reads the event at an offset, and the segment around it up to there. What no segment holds is a *HoleError.
func (f *Finder) Entry(ctx context.Context, offset lineage.Offset) (lineage.Entry, error) {
	segments, err := f.catalogue.Segments(ctx, offset-1)
	if err != nil {
		return lineage.Entry{}, err
	}
	if len(segments) > 0 {
		for entry, err := range f.archive.ReadSegment(ctx, segments[0]) {
			if err != nil {
				return lineage.Entry{}, fmt.Errorf("find offset %d in the archive: %w", offset, err)
			}
			if entry.Offset == offset {
				return entry, nil
			}
		}
	}
	return lineage.Entry{}, &HoleError{From: offset, To: offset}
}
