package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// Segment describes a closed range of the log that rests in the archive. Its JSON is the manifest beside the object;
// what has no manifest is no segment.
type Segment struct {
	FormatVersion int            `json:"formatVersion"`
	Codec         string         `json:"codec"`
	Epoch         lineage.Epoch  `json:"epoch"`
	FirstOffset   lineage.Offset `json:"firstOffset"`
	LastOffset    lineage.Offset `json:"lastOffset"`
	// Count is the number of entries: one for each offset.
	Count int64 `json:"count"`
	// Object is the key of the entries in the bucket.
	Object string `json:"object"`
	// Bytes and SHA256 are of the object as it is stored, compressed.
	Bytes     int64     `json:"bytes"`
	SHA256    Digest    `json:"sha256"`
	CreatedAt time.Time `json:"createdAt"`
}

const (
	formatVersion  = 1
	codec          = "ndjson+zstd"
	segmentPrefix  = "segments/"
	objectSuffix   = ".ndjson.zst"
	manifestSuffix = ".manifest.json"
)

// Digest is a SHA-256, in text as sha256sum prints it.
type Digest [sha256.Size]byte

// String is the digest in 64 lower-case hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText writes String.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (d *Digest) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(d) {
		return fmt.Errorf("a SHA-256 has 64 hexadecimal digits, not %d characters", len(text))
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// HoleError means that no segment holds the offsets from From to To.
type HoleError struct{ From, To lineage.Offset }

// Error names the missing offsets.
func (e *HoleError) Error() string {
	return fmt.Sprintf("the archive has a hole: no segment holds offsets %d to %d; look for deleted objects or hidden versions", e.From, e.To)
}

// CorruptError means that an object of the archive is not what was written there.
type CorruptError struct{ Object, Reason string }

// Error names the object and what is wrong with it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("the archive's object %s is corrupt: %s", e.Object, e.Reason)
}

// LongerError means that the archive holds a segment that begins with the entries given and goes on up to LastOffset.
// To adopt it, write it once more with all of them.
type LongerError struct{ FirstOffset, LastOffset lineage.Offset }

// Error says which entries would do.
func (e *LongerError) Error() string {
	return fmt.Sprintf("the archive has a longer segment already; write offsets %d to %d to adopt it", e.FirstOffset, e.LastOffset)
}

// Zero-padded keys are listed in the order of their offsets.
func objectKey(first lineage.Offset) string {
	return fmt.Sprintf("%s%020d%s", segmentPrefix, first, objectSuffix)
}

func manifestKey(first lineage.Offset) string {
	return fmt.Sprintf("%s%020d%s", segmentPrefix, first, manifestSuffix)
}

// firstOffset reads the key of a manifest. It reports false for any other key.
func firstOffset(key string) (lineage.Offset, bool) {
	digits, isManifest := strings.CutSuffix(strings.TrimPrefix(key, segmentPrefix), manifestSuffix)
	first, err := strconv.ParseInt(digits, 10, 64)
	return lineage.Offset(first), isManifest && err == nil && key == manifestKey(lineage.Offset(first))
}

// validate checks a manifest that was read for first.
func (s Segment) validate(first lineage.Offset) error {
	switch {
	case s.FormatVersion != formatVersion || s.Codec != codec:
		return fmt.Errorf("segments of format %d, codec %q, need another version of Headwater; this one reads format %d, codec %q",
			s.FormatVersion, s.Codec, formatVersion, codec)
	case s.FirstOffset != first || s.Object != objectKey(first):
		return &CorruptError{manifestKey(first), fmt.Sprintf("it describes offset %d and object %q", s.FirstOffset, s.Object)}
	case s.LastOffset < first || s.Count != int64(s.LastOffset-first)+1:
		return &CorruptError{manifestKey(first), fmt.Sprintf("%d entries do not fill offsets %d to %d", s.Count, first, s.LastOffset)}
	default:
		return nil
	}
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
