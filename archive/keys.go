package archive

import (
	"fmt"
	"strconv"
	"strings"
)

// prefix is where in the bucket the segments of one kind lie. A segment is named by the number of its first line, an
// offset or an id, zero-padded: so keys are listed in the order of the numbers.
type prefix string

const (
	logPrefix        prefix = "segments/"
	quarantinePrefix prefix = "quarantine/"
)

const (
	objectSuffix   = ".ndjson.zst"
	manifestSuffix = ".manifest.json"
)

func (p prefix) object(first int64) string { return fmt.Sprintf("%s%020d%s", p, first, objectSuffix) }

func (p prefix) manifest(first int64) string {
	return fmt.Sprintf("%s%020d%s", p, first, manifestSuffix)
}

// first reads the key of a manifest. It reports false for any other key.
func (p prefix) first(key string) (int64, bool) {
	digits, isManifest := strings.CutSuffix(strings.TrimPrefix(key, string(p)), manifestSuffix)
	first, err := strconv.ParseInt(digits, 10, 64)
	return first, isManifest && err == nil && key == p.manifest(first)
}
