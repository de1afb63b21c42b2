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

// encode gives the object of a segment: a line for each record, compressed.
func (k kind[Record, Line]) encode(records []Record) ([]byte, error) {
	var object bytes.Buffer
	compressor, err := zstd.NewWriter(&object, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	lines := jsontext.NewEncoder(compressor) // it ends each top-level value with a newline
	for _, record := range records {
		if err := json.MarshalEncode(lines, k.line(record)); err != nil {
			return nil, err
		}
	}
	if err := compressor.Close(); err != nil {
		return nil, err
	}
	return object.Bytes(), nil
}

// decode gives the records of an object one by one. It ends with the first error.
func (k kind[Record, Line]) decode(object []byte) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var none Record
		decompressor, err := zstd.NewReader(bytes.NewReader(object), zstd.WithDecoderConcurrency(1))
		if err != nil {
			yield(none, err)
			return
		}
		defer decompressor.Close()
		lines := jsontext.NewDecoder(decompressor)
		for {
			var read Line
			err := json.UnmarshalDecode(lines, &read)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(read.record(), err) || err != nil {
				return
			}
		}
	}
}
