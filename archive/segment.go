package archive

import (
	"errors"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
)

// Segment describes a closed range of the log that rests in the archive. Its JSON is the manifest beside the object;
// what has no manifest is no segment.
type Segment struct {
	// Stored counts one entry for each offset.
	Stored
	Epoch       lineage.Epoch  `json:"epoch"`
	FirstOffset lineage.Offset `json:"firstOffset"`
	LastOffset  lineage.Offset `json:"lastOffset"`
}

// logSegments is how ranges of the log are written and read.
var logSegments = kind[lineage.Entry, entryLine]{
	prefix: logPrefix, source: "the log", line: lineOfEntry, equal: equalEntries,
}

// HoleError means that no segment holds the offsets from From to To.
type HoleError struct{ From, To lineage.Offset }

// Error names the missing offsets.
func (e *HoleError) Error() string {
	return fmt.Sprintf("the archive has a hole: no segment holds offsets %d to %d; look for deleted objects or hidden versions", e.From, e.To)
}

// LongerError means that the archive holds a segment that begins with the entries given and goes on up to LastOffset.
// To adopt it, write it once more with all of them.
type LongerError struct{ FirstOffset, LastOffset lineage.Offset }

// Error says which entries would do.
func (e *LongerError) Error() string {
	return fmt.Sprintf("the archive has a longer segment already; write offsets %d to %d to adopt it", e.FirstOffset, e.LastOffset)
}

func (s Segment) key() string { return logPrefix.manifest(int64(s.FirstOffset)) }

func (s Segment) validate(key string) error {
	if err := s.checkFormat(); err != nil {
		return err
	}
	switch {
	case s.key() != key || s.Object != logPrefix.object(int64(s.FirstOffset)):
		return &CorruptError{key, fmt.Sprintf("it describes offset %d and object %q", s.FirstOffset, s.Object)}
	case s.LastOffset < s.FirstOffset || s.Count != int64(s.LastOffset-s.FirstOffset)+1:
		return &CorruptError{key, fmt.Sprintf("%d entries do not fill offsets %d to %d", s.Count, s.FirstOffset, s.LastOffset)}
	default:
		return nil
	}
}

func (s Segment) describesSame(other Segment) bool {
	s.CreatedAt = other.CreatedAt
	return s == other
}

// checkRange tells whether entries can be a segment: at least one, all of one epoch, without gaps.
func checkRange(entries []lineage.Entry) error {
	if len(entries) == 0 {
		return errors.New("a segment needs at least one entry")
	}
	first := entries[0]
	for i, entry := range entries {
		if entry.Epoch != first.Epoch {
			return fmt.Errorf("offset %d opens epoch %d; begin a new segment there", entry.Offset, entry.Epoch)
		}
		if want := first.Offset + lineage.Offset(i); entry.Offset != want {
			return fmt.Errorf("offset %d stands where a segment from %d must hold %d", entry.Offset, first.Offset, want)
		}
	}
	return nil
}
