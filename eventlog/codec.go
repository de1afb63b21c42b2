package eventlog

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// The coders hold buffers and are shared: EncodeAll and DecodeAll may be called side by side.
var (
	encoder = must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)))
	decoder = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0)))
)

func compress(payload []byte) []byte {
	return encoder.EncodeAll(payload, make([]byte, 0, len(payload)/2))
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
