package gateway

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
)

// errBodyTooLarge means that a body is over the limit, as sent or after decompression.
var errBodyTooLarge = errors.New("body too large")

// errBodyIncomplete means that the body did not arrive whole; there is nothing that could be kept of it.
var errBodyIncomplete = errors.New("body incomplete")

// readBody reads a body whole and decompresses it. Where it cannot be decompressed it returns the bytes as they were
// sent, with a *refusal. There is an error also where the gateway holds too much already, see isOverload.
func readBody(r *http.Request, limit int64) ([]byte, error) {
	sent, err := readAll(r.Body, limit, min(r.ContentLength, limit, maxPresize))
	switch {
	case isOverload(err):
		return nil, err
	case err != nil:
		return nil, errors.Join(errBodyIncomplete, err)
	case int64(len(sent)) > limit:
		// Most clients read no answer before they have sent their body, so some of the rest is taken off them.
		_, _ = io.CopyN(io.Discard, r.Body, limit)
		return nil, errBodyTooLarge
	}
	switch encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		return sent, nil
	case "gzip", "x-gzip":
		return gunzip(sent, limit, inflating(r.Context()))
	default:
		return sent, &refusal{
			code:   "unknown_encoding",
			path:   "Content-Encoding",
			reason: "is none of gzip and identity; send the body in one of them",
		}
	}
}

// maxPresize bounds what is set aside for a body on the word of its Content-Length alone.
const maxPresize = 256 << 10

// readAll reads to the end or one byte over the limit. A size that was foretold, unless it is negative, spares copies.
func readAll(r io.Reader, limit, foretold int64) ([]byte, error) {
	var read bytes.Buffer
	read.Grow(int(max(foretold, 0)) + bytes.MinRead)
	_, err := read.ReadFrom(io.LimitReader(r, limit+1))
	return read.Bytes(), err
}

// inflating counts what a body inflates to like what was read of it.
func inflating(ctx context.Context) func(io.Reader) io.Reader {
	if m, metered := meterOf(ctx); metered {
		return m.limit
	}
	return func(r io.Reader) io.Reader { return r }
}

// gunzip stops one byte over the limit, so that a small body which would inflate without end costs no more than a
// large one.
func gunzip(sent []byte, limit int64, counted func(io.Reader) io.Reader) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil {
		return sent, badGzip(err)
	}
	body, err := readAll(counted(reader), limit, 4*int64(len(sent)))
	switch {
	case isOverload(err):
		return nil, err
	case err != nil:
		return sent, badGzip(err)
	case int64(len(body)) > limit:
		return nil, errBodyTooLarge
	}
	return body, nil
}

func badGzip(err error) *refusal {
	return &refusal{code: "bad_gzip", reason: "the body is not the gzip that its Content-Encoding says: " + err.Error()}
}
