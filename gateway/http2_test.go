package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// attack is an HTTP/2 connection on which a test sends frames that no client would.
type attack struct {
	*http2.Framer
	headers bytes.Buffer
	encoder *hpack.Encoder
}

func (b *bundle) attack(t *testing.T) *attack {
	t.Helper()
	connection := b.dial(t)
	_, err := io.WriteString(connection, http2.ClientPreface)
	require.NoError(t, err)
	a := &attack{Framer: http2.NewFramer(connection, connection)}
	a.encoder = hpack.NewEncoder(&a.headers)
	require.NoError(t, a.WriteSettings())
	go func() { _, _ = io.Copy(io.Discard, connection) }() // or the server would wait for us to read
	return a
}

// post gives the header block of a request.
func (a *attack) post(t *testing.T) []byte {
	t.Helper()
	a.headers.Reset()
	for _, field := range []hpack.HeaderField{
		{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "http"}, {Name: ":authority", Value: "x"}, {Name: ":path", Value: singleDoor},
	} {
		require.NoError(t, a.encoder.WriteField(field))
	}
	return bytes.Clone(a.headers.Bytes())
}

func TestFloodsOfHTTP2KeepNobodyOut(t *testing.T) {
	t.Parallel()
	for name, flood := range map[string]func(*attack) error{
		"requests that are reset at once": func(a *attack) error {
			for stream := uint32(1); stream < 20_000; stream += 2 {
				if err := a.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: a.post(t), EndHeaders: true}); err != nil {
					return err
				}
				if err := a.WriteRSTStream(stream, http2.ErrCodeCancel); err != nil {
					return err
				}
			}
			return nil
		},
		"requests without an end": func(a *attack) error {
			for stream := uint32(1); stream < 4_000; stream += 2 {
				if err := a.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: a.post(t), EndHeaders: true}); err != nil {
					return err
				}
			}
			return nil
		},
		"headers without an end": func(a *attack) error {
			if err := a.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: a.post(t)}); err != nil {
				return err
			}
			for i := range 20_000 {
				a.headers.Reset()
				if err := a.encoder.WriteField(hpack.HeaderField{Name: fmt.Sprintf("x-%d", i), Value: "y"}); err != nil {
					return err
				}
				if err := a.WriteContinuation(1, false, a.headers.Bytes()); err != nil {
					return err
				}
			}
			return nil
		},
		"settings": func(a *attack) error {
			for range 20_000 {
				if err := a.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: 1}); err != nil {
					return err
				}
			}
			return nil
		},
		"pings": func(a *attack) error {
			for range 20_000 {
				if err := a.WritePing(false, [8]byte{}); err != nil {
					return err
				}
			}
			return nil
		},
		"empty data": func(a *attack) error {
			if err := a.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: a.post(t), EndHeaders: true}); err != nil {
				return err
			}
			for range 20_000 {
				if err := a.WriteData(1, false, nil); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t) // of its own, or what is left of one flood would count against the next
			began := time.Now()
			if err := flood(b.attack(t)); err != nil {
				t.Logf("the server ended it after %s: %v", time.Since(began), err)
			}
			require.Equal(t, 200, b.send(t, "GET", "/healthz", nil).Status)
			b.requireServes(t, name)
		})
	}
}
