package lineage_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// corpus is where a checkout for development keeps real and synthetic documents.
const corpus = "../../shared/corpus"

// unfilledTemplate is the one document of the folder filled whose event time is still a placeholder.
const unfilledTemplate = "openlineage__openlineage_compatibility__compatibility_test__reusable_actions_and_common_scripts.md__001.json"

// requireCorpus skips a test where there is no corpus.
func requireCorpus(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(corpus); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the corpus of documents is not at %s; this test needs it", corpus)
	}
}

// corpusFiles lists the documents of a folder of the corpus, in the order of their names.
func corpusFiles(t *testing.T, folder string) []string {
	t.Helper()
	requireCorpus(t)
	var files []string
	err := filepath.WalkDir(filepath.Join(corpus, folder), func(path string, entry fs.DirEntry, err error) error {
		if extension := filepath.Ext(path); err == nil && !entry.IsDir() && (extension == ".json" || extension == ".bin") {
			files = append(files, path)
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestEveryDocumentOfTheCorpusIsAcceptedOrRefusedWithAReason(t *testing.T) {
	accepted, refused, warned := 0, 0, 0
	for _, folder := range []string{"events", "filled", "invalid", "synthetic"} {
		for _, file := range corpusFiles(t, folder) {
			document, err := os.ReadFile(file)
			require.NoError(t, err)
			event, err := lineage.Decode(lineage.FormatOpenLineage, document, lineage.DefaultLimits())
			if err != nil {
				if folder == "events" || folder == "filled" {
					require.Equal(t, unfilledTemplate, filepath.Base(file), "%v", err)
				}
				var invalid *lineage.InvalidError
				require.ErrorAs(t, err, &invalid, file)
				requireSpeaks(t, invalid)
				refused++
				continue
			}
			accepted++
			warned += min(len(foldable(t, event, document)), 1)
		}
	}
	t.Logf("%d documents accepted, %d of them with a warning; %d refused", accepted, warned, refused)
}

// foldable goes the way of an accepted document as far as this package does, and gives the warnings.
func foldable(t *testing.T, event lineage.Event, document []byte) []lineage.Warning {
	t.Helper()
	contribution, warnings := lineage.NewContribution(event, arrivalOf(t, document, "corpus"))
	requireKept(t, contribution)
	if event.Kind != lineage.RunEvent {
		lineage.DeclaredStatements(event.Job, contribution, nil)
		return event.Warnings
	}
	run := lineage.Run{Key: event.Run}
	run.Add(contribution)
	run.Statements()
	return warnings
}
