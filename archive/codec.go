package archive

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"
)

// encode gives the object of a segment: a line for each entry, compressed.
func encode(entries []Entry) ([]byte, error) {
	var object bytes.Buffer
	compressor, err := zstd.NewWriter(&object, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	lines := jsontext.NewEncoder(compressor) // it ends each top-level value with a newline
	for _, entry := range entries {
		if err := json.MarshalEncode(lines, entry); err != nil {
			return nil, err
		}
	}
	if err := compressor.Close(); err != nil {
		return nil, err
	}
	return object.Bytes(), nil
}

// decode gives the entries of an object one by one. It ends with the first error.
func decode(object []byte) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		decompressor, err := zstd.NewReader(bytes.NewReader(object), zstd.WithDecoderConcurrency(1))
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer decompressor.Close()
		lines := jsontext.NewDecoder(decompressor)
		for {
			var entry Entry
			err := json.UnmarshalDecode(lines, &entry)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}
