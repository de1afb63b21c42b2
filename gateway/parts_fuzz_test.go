package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/json/jsontext"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// FuzzSplitBatch requires of any bytes that they are refused with a reason or cut into the events that they hold.
func FuzzSplitBatch(f *testing.F) {
	for _, body := range []string{`[]`, `[{"a":1}, 2 ,null]`, "\xef\xbb\xbf[1]", `[1`, `[{"a":1,"a":2},"` + "\xff" + `"]`, `[1]x`, strings.Repeat("[", 9999)} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		const limit = 10
		events, err := splitBatch(body, limit)
		if refused, ok := errors.AsType[*refusal](err); ok {
			require.NotEmpty(t, refused.code)
			require.NotEmpty(t, refused.reason)
			return
		}
		if err != nil {
			require.ErrorIs(t, err, errTooManyEvents)
			return
		}
		require.LessOrEqual(t, len(events), limit)
		again, err := splitBatch(append(append([]byte("["), bytes.Join(events, []byte(","))...), ']'), limit)
		require.NoError(t, err)
		require.Equal(t, events, again)
		for _, event := range events {
			require.True(t, bytes.Contains(body, event), "an event is kept as it was sent")
		}
	})
}

// FuzzGunzip requires of any bytes that they inflate to no more than the limit, or are kept as they came.
func FuzzGunzip(f *testing.F) {
	const limit = 1 << 10
	for _, body := range []string{"", "{}", strings.Repeat("a", limit), strings.Repeat("a", 100*limit)} {
		var compressed bytes.Buffer
		writer := gzip.NewWriter(&compressed)
		_, err := io.WriteString(writer, body)
		require.NoError(f, errors.Join(err, writer.Close()))
		f.Add(compressed.Bytes())
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		body, err := gunzip(sent, limit, func(r io.Reader) io.Reader { return r })
		if _, refused := errors.AsType[*refusal](err); refused {
			require.Equal(t, sent, body)
			return
		}
		if err != nil {
			require.ErrorIs(t, err, errBodyTooLarge)
			return
		}
		require.LessOrEqual(t, len(body), limit)
	})
}

// FuzzEnvelope requires of any protobuf message that what is stored of it is canonical JSON, or refused, and that a
// second look at the same message stores the same.
func FuzzEnvelope(f *testing.F) {
	event, err := proto.Marshal(&headwaterv1.Event{EventId: "1", Producer: "spark", SchemaVersion: "1.0", RunId: "r"})
	require.NoError(f, err)
	f.Add(event)
	f.Add([]byte{0x0a, 0x01, 0xff})
	caller := policy.Principal{Name: "spark", Kind: policy.Producer}
	f.Fuzz(func(t *testing.T, wire []byte) {
		var event headwaterv1.Event
		if proto.Unmarshal(wire, &event) != nil {
			return
		}
		s := submissionOf(caller, &event)
		if s.refused != nil {
			require.NotEmpty(t, s.refused.code)
			return
		}
		require.True(t, jsontext.Value(s.payload).IsValid())
		require.Equal(t, s.payload, submissionOf(caller, &event).payload)
		_, err := lineage.Decode(s.format, s.payload, lineage.DefaultLimits())
		if err != nil {
			_, ok := errors.AsType[*lineage.InvalidError](err)
			require.True(t, ok)
		}
	})
}
