package lineage

import (
	"cmp"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// AttributeKind is what an attribute of a node tells. The numbers are stored.
type AttributeKind int16

// The attributes of nodes. Each is said as a whole; the latest by event time holds, in whatever order they come.
const (
	// OwnersAttribute is a list of Owner.
	OwnersAttribute AttributeKind = 1
	// TagsAttribute is a list of Tag.
	TagsAttribute AttributeKind = 2
	// DocumentationAttribute is a text.
	DocumentationAttribute AttributeKind = 3
	// TypeAttribute is a text such as TABLE, or VIEW/MATERIALIZED with a subtype.
	TypeAttribute AttributeKind = 4
	// DescriptionsAttribute is a list of FieldDescription.
	DescriptionsAttribute AttributeKind = 5
)

// AttributeKinds are all of them.
var AttributeKinds = []AttributeKind{OwnersAttribute, TagsAttribute, DocumentationAttribute, TypeAttribute, DescriptionsAttribute}

// Owner is a person, team or application to ask.
type Owner struct {
	Name string `json:"name"`
	// Type is such as MAINTAINER, or empty.
	Type string `json:"type,omitzero"`
}

// Tag labels a node or one of its fields.
type Tag struct {
	Key   string `json:"key"`
	Value string `json:"value,omitzero"`
	// Source is who set it, such as DBT, or empty.
	Source string `json:"source,omitzero"`
	// Field is the field that it is about; empty for the node.
	Field string `json:"field,omitzero"`
}

// StatedAttribute is what one event says of a node.
type StatedAttribute struct {
	Node Node
	Kind AttributeKind
	// Value is JSON, null where what was said before is taken back. What says the same is written the same.
	Value string
}

// maxAttributes bounds the owners, and the tags, of one node in one event.
const maxAttributes = 1000

// nothing is the value of an attribute of which the facet was deleted: what was said of it before counts no more.
const nothing = "null"

// TakenBack reports whether the value of an attribute only says that what was said before counts no more.
func TakenBack(value []byte) bool { return string(value) == nothing }

// attributes reads what the facets of an event say of its job and datasets. What is empty says nothing, but for a facet that
// is deleted: where the event does not state it elsewhere, it takes back what was said before.
// Source: OwnershipDatasetFacet, OwnershipJobFacet, TagsDatasetFacet, TagsJobFacet, DocumentationDatasetFacet,
// DocumentationJobFacet, DatasetTypeDatasetFacet.
func (r *facetReader) attributes(event Event) []StatedAttribute {
	var stated, takenBack []StatedAttribute
	read := func(node Node, facets Facets, deleted []string, path string) {
		stated = append(stated, r.attributesOf(node, facets, path)...)
		takenBack = append(takenBack, deletedAttributes(node, deleted)...)
	}
	if event.Kind == DatasetEvent {
		read(event.Dataset.Node(), event.Dataset.Facets, event.Dataset.Deleted, "dataset.facets")
	}
	if event.Job != (JobID{}) {
		read(event.Job.Node(), event.JobFacets, event.JobDeleted, "job.facets")
	}
	for i, input := range event.Inputs {
		read(input.Node(), input.Facets, input.Deleted, fmt.Sprintf("inputs[%d].facets", i))
	}
	for i, output := range event.Outputs {
		read(output.Node(), output.Facets, output.Deleted, fmt.Sprintf("outputs[%d].facets", i))
	}
	return append(stated, takenBack...) // of equal time the first holds
}

// deletedAttributes are what deleted facets of a node had said.
func deletedAttributes(node Node, deleted []string) []StatedAttribute {
	kinds := map[string]AttributeKind{
		"ownership": OwnersAttribute, "tags": TagsAttribute, "documentation": DocumentationAttribute, "datasetType": TypeAttribute,
	}
	var stated []StatedAttribute
	for _, name := range deleted {
		if kind, ok := kinds[name]; ok {
			stated = append(stated, StatedAttribute{node, kind, nothing})
		}
	}
	return stated
}

func (r *facetReader) attributesOf(node Node, facets Facets, path string) []StatedAttribute {
	type ownership struct {
		Owners []Owner `json:"owners"`
	}
	type tags struct {
		Tags []Tag `json:"tags"`
	}
	type documentation struct {
		Description string `json:"description"`
	}
	type datasetType struct {
		DatasetType string `json:"datasetType"`
		SubType     string `json:"subType"`
	}
	owned, _ := readFacet[ownership](r, facets, "ownership", path)
	tagged, _ := readFacet[tags](r, facets, "tags", path)
	documented, _ := readFacet[documentation](r, facets, "documentation", path)
	typed, _ := readFacet[datasetType](r, facets, "datasetType", path)
	name := typed.DatasetType
	if name != "" && typed.SubType != "" {
		name += "/" + typed.SubType
	}
	return Attributes{Owners: owned.Owners, Tags: tagged.Tags, Documentation: documented.Description, Type: name}.of(node)
}

// Attributes are what one author says of a node at one time.
type Attributes struct {
	Owners        []Owner `json:"owners,omitempty"`
	Tags          []Tag   `json:"tags,omitempty"`
	Documentation string  `json:"documentation,omitzero"`
	Type          string  `json:"type,omitzero"`
	// Descriptions are of the fields of a dataset.
	Descriptions []FieldDescription `json:"descriptions,omitempty"`
}

// of states the attributes of a node, without what cannot be kept.
func (a Attributes) of(node Node) []StatedAttribute {
	var stated []StatedAttribute
	state := func(kind AttributeKind, value any) {
		encoded, err := json.Marshal(value)
		if err == nil { // texts that are no UTF-8 were refused with the event
			stated = append(stated, StatedAttribute{node, kind, string(encoded)})
		}
	}
	if owners := sortedOwners(a.Owners); len(owners) > 0 {
		state(OwnersAttribute, owners)
	}
	if tags := sortedTags(a.Tags); len(tags) > 0 {
		state(TagsAttribute, tags)
	}
	if text := storable(cut(a.Documentation, maxErrorBytes)); strings.TrimSpace(text) != "" {
		state(DocumentationAttribute, RedactText(text))
	}
	if name := storable(cut(a.Type, maxTypeBytes)); name != "" {
		state(TypeAttribute, RedactText(name))
	}
	if descriptions := keptDescriptions(a.Descriptions); len(descriptions) > 0 {
		state(DescriptionsAttribute, descriptions)
	}
	return stated
}

func sortedOwners(owners []Owner) []Owner {
	kept := slices.DeleteFunc(slices.Clone(owners), func(o Owner) bool { return !usable(o.Name) || o.Type != storable(o.Type) })
	for i, owner := range kept {
		kept[i] = Owner{RedactText(owner.Name), RedactText(owner.Type)}
	}
	slices.SortFunc(kept, func(a, b Owner) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type)) })
	kept = slices.Compact(kept)
	return kept[:min(len(kept), maxAttributes)]
}

func sortedTags(tags []Tag) []Tag {
	kept := slices.DeleteFunc(slices.Clone(tags), func(t Tag) bool {
		return !usable(t.Key) || !usableText(t.Value) || !usableText(t.Source) || !usableText(t.Field)
	})
	for i, tag := range kept {
		kept[i] = Tag{RedactText(tag.Key), RedactText(tag.Value), RedactText(tag.Source), WithoutSecrets(tag.Field)}
		if _, label := strconv.ParseBool(tag.Value); isCredential(tag.Key) && tag.Value != "" && label != nil {
			kept[i].Value = redacted // "true" only says that the node has the label
		}
	}
	slices.SortFunc(kept, func(a, b Tag) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Source, b.Source))
	})
	kept = slices.Compact(kept)
	return kept[:min(len(kept), maxAttributes)]
}

// Add takes in one attribute as the stores have it, and reports a value that cannot be read.
func (a *Attributes) Add(kind AttributeKind, value []byte) error {
	into := map[AttributeKind]any{
		OwnersAttribute: &a.Owners, TagsAttribute: &a.Tags, DocumentationAttribute: &a.Documentation, TypeAttribute: &a.Type,
		DescriptionsAttribute: &a.Descriptions,
	}[kind]
	if into == nil {
		return nil // of a later version
	}
	return json.Unmarshal(value, into)
}
