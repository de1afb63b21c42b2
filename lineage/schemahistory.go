package lineage

import (
	"slices"
	"time"
)

// SchemaSource says who vouches for a schema, the most trusted first.
type SchemaSource int

// The sources of schemas.
const (
	// WrittenSchema is that of a run that wrote the dataset.
	WrittenSchema SchemaSource = iota + 1
	// DeclaredSchema is that of a catalog, or of a description of the dataset.
	DeclaredSchema
	// ReadSchema is that of a run that read the dataset, perhaps only in part.
	ReadSchema
)

// SchemaVersion is a schema of a dataset with its validity, from From up to, not including, To.
type SchemaVersion struct {
	Schema   *Schema
	Source   SchemaSource
	From, To time.Time
	Sender
	// Columns is the case rule under which its fields are known; empty where names are as they are.
	Columns NameCase
}

// SchemaHistory is what is known of the schemas of one dataset.
type SchemaHistory struct {
	// Versions are the latest first. Those of one source do not overlap, but for declared ones of several authors.
	Versions []SchemaVersion
}

// NewSchemaHistory takes versions in any order, and the times at which the dataset was dropped: whatever was valid then
// ends with it.
func NewSchemaHistory(versions []SchemaVersion, drops []time.Time) SchemaHistory {
	ended := make([]SchemaVersion, 0, len(versions))
	for _, version := range versions {
		for _, drop := range drops {
			if drop.After(version.From) && drop.Before(version.To) {
				version.To = drop
			}
		}
		ended = append(ended, version)
	}
	slices.SortStableFunc(ended, func(a, b SchemaVersion) int {
		if c := b.From.Compare(a.From); c != 0 {
			return c
		}
		return int(a.Source) - int(b.Source)
	})
	return SchemaHistory{ended}
}

// At is the schema that holds at a time: of those valid then that of the most trusted source, and of several the one that
// was stated last. It is nil where none is known.
func (h SchemaHistory) At(at time.Time) *SchemaVersion {
	var holds *SchemaVersion
	for i := range h.Versions {
		version := &h.Versions[i]
		if !version.From.After(at) && version.To.After(at) && (holds == nil || version.Source < holds.Source) {
			holds = version
		}
	}
	return holds
}

// Since tells of each field of a version, as it is spelled there, from when it has been there without a break. A field that
// was dropped and made again is another field than the one before.
func (h SchemaHistory) Since(version *SchemaVersion) map[FieldPath]time.Time {
	since := map[FieldPath]time.Time{}
	version.Schema.Walk(func(path FieldPath, _ Field) { since[path] = version.From })
	begin := version.From
	for _, earlier := range h.Versions {
		if earlier.Source != version.Source || !earlier.To.Equal(begin) {
			continue
		}
		begin = earlier.From
		there := map[FieldPath]bool{}
		earlier.Schema.Walk(func(path FieldPath, _ Field) { there[version.Columns.Path(path)] = true })
		for path, at := range since {
			if there[version.Columns.Path(path)] && at.Equal(earlier.To) {
				since[path] = earlier.From
			}
		}
	}
	return since
}
