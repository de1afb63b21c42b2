package eventlog

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The coders hold buffers and are shared: EncodeAll and DecodeAll may be called side by side.
var (
	encoder = must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)))
	// What is read into a buffer of the recorded size never outgrows it, whatever the bytes claim to be.
	decoder = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true)))
)

// scratch holds buffers to compress into.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch bounds, in bytes, what a buffer of a large payload leaves behind.
const maxScratch = 1 << 20

// compress gives a slice that is no larger than its content: it may wait in a queue that is bounded by it.
func compress(payload []byte) []byte {
	buffer := scratch.Get().(*[]byte)
	written := encoder.EncodeAll(payload, (*buffer)[:0])
	compressed := bytes.Clone(written)
	if cap(written) <= maxScratch {
		*buffer = written
		scratch.Put(buffer)
	}
	return compressed
}

// decompress gives the payload, whose size is known. The result is never nil.
func decompress(compressed []byte, size int64) ([]byte, error) {
	payload, err := decoder.DecodeAll(compressed, make([]byte, 0, size))
	if err != nil {
		return nil, fmt.Errorf("decompress a payload: %w", err)
	}
	return payload, nil
}

// must is for coders whose options are constant.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
