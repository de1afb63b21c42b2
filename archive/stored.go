package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Stored describes the lines of a segment as they rest in the bucket. It is part of every manifest.
type Stored struct {
	FormatVersion int    `json:"formatVersion"`
	Codec         string `json:"codec"`
	// Object is the key of the lines in the bucket, Count their number.
	Object string `json:"object"`
	Count  int64  `json:"count"`
	// Bytes and SHA256 are of the object as it is stored, compressed.
	Bytes     int64     `json:"bytes"`
	SHA256    Digest    `json:"sha256"`
	CreatedAt time.Time `json:"createdAt"`
}

const (
	formatVersion = 1
	codec         = "ndjson+zstd"
)

// checkFormat tells whether this code can read it.
func (s Stored) checkFormat() error {
	if s.FormatVersion == formatVersion && s.Codec == codec {
		return nil
	}
	return fmt.Errorf("segments of format %d, codec %q, need another version of Headwater; this one reads format %d, codec %q",
		s.FormatVersion, s.Codec, formatVersion, codec)
}

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

// CorruptError means that an object of the archive is not what was written there.
type CorruptError struct{ Object, Reason string }

// Error names the object and what is wrong with it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("the archive's object %s is corrupt: %s", e.Object, e.Reason)
}
