package dbt

import (
	"bytes"
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// Manifest is what a manifest.json says of what is made of what.
type Manifest struct {
	Metadata Metadata `json:"metadata"`
	// Nodes are models, seeds, snapshots, tests and more, by unique id.
	Nodes map[string]Node `json:"nodes"`
	// Sources are the tables that the project reads and does not make.
	Sources map[string]Node `json:"sources"`
	// Exposures are what uses the project's tables: dashboards, applications.
	Exposures map[string]Node `json:"exposures"`
	// Metrics, SemanticModels, SavedQueries and Functions have no table, and others depend on them.
	Metrics        map[string]Node `json:"metrics"`
	SemanticModels map[string]Node `json:"semantic_models"`
	SavedQueries   map[string]Node `json:"saved_queries"`
	Functions      map[string]Node `json:"functions"`
}

// Metadata is how an artifact came about.
type Metadata struct {
	SchemaVersion string `json:"dbt_schema_version"`
	GeneratedAt   string `json:"generated_at"`
	// ProjectName is empty before version 9 of the manifest.
	ProjectName string `json:"project_name"`
	AdapterType string `json:"adapter_type"`
}

// Node is a node, a source or an exposure.
type Node struct {
	UniqueID     string `json:"unique_id"`
	ResourceType string `json:"resource_type"`
	PackageName  string `json:"package_name"`
	Database     string `json:"database"`
	Schema       string `json:"schema"`
	Name         string `json:"name"`
	// Alias is what a node's table is called, Identifier what a source's is; both may be empty: then it is the name.
	Alias      string `json:"alias"`
	Identifier string `json:"identifier"`
	Config     struct {
		Materialized string `json:"materialized"`
		Contract     struct {
			Enforced bool `json:"enforced"`
		} `json:"contract"`
	} `json:"config"`
	Description string `json:"description"`
	Tags        texts  `json:"tags"`
	// Owner is set for an exposure. Models and sources name theirs in Meta, under owner.
	Owner struct {
		Name  string `json:"name"`
		Email texts  `json:"email"`
	} `json:"owner"`
	Meta     map[string]jsontext.Value `json:"meta"`
	Checksum struct {
		Checksum string `json:"checksum"`
	} `json:"checksum"`
	// Columns are those that somebody described; where a contract is enforced, all there are.
	Columns   map[string]Column `json:"columns"`
	DependsOn struct {
		Nodes []string `json:"nodes"`
	} `json:"depends_on"`
}

// Column is a column as a manifest or a catalog has it.
type Column struct {
	Name string `json:"name"`
	// DataType is set in a manifest, Type and Index in a catalog.
	DataType string `json:"data_type"`
	Type     string `json:"type"`
	Index    int    `json:"index"`
	// Description is set in a manifest.
	Description string `json:"description"`
}

// The versions of the manifest that are read.
const (
	oldestManifest = 2
	newestManifest = 12
)

// ReadManifest reads a manifest.json. A newer version than is known is read as far as its shape is the same.
func ReadManifest(r io.Reader) (*Manifest, error) {
	var manifest Manifest
	version, err := readArtifact(r, "manifest", &manifest, &manifest.Metadata)
	switch {
	case err != nil:
		return nil, err
	case version < oldestManifest:
		return nil, fmt.Errorf("this is version %d of the manifest, and the oldest that can be read is %d: build it with dbt 0.20 or newer", version, oldestManifest)
	case manifest.Nodes == nil:
		return nil, errors.New("the manifest has no nodes: it is cut off, or of a shape that is not known")
	}
	return &manifest, nil
}

// readArtifact decodes an artifact of dbt and gives its version.
func readArtifact(r io.Reader, kind string, artifact any, metadata *Metadata) (version int, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	// Editors on Windows begin a text with a byte order mark.
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), artifact); err != nil {
		return 0, fmt.Errorf("this is no %s.json of dbt: %w", kind, err)
	}
	// For example https://schemas.getdbt.com/dbt/manifest/v12.json
	_, named, ok := strings.Cut(metadata.SchemaVersion, "/dbt/"+kind+"/v")
	if !ok {
		return 0, fmt.Errorf("this is no %s.json of dbt: its metadata.dbt_schema_version is %q", kind, metadata.SchemaVersion)
	}
	if _, err := fmt.Sscanf(named, "%d.json", &version); err != nil {
		return 0, fmt.Errorf("the version in metadata.dbt_schema_version %q cannot be read", metadata.SchemaVersion)
	}
	return version, nil
}

// GeneratedAt is when dbt wrote the manifest; UTC where it names no time zone.
func (m *Manifest) GeneratedAt() (time.Time, error) {
	at, _, err := lineage.ParseEventTime(m.Metadata.GeneratedAt)
	if err != nil {
		return at, fmt.Errorf("metadata.generated_at of the manifest is %q, which is no time", m.Metadata.GeneratedAt)
	}
	return at.UTC(), nil
}

// Project is the project's name. Older manifests do not state it; there it is the package of most models.
func (m *Manifest) Project() string {
	if m.Metadata.ProjectName != "" {
		return m.Metadata.ProjectName
	}
	models := map[string]int{}
	for _, node := range m.Nodes {
		if node.ResourceType == "model" {
			models[node.PackageName]++
		}
	}
	packages := slices.SortedFunc(maps.Keys(models), func(a, b string) int {
		return cmp.Or(cmp.Compare(models[b], models[a]), cmp.Compare(a, b))
	})
	if len(packages) == 0 {
		return ""
	}
	return packages[0]
}
