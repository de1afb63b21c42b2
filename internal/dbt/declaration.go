package dbt

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Declaration is a manifest as Headwater takes it, and what became of the manifest's parts.
type Declaration struct {
	Snapshot *headwaterv1.DeclaredSnapshot
	Counts   Counts
	// Warnings say what was left out that may be missed.
	Warnings []string
}

// Counts are of nodes of the manifest.
type Counts struct {
	Models    int `json:"models"`
	Seeds     int `json:"seeds"`
	Snapshots int `json:"snapshots"`
	Sources   int `json:"sources"`
	Exposures int `json:"exposures"`
	// Ephemeral models have no table: what is made of them is made of their inputs.
	Ephemeral int `json:"ephemeral"`
	// Tests make no data, so they are in no flow.
	Tests int `json:"tests"`
	// WithColumns are the tables of which all columns are known.
	WithColumns int `json:"withColumns"`
}

// Declare makes one snapshot of a manifest and, where there is one, of its catalog. No manifest says which column comes
// from which, so the snapshot states no column lineage.
func Declare(manifest *Manifest, catalog *Catalog, naming Naming, target string) (*Declaration, error) {
	generatedAt, err := manifest.GeneratedAt()
	if err != nil {
		return nil, err
	}
	b := &builder{
		manifest: manifest, catalog: catalog, naming: naming, places: map[string]int32{},
		declaration: &Declaration{Snapshot: &headwaterv1.DeclaredSnapshot{
			Scope:       fmt.Sprintf("dbt/%s/%s", manifest.Project(), target),
			EffectiveAt: timestamppb.New(generatedAt),
		}},
	}
	b.placeTables()
	b.addSources()
	b.addNodes()
	b.addExposures()
	return b.declaration, nil
}

// builder puts a snapshot together. Nodes are taken in the order of their ids, so that a manifest gives one snapshot.
type builder struct {
	manifest    *Manifest
	catalog     *Catalog
	naming      Naming
	declaration *Declaration
	// places are those of the snapshot's datasets, by name.
	places map[string]int32
}

func ids(nodes map[string]Node) []string { return slices.Sorted(maps.Keys(nodes)) }

// placeTables puts what dbt makes first: where a source is one of these tables by another name, the model tells more of it.
func (b *builder) placeTables() {
	for _, id := range ids(b.manifest.Nodes) {
		if node := b.manifest.Nodes[id]; node.hasTable() {
			b.place(node)
		}
	}
}

func (b *builder) addSources() {
	for _, id := range ids(b.manifest.Sources) {
		b.place(b.manifest.Sources[id])
		b.declaration.Counts.Sources++
	}
}

func (b *builder) addNodes() {
	counts := &b.declaration.Counts
	for _, id := range ids(b.manifest.Nodes) {
		node := b.manifest.Nodes[id]
		switch {
		case node.ResourceType == "test":
			counts.Tests++
		case node.ResourceType == "model" && !node.hasTable():
			counts.Ephemeral++
		case node.hasTable():
			counter := map[string]*int{"model": &counts.Models, "seed": &counts.Seeds, "snapshot": &counts.Snapshots}[node.ResourceType]
			*counter++
			b.addFlow(id, node, b.place(node))
		}
	}
}

func (b *builder) addExposures() {
	for _, id := range ids(b.manifest.Exposures) {
		b.addFlow(id, b.manifest.Exposures[id])
		b.declaration.Counts.Exposures++
	}
}

// hasTable reports whether dbt makes a table or a view of the node.
func (n Node) hasTable() bool {
	switch n.ResourceType {
	case "model":
		return n.Config.Materialized != "ephemeral"
	case "seed", "snapshot":
		return true
	default:
		return false
	}
}

// addFlow adds the job of a node. It is called by the node's unique id, as OpenLineage's dbt integration calls it where it
// reads dbt's log.
func (b *builder) addFlow(id string, node Node, outputs ...int32) {
	inputs := map[int32]bool{}
	b.addInputs(id, node, inputs, map[string]bool{id: true})
	b.declaration.Snapshot.Flows = append(b.declaration.Snapshot.Flows, &headwaterv1.SnapshotFlow{
		Job:        &headwaterv1.Job{Namespace: b.naming.Jobs, Name: id},
		JobVersion: node.Checksum.Checksum,
		Inputs:     slices.Sorted(maps.Keys(inputs)),
		Outputs:    outputs,
		Attributes: jobAttributes(node),
	})
}

// addInputs collects the tables that a node depends on, through what has no table: ephemeral models, metrics and the like.
func (b *builder) addInputs(id string, node Node, inputs map[int32]bool, seen map[string]bool) {
	for _, parentID := range node.DependsOn.Nodes {
		parent, isSource, found := b.node(parentID)
		switch {
		case seen[parentID]:
		case !found:
			b.warn("%s depends on %s, which the manifest does not hold", id, parentID)
		case isSource || parent.hasTable():
			inputs[b.place(parent)] = true
		default:
			seen[parentID] = true
			b.addInputs(id, parent, inputs, seen)
		}
	}
}

func (b *builder) node(id string) (node Node, isSource, found bool) {
	if source, ok := b.manifest.Sources[id]; ok {
		return source, true, true
	}
	m := b.manifest
	for _, nodes := range []map[string]Node{m.Nodes, m.Metrics, m.SemanticModels, m.SavedQueries, m.Functions, m.Exposures} {
		if node, ok := nodes[id]; ok {
			return node, false, true
		}
	}
	return Node{}, false, false
}

// place adds the table of a node to the snapshot, once.
func (b *builder) place(node Node) int32 {
	name := dataset(node)
	if place, known := b.places[name]; known {
		return place
	}
	place := int32(len(b.places))
	b.places[name] = place
	fields := b.catalog.fields(node)
	if len(fields) > 0 {
		b.declaration.Counts.WithColumns++
	}
	b.declaration.Snapshot.Datasets = append(b.declaration.Snapshot.Datasets, &headwaterv1.SnapshotDataset{
		Namespace: b.naming.Datasets, Name: name, Fields: fields, Attributes: tableAttributes(node),
	})
	return place
}

// maxWarnings bounds what a person is told.
const maxWarnings = 20

func (b *builder) warn(format string, args ...any) {
	if len(b.declaration.Warnings) < maxWarnings {
		b.declaration.Warnings = append(b.declaration.Warnings, fmt.Sprintf(format, args...))
	}
}
