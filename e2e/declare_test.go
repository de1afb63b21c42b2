package e2e

import (
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// project is a dbt project whose tables are in a namespace.
type project struct {
	namespace string
	// models are what each is made of.
	models map[string][]string
}

// manifest writes the project's manifest.json as dbt would at a time.
func (p project) manifest(t *testing.T, at time.Time) string {
	t.Helper()
	nodes := map[string]any{}
	for name, inputs := range p.models {
		var parents []string
		for _, input := range inputs {
			parents = append(parents, "model.shop."+input)
		}
		nodes["model.shop."+name] = map[string]any{
			"unique_id": "model.shop." + name, "resource_type": "model", "package_name": "shop", "database": "shop", "schema": "mart",
			"name": name, "alias": name, "config": map[string]any{"materialized": "table"}, "depends_on": map[string]any{"nodes": parents},
		}
	}
	document, err := json.Marshal(map[string]any{
		"metadata": map[string]any{
			"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "project_name": p.namespace,
			"generated_at": at.UTC().Format(time.RFC3339Nano), "adapter_type": "postgres",
		},
		"nodes": nodes, "sources": map[string]any{}, "exposures": map[string]any{},
	})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "manifest.json")
	require.NoError(t, os.WriteFile(path, document, 0o600))
	return path
}

// headwaterSays runs a command of the binary as an admin.
func headwaterSays(t *testing.T, args ...string) string {
	t.Helper()
	output, err := headwater.Command(t.Context(), args...)
	require.NoError(t, err)
	return output
}

// sources waits until a dataset is made of what is expected.
func sources(t *testing.T, of lineage.DatasetID, expected ...string) {
	t.Helper()
	within(t, patience, func() error {
		answer, err := headwater.reader.upstream(t, of, 1)
		if err != nil {
			return err
		}
		found := names(answer)[1:]
		slices.Sort(found)
		if !slices.Equal(found, expected) {
			return fmt.Errorf("%s is made of %v", of.Name, found)
		}
		return nil
	})
}

func TestManifestDeclaresAProjectAndTheNextOneEndsWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	p := project{namespace: "e2e-declare", models: map[string][]string{
		"orders": nil, "daily": {"orders"}, "weekly": {"daily"},
	}}
	daily, weekly := lineage.DatasetID{Namespace: p.namespace, Name: "shop.mart.daily"}, lineage.DatasetID{Namespace: p.namespace, Name: "shop.mart.weekly"}
	declare := []string{"declare", "dbt", "--namespace", p.namespace, "--job-namespace", p.namespace, "--manifest"}
	first := headwaterSays(t, append(declare, p.manifest(t, time.Now().Add(-time.Hour)))...)
	require.Contains(t, first, "3 models")
	sources(t, weekly, "shop.mart.daily")

	delete(p.models, "weekly")
	p.models["customers"] = nil
	p.models["daily"] = []string{"customers", "orders"}
	second := p.manifest(t, time.Now())
	dry := headwaterSays(t, append(declare, second, "--dry-run")...)
	require.Contains(t, dry, "- "+p.namespace+" shop.mart.weekly")
	require.Contains(t, dry, "now also from shop.mart.customers")
	sources(t, weekly, "shop.mart.daily")

	headwaterSays(t, append(declare, second)...)
	sources(t, weekly)
	sources(t, daily, "shop.mart.customers", "shop.mart.orders")

	headwater.producer.send(t, event{
		kind: lineage.Complete, at: time.Now(), run: newRunID(), namespace: p.namespace, job: "daily",
		inputs: []string{"shop.mart.orders"}, outputs: []string{"shop.mart.daily"},
	})
	within(t, patience, func() error {
		answer, err := headwater.reader.Lineage.CompareDeclared(t.Context(), &headwaterv1.CompareDeclaredRequest{
			Namespace: p.namespace, Agreements: []headwaterv1.Agreement{headwaterv1.Agreement_AGREEMENT_DIFFERS},
		})
		if err != nil {
			return err
		}
		if len(answer.GetOutputs()) != 1 {
			return fmt.Errorf("%d outputs differ", len(answer.GetOutputs()))
		}
		return nil
	})
	headwaterSays(t, "node", "own", p.namespace, daily.Name, "--owner", "team:shop", "--reason", "end-to-end test")
	within(t, patience, func() error {
		if shown := headwaterSays(t, "node", "show", p.namespace, daily.Name); !strings.Contains(shown, "owner    team:shop") {
			return fmt.Errorf("the page says %s", shown)
		}
		return nil
	})
	compared := headwaterSays(t, "lineage", "compare", p.namespace, "shop.mart.daily")
	require.Contains(t, compared, "- "+p.namespace+" shop.mart.customers")
	require.Contains(t, compared, "= "+p.namespace+" shop.mart.orders")
}

func TestEdgeStatedByHandOutlivesDeclarations(t *testing.T) {
	t.Parallel()
	p := project{namespace: "e2e-manual", models: map[string][]string{"orders": nil, "daily": {"orders"}}}
	daily := lineage.DatasetID{Namespace: p.namespace, Name: "shop.mart.daily"}
	edge := []string{"declare", "edge", p.namespace, "upload.xlsx", p.namespace, daily.Name, "--reason", "carried over by hand"}
	headwaterSays(t, edge...)
	sources(t, daily, "upload.xlsx")
	headwaterSays(t, "declare", "dbt", "--namespace", p.namespace, "--manifest", p.manifest(t, time.Now()))
	sources(t, daily, "shop.mart.orders", "upload.xlsx")
	headwaterSays(t, append(edge, "--end")...)
	sources(t, daily, "shop.mart.orders")
	require.True(t, strings.HasPrefix(headwaterSays(t, "lineage", "upstream", p.namespace, daily.Name), p.namespace))
}
