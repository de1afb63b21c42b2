package lineage

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Hash is the first 128 bits of a SHA-256: the key of everything that is found by its content.
// The zero Hash stands for "none".
type Hash [16]byte

// HashOf hashes parts so that no two different lists of parts give the same input to the hash.
func HashOf[P ~string | ~[]byte](parts ...P) Hash {
	digest := sha256.New()
	var size [binary.MaxVarintLen64]byte
	for _, part := range parts {
		digest.Write(size[:binary.PutUvarint(size[:], uint64(len(part)))])
		digest.Write([]byte(part))
	}
	return Hash(digest.Sum(nil)[:16])
}

// IsZero reports whether h stands for "none".
func (h Hash) IsZero() bool { return h == Hash{} }

// String is the hash in 32 lower-case hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Short is the first 8 hexadecimal digits, for names that a person reads.
func (h Hash) Short() string { return hex.EncodeToString(h[:4]) }

// MarshalText writes String.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (h *Hash) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return fmt.Errorf("a hash has 32 hexadecimal digits, not %d characters", len(text))
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// Epoch numbers the lives of a log: a recovery that lost a tail opens the next one.
type Epoch int32

// Offset is an event's place in the log, from 1 and without gaps. It is also recorded time: when we knew.
type Offset int64

// Lanes is the number of lanes that the runs of a log are spread over.
const Lanes = 256

// LaneOf gives the lane of a run, so that each run keeps its order while lanes run side by side.
func LaneOf(run Hash) int16 { return int16(run[15]) }
