package eventlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecompress requires of any bytes that stand where a payload should: they are an error or the payload of the size
// that is recorded beside them, and take no more memory than that.
func FuzzDecompress(f *testing.F) {
	f.Add(compress([]byte(`{"eventType":"START"}`)), int64(21))
	f.Add(compress(make([]byte, 1<<20)), int64(10))
	f.Add(compress(nil), int64(0))
	f.Add([]byte("\x28\xb5\x2f\xfd"), int64(1))
	f.Fuzz(func(t *testing.T, compressed []byte, size int64) {
		size = max(0, min(size, 1<<20))
		payload, err := decompress(compressed, size)
		if err == nil {
			require.NotNil(t, payload)
			require.LessOrEqual(t, int64(len(payload)), size)
		}
		again, err := decompress(compress(compressed), int64(len(compressed)))
		require.NoError(t, err)
		require.Equal(t, append([]byte{}, compressed...), again)
	})
}
