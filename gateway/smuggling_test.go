package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hidden is a request that an attacker hides in the body of another one, from a proxy that believes another length.
const hidden = "POST /api/v1/lineage HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"

func TestNoRequestIsSmuggledInTheBodyOfAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := string(runEvent("START"))
	length := fmt.Sprintf("Content-Length: %d\r\n", len(event))
	requests := map[string]string{
		"length and chunks":            raw(length+"Transfer-Encoding: chunked\r\n", chunked(event)+hidden),
		"chunks and length":            raw("Transfer-Encoding: chunked\r\n"+length, chunked(event)+hidden),
		"two lengths":                  raw(length+"Content-Length: 0\r\n", event+hidden),
		"a list of lengths":            raw(fmt.Sprintf("Content-Length: %d, 0\r\n", len(event)), event+hidden),
		"a signed length":              raw(fmt.Sprintf("Content-Length: +%d\r\n", len(event)), event+hidden),
		"a length in hexadecimal":      raw(fmt.Sprintf("Content-Length: 0x%x\r\n", len(event)), event+hidden),
		"a length below zero":          raw("Content-Length: -1\r\n", event+hidden),
		"a length beyond all integers": raw("Content-Length: 99999999999999999999\r\n", event+hidden),
		"a space before the colon":     raw(fmt.Sprintf("Content-Length : %d\r\n", len(event)), event+hidden),
		"a folded header":              raw("Transfer-Encoding:\r\n chunked\r\nX: y\r\n "+length, chunked(event)+hidden),
		"an unknown coding":            raw("Transfer-Encoding: xchunked\r\n"+length, event+hidden),
		"two codings":                  raw("Transfer-Encoding: chunked, identity\r\n"+length, chunked(event)+hidden),
		"two headers of codings":       raw("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n"+length, chunked(event)+hidden),
		"a coding behind a tab":        raw("Transfer-Encoding: \x0bchunked\r\n"+length, chunked(event)+hidden),
		"a bare line feed":             raw("X: y\nTransfer-Encoding: chunked\n"+length, chunked(event)+hidden),
		"chunks of HTTP/1.0":           strings.Replace(raw("Transfer-Encoding: chunked\r\n"+length, chunked(event)+hidden), "HTTP/1.1", "HTTP/1.0", 1),
		"a chunk below zero":           raw("Transfer-Encoding: chunked\r\n", "-1\r\n"+event+"\r\n0\r\n\r\n"+hidden),
		"a chunk beyond all integers":  raw("Transfer-Encoding: chunked\r\n", "10000000000000001\r\n"+event+"\r\n0\r\n\r\n"+hidden),
		"a chunk in a prefix of 0x":    raw("Transfer-Encoding: chunked\r\n", fmt.Sprintf("0x%x\r\n%s\r\n0\r\n\r\n", len(event), event)+hidden),
		"a chunk of another length":    raw("Transfer-Encoding: chunked\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(event)-5, event)+hidden),
	}
	t.Run("one answer", func(t *testing.T) {
		for name, request := range requests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				require.Len(t, b.say(t, request), 1)
			})
		}
	})
	for _, kept := range b.refused(t) {
		require.NotEqual(t, "{}", string(kept.Payload), "what was hidden was taken")
	}
}

func TestAChunkedBodyNeedsNoLength(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := string(runEvent("START"))
	require.Equal(t, []int{http.StatusCreated}, b.say(t, raw("Transfer-Encoding: chunked\r\n", chunked(event[:100], event[100:]))))
	require.Len(t, b.entries(t), 1)
}
