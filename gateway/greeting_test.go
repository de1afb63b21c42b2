package gateway_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddressItselfSaysWhatThisIsAndWhereToGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Equal(t, "text/plain; charset=utf-8", answer.Header.Get("Content-Type"))
	for _, told := range []string{"headwater ", "POST /api/v1/lineage", "/readyz", "docs/api.md"} {
		require.Contains(t, string(text), told)
	}
	require.Equal(t, http.StatusNotFound, b.send(t, http.MethodGet, "/nothing", nil).Status, "nothing else is greeted")
}
