package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// corpus is a collection of real and odd lineage documents that lies beside the repository where there is one.
const corpus = "../../shared/corpus"

func TestEveryDocumentOfTheCorpusGetsAnAnswer(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skipf("there is no corpus of lineage documents at %s, so it was not sent", corpus)
	}
	quarantined := map[int64]string{}
	accepted := 0
	for _, path := range documents(t) {
		document, err := os.ReadFile(path)
		require.NoError(t, err)
		answered, err := headwater.producer.post(document)
		require.NoError(t, err, path)
		switch answered.Status {
		case http.StatusCreated:
			accepted++
		case http.StatusBadRequest:
			require.NotEmpty(t, answered.Reason, path)
			require.NotZero(t, answered.QuarantineID, path)
			quarantined[answered.QuarantineID] = path
		default:
			t.Errorf("%s: %d %s", path, answered.Status, answered.Reason)
		}
	}
	t.Logf("%d accepted, %d refused", accepted, len(quarantined))
	require.Greater(t, accepted, 1000)
	require.NotEmpty(t, quarantined)

	for _, kept := range quarantine(t) {
		require.NotEmpty(t, kept.GetReason())
		delete(quarantined, kept.GetQuarantineId())
	}
	require.Empty(t, quarantined, "refused, but not in quarantine")
	began := time.Now()
	awaitQuiet(t, 5*time.Minute)
	t.Logf("every run was decided %v later", time.Since(began).Round(time.Second))
}

func documents(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{
		"events/*/*.json", "filled/*/*.json", "invalid/*/*.json", "compat-scenarios/*/*.json", "synthetic/*/*.json", "synthetic/*/*.bin",
	} {
		paths, err := filepath.Glob(filepath.Join(corpus, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		found = append(found, paths...)
	}
	return found
}

// quarantine lists all refused events of the producer.
func quarantine(t *testing.T) []*headwaterv1.QuarantinedEvent {
	t.Helper()
	var all []*headwaterv1.QuarantinedEvent
	request := &headwaterv1.ListQuarantineRequest{Producer: producerName}
	for {
		page, err := headwater.admin.Ingest.ListQuarantine(t.Context(), request)
		require.NoError(t, err)
		all = append(all, page.GetEvents()...)
		if page.GetNextPageToken() == "" {
			return all
		}
		request.PageToken = page.GetNextPageToken()
	}
}
