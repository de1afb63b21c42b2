package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// BenchmarkDoor sends events of 20 KB from some callers at a time, each of which waits for its answer.
func BenchmarkDoor(b *testing.B) {
	gateway := setup(b, closed)
	token := gateway.token(b, "bench", "*")
	var fields strings.Builder
	for i := 0; fields.Len() < 19_500; i++ {
		fmt.Fprintf(&fields, `{"name":"column_%d","type":"decimal(18,2)","description":"%x"},`, i, i*2654435761)
	}
	document := strings.Replace(string(runEvent("RUNNING")), `"name":"mart.daily_orders"`,
		`"name":"mart.daily_orders","facets":{"schema":{"_producer":"x:y","_schemaURL":"x:y","fields":[`+strings.TrimSuffix(fields.String(), ",")+`]}}`, 1)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	client := &http.Client{Transport: transport}
	var serial atomic.Int64
	b.SetBytes(int64(len(document)))
	b.ResetTimer()
	var senders errgroup.Group
	for range 64 {
		senders.Go(func() error {
			for n := serial.Add(1); n <= int64(b.N); n = serial.Add(1) {
				event := strings.Replace(document, "00:00:00.000Z", fmt.Sprintf("00:%02d:%02d.%03dZ", n/60_000%60, n/1000%60, n%1000), 1)
				request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, gateway.url+singleDoor, bytes.NewReader([]byte(event)))
				if err != nil {
					return err
				}
				request.Header.Set("Authorization", token)
				response, err := client.Do(request)
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != http.StatusCreated {
					return fmt.Errorf("%s %w", response.Status, err)
				}
			}
			return nil
		})
	}
	require.NoError(b, senders.Wait())
}
