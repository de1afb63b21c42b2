package gateway_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// corpus is a collection of real and odd lineage documents that lies beside the repository where there is one.
const corpus = "../../shared/corpus"

func TestNoDocumentOfTheCorpusBreaksTheDoor(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(corpus); err != nil {
		t.Skipf("no corpus of lineage documents at %s", corpus)
	}
	b := setup(t)
	answers := map[int]int{}
	for _, pattern := range []string{
		"events/*/*.json", "filled/*/*.json", "invalid/*/*.json", "compat-scenarios/*/*.json", "synthetic/*/*.json", "synthetic/*/*.bin",
	} {
		paths, err := filepath.Glob(filepath.Join(corpus, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			body, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, door := range []string{singleDoor, batchDoor} {
				answered := b.post(t, door, body)
				answers[answered.Status]++
				switch answered.Status {
				case http.StatusCreated, http.StatusOK:
				case http.StatusBadRequest:
					require.NotEmpty(t, answered.Body["reason"], path)
					require.NotEmpty(t, answered.Body["quarantineId"], path)
				default:
					t.Errorf("%s at %s: %d %v", path, door, answered.Status, answered.Body)
				}
			}
		}
	}
	require.Greater(t, answers[http.StatusCreated], 1000)
}
