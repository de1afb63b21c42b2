package archive

import (
	"encoding/json/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// FuzzDecodeSegment requires of any bytes in the bucket: they are an error, or entries that survive being written again.
func FuzzDecodeSegment(f *testing.F) {
	entry := lineage.Entry{
		Epoch: 1, Offset: 7, ReceivedAt: time.Date(2026, 7, 19, 8, 30, 0, 0, time.UTC), Producer: "spark", EventID: "e",
		Format: lineage.FormatOpenLineage, Content: lineage.Hash{1}, Payload: []byte(`{"a":1}`),
	}
	object, err := logSegments.encode([]lineage.Entry{entry, entry})
	require.NoError(f, err)
	f.Add(object)
	f.Add(object[:len(object)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, object []byte) {
		var entries []lineage.Entry
		for entry, err := range logSegments.decode(object) {
			if err != nil {
				break
			}
			entries = append(entries, entry)
		}
		written, err := logSegments.encode(entries)
		if err != nil {
			return // a time that no JSON has
		}
		read := 0
		for again, err := range logSegments.decode(written) {
			require.NoError(t, err)
			require.True(t, equalEntries(entries[read], again))
			read++
		}
		require.Len(t, entries, read)
	})
}

// FuzzManifest requires of any manifest that it is refused or describes the segment under whose key it stands.
func FuzzManifest(f *testing.F) {
	text, err := json.Marshal(Segment{FirstOffset: 1, LastOffset: 2})
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"firstOffset": -1, "lastOffset": 9223372036854775807, "sha256": ""}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var segment Segment
		if json.Unmarshal(text, &segment) != nil || segment.validate(logPrefix.manifest(1)) != nil {
			return
		}
		require.EqualValues(t, 1, segment.FirstOffset)
		require.GreaterOrEqual(t, segment.LastOffset, segment.FirstOffset)
	})
}
