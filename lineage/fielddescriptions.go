package lineage

import (
	"cmp"
	"slices"
	"strings"
)

// FieldDescription says what a field of a dataset means. It is no part of the schema, which stays the same when it is only
// explained anew: of what is said of the fields of a dataset the latest holds, as of the documentation of the dataset.
type FieldDescription struct {
	Path FieldPath `json:"path"`
	Text string    `json:"text"`
}

const (
	// maxDescriptionBytes bounds the description of one field; its beginning is kept.
	maxDescriptionBytes = 2 << 10
	// maxDescriptionsBytes bounds those of one dataset together, with their paths; those that come later by path are left out.
	maxDescriptionsBytes = 64 << 10
)

// descriptionsOf are those that a schema facet gives to its fields.
func descriptionsOf(fields []facetField) []FieldDescription {
	var described []FieldDescription
	var describe func(parent FieldPath, fields []facetField)
	describe = func(parent FieldPath, fields []facetField) {
		for _, field := range fields {
			if field.Description == nil && len(field.Fields) == 0 || !usable(field.Name) {
				continue
			}
			path := parent.Child(field.Name)
			if text, _ := decodeString(field.Description); text != "" {
				described = append(described, FieldDescription{path, text})
			}
			describe(path, field.Fields)
		}
	}
	describe("", fields)
	return described
}

// keptDescriptions are those that say something, by path, each path once, without credentials.
func keptDescriptions(descriptions []FieldDescription) []FieldDescription {
	sorted := slices.SortedFunc(slices.Values(descriptions), func(a, b FieldDescription) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Text, b.Text))
	})
	var kept []FieldDescription
	size := 0
	for _, d := range sorted {
		d.Text = strings.TrimSpace(storable(cut(d.Text, maxDescriptionBytes)))
		size += len(d.Path) + len(d.Text)
		if d.Text == "" || len(kept) > 0 && kept[len(kept)-1].Path == d.Path || !usable(string(d.Path)) {
			continue
		}
		if size > maxDescriptionsBytes {
			break
		}
		kept = append(kept, FieldDescription{d.Path, RedactText(d.Text)})
	}
	return kept
}
