package archive

import (
	"context"
	"encoding/json/v2"
)

// manifest is what stands beside the lines of a segment: a Segment or a RefusedSegment. With it the segment exists.
type manifest[M any] interface {
	// key is its own in the bucket.
	key() string
	// validate checks what was read under a key.
	validate(key string) error
	// describesSame reports whether both say the same of the same object, whenever they were made.
	describesSame(M) bool
}

// describe writes the manifest of a verified object, or finds that an earlier one says the same. It gives the one that
// stands.
func describe[M manifest[M]](ctx context.Context, a *Archive, segment M) (M, error) {
	var none M
	text, err := json.Marshal(segment)
	if err != nil {
		return none, err
	}
	if _, err := a.putOnce(ctx, segment.key(), "application/json", append(text, '\n')); err != nil {
		return none, err
	}
	standing, err := readManifest[M](ctx, a, segment.key())
	if err != nil {
		return none, err
	}
	if !standing.describesSame(segment) {
		return none, &CorruptError{segment.key(), "it describes another object than the one beside it"}
	}
	return standing, nil
}

func readManifest[M manifest[M]](ctx context.Context, a *Archive, key string) (M, error) {
	var segment, none M
	text, err := a.get(ctx, key)
	if err != nil {
		return none, err
	}
	if err := json.Unmarshal(text, &segment); err != nil {
		return none, &CorruptError{key, err.Error()}
	}
	return segment, segment.validate(key)
}
