package dbt_test

import (
	"encoding/json/v2"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/dbt"
)

const corpus = "../../../shared/corpus"

func requireCorpus(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus is not on this machine")
	}
}

func TestManifestsOfEveryVersionAreRead(t *testing.T) {
	t.Parallel()
	requireCorpus(t)
	versions, flows := map[string]int{}, 0
	err := filepath.WalkDir(filepath.Join(corpus, "dbt-artifacts"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) != "manifest.json" {
			return err
		}
		manifest := readManifest(t, path)
		declaration, err := dbt.Declare(manifest, nil, naming, "prod")
		require.NoError(t, err, path)
		flows += len(declaration.Snapshot.GetFlows())
		versions[filepath.Base(manifest.Metadata.SchemaVersion)]++
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, flows, 100)
	for _, version := range []string{"v2.json", "v3.json", "v4.json", "v7.json", "v12.json"} {
		require.Positive(t, versions[version], version)
	}
}

// TestDeclaredTablesAreCalledAsTheIntegrationCallsThem compares with what OpenLineage's dbt integration made of the same
// projects.
func TestDeclaredTablesAreCalledAsTheIntegrationCallsThem(t *testing.T) {
	t.Parallel()
	requireCorpus(t)
	for _, project := range []string{"dbt__postgres", "dbt__large", "dbt__snapshot", "spark__thrift"} {
		folder := strings.TrimPrefix(strings.ReplaceAll(project, "__", "/"), "dbt/")
		manifest := readManifest(t, filepath.Join(corpus, "dbt-artifacts", folder, "target/manifest.json"))
		declaration, err := dbt.Declare(manifest, nil, naming, "prod")
		require.NoError(t, err)
		declared := map[string]bool{}
		for _, dataset := range declaration.Snapshot.GetDatasets() {
			declared[dataset.GetName()] = true
		}
		events, err := filepath.Glob(filepath.Join(corpus, "filled/dbt/openlineage__"+project+"__result__*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, events)
		for _, path := range events {
			for _, name := range namesIn(t, path) {
				require.True(t, declared[name], "%s names %s", path, name)
			}
		}
	}
}

// namesIn are the datasets that an OpenLineage event names.
func namesIn(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	type dataset struct {
		Name string `json:"name"`
	}
	var event struct {
		Inputs  []dataset `json:"inputs"`
		Outputs []dataset `json:"outputs"`
	}
	require.NoError(t, json.Unmarshal(text, &event))
	var names []string
	for _, dataset := range append(event.Inputs, event.Outputs...) {
		names = append(names, dataset.Name)
	}
	return names
}
