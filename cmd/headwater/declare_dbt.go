package main

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"os"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/dbt"
	"github.com/headwater-data/headwater/internal/render"
)

// declareDBTCommand turns a manifest into one declared snapshot.
type declareDBTCommand struct {
	apiClient
	Manifest     *os.File `required:"" placeholder:"FILE" help:"The project's target/manifest.json."`
	Catalog      *os.File `placeholder:"FILE" help:"The project's target/catalog.json, for the columns of its tables."`
	Target       string   `default:"default" help:"Name of the dbt target. Snapshots of one project and target replace each other."`
	Namespace    string   `placeholder:"NAMESPACE" help:"Namespace of the project's tables: host and port of the target in profiles.yml, as in postgres://shop-db:5432, or snowflake://ACCOUNT. Not needed for BigQuery. Without it, the error says what it looks like for the adapter."`
	JobNamespace string   `default:"default" env:"OPENLINEAGE_NAMESPACE" help:"Namespace of the models as jobs: what OPENLINEAGE_NAMESPACE is for dbt-ol."`
	DryRun       bool     `help:"Tell what would change, and change nothing."`
	JSON         bool     `help:"Print what was declared and what changed as JSON."`
}

// Help is shown by --help.
func (*declareDBTCommand) Help() string {
	return `What the project's earlier manifest declared and this one does not ends at the time at which this one was
generated. What runs did and what people stated stays as it is. For example:

  dbt docs generate
  headwater declare dbt --manifest target/manifest.json --catalog target/catalog.json --target prod --namespace postgres://shop-db:5432
  headwater declare dbt --manifest target/manifest.json --dry-run`
}

// Run reads the artifacts, tells what they change and sends them.
func (c *declareDBTCommand) Run(ctx context.Context) error {
	declaration, err := c.read()
	if err != nil {
		return err
	}
	client, err := c.dial()
	if err != nil {
		return err
	}
	service := headwaterv1connect.NewDeclarationServiceClient(client)
	preview, err := service.PreviewSnapshot(ctx, &headwaterv1.PreviewSnapshotRequest{Snapshot: declaration.Snapshot})
	if err != nil {
		return c.explain(err)
	}
	var accepted *headwaterv1.Accepted
	if !c.DryRun {
		answer, err := service.DeclareSnapshot(ctx, &headwaterv1.DeclareSnapshotRequest{Snapshot: declaration.Snapshot})
		if err != nil {
			return c.explain(err)
		}
		if rejected := answer.GetReceipt().GetRejected(); rejected != nil {
			return errors.New(rejected.GetReason())
		}
		accepted = answer.GetReceipt().GetAccepted()
	}
	return c.print(declaration, preview, accepted)
}

func (c *declareDBTCommand) read() (*dbt.Declaration, error) {
	defer c.Manifest.Close()
	manifest, err := dbt.ReadManifest(c.Manifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Manifest.Name(), err)
	}
	var catalog *dbt.Catalog
	if c.Catalog != nil {
		defer c.Catalog.Close()
		if catalog, err = dbt.ReadCatalog(c.Catalog); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Catalog.Name(), err)
		}
	}
	namespace, err := dbt.DatasetNamespace(manifest.Metadata.AdapterType, c.Namespace)
	if err != nil {
		return nil, fmt.Errorf("--namespace: %w", err)
	}
	declaration, err := dbt.Declare(manifest, catalog, dbt.Naming{Datasets: namespace, Jobs: c.JobNamespace}, c.Target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Manifest.Name(), err)
	}
	return declaration, nil
}

// print writes what was declared and what that changes. accepted is nil for a dry run.
func (c *declareDBTCommand) print(declaration *dbt.Declaration, preview *headwaterv1.PreviewSnapshotResponse, accepted *headwaterv1.Accepted) error {
	if c.JSON {
		return printDeclarationJSON(declaration, preview, accepted)
	}
	n := declaration.Counts
	fmt.Printf("%s as of %s\n", declaration.Snapshot.GetScope(), declaration.Snapshot.GetEffectiveAt().AsTime().Format(time.RFC3339))
	fmt.Printf("  %d models, %d seeds, %d snapshots, %d sources, %d exposures\n", n.Models, n.Seeds, n.Snapshots, n.Sources, n.Exposures)
	fmt.Printf("  %d ephemeral models were passed through, %d tests make no data\n", n.Ephemeral, n.Tests)
	fmt.Printf("  columns of %d tables are known; no column lineage: a manifest does not say which column comes from which\n", n.WithColumns)
	for _, warning := range declaration.Warnings {
		fmt.Printf("  ! %s\n", warning)
	}
	if accepted.GetDuplicate() {
		fmt.Printf("the same was declared before, at offset %d: nothing changes\n", accepted.GetOffset())
		return nil
	}
	fmt.Print(render.SnapshotChanges(preview, terminal()))
	if accepted == nil {
		fmt.Println("nothing was declared: this was a dry run")
		return nil
	}
	fmt.Printf("declared at offset %d\n", accepted.GetOffset())
	return nil
}

func printDeclarationJSON(declaration *dbt.Declaration, preview *headwaterv1.PreviewSnapshotResponse, accepted *headwaterv1.Accepted) error {
	changes, err := render.JSON(preview)
	if err != nil {
		return err
	}
	text, err := json.Marshal(struct {
		Scope       string         `json:"scope"`
		EffectiveAt time.Time      `json:"effectiveAt"`
		Counts      dbt.Counts     `json:"counts"`
		Warnings    []string       `json:"warnings,omitempty"`
		Preview     jsontext.Value `json:"preview"`
		// Offset is left out for a dry run.
		Offset int64 `json:"offset,omitzero"`
	}{
		declaration.Snapshot.GetScope(), declaration.Snapshot.GetEffectiveAt().AsTime(), declaration.Counts, declaration.Warnings,
		jsontext.Value(changes), accepted.GetOffset(),
	}, jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	fmt.Println(string(text))
	return nil
}
