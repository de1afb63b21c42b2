package archive

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"

	"github.com/headwater-data/headwater/lineage"
)

// encode gives the object of a segment: a line for each entry, compressed.
func encode(entries []lineage.Entry) ([]byte, error) {
	var object bytes.Buffer
	compressor, err := zstd.NewWriter(&object, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	lines := jsontext.NewEncoder(compressor) // it ends each top-level value with a newline
	for _, entry := range entries {
		if err := json.MarshalEncode(lines, lineOf(entry)); err != nil {
			return nil, err
		}
	}
	if err := compressor.Close(); err != nil {
		return nil, err
	}
	return object.Bytes(), nil
}

// decode gives the entries of an object one by one. It ends with the first error.
func decode(object []byte) iter.Seq2[lineage.Entry, error] {
	return func(yield func(lineage.Entry, error) bool) {
		decompressor, err := zstd.NewReader(bytes.NewReader(object), zstd.WithDecoderConcurrency(1))
		if err != nil {
			yield(lineage.Entry{}, err)
			return
		}
		defer decompressor.Close()
		lines := jsontext.NewDecoder(decompressor)
		for {
			var read line
			err := json.UnmarshalDecode(lines, &read)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(read.entry(), err) || err != nil {
				return
			}
		}
	}
}
