package lineage

import (
	"bytes"
	"fmt"
	"slices"
)

// SchemaID stands for a schema where its hash is enough: a run keeps no more of the schemas that its events state.
type SchemaID Hash

// ID implements Content.
func (id SchemaID) ID() Hash { return Hash(id) }

// Level implements Content.
func (SchemaID) Level() Level { return SchemaLevel }

// StatedSchema is the schema of a dataset as one event has it.
type StatedSchema struct {
	Dataset DatasetID `json:"dataset"`
	// Schema is zero where the event deletes the facet: from then on none is known.
	Schema Hash `json:"schema"`
	// Read tells that the dataset was an input: what is read is often a part. It is evidence, and no part of the run.
	Read bool `json:"read,omitzero"`
}

// schemas reads the schemas of the datasets of an event, what is in them, and what those that are no inputs say of fields.
func (r *facetReader) schemas(event Event) (stated []StatedSchema, contents []*Schema, described []StatedAttribute) {
	read := func(dataset Dataset, path string, input bool) {
		schema, descriptions := r.schema(dataset.Facets, path+".facets")
		if schema == nil {
			if slices.Contains(dataset.Deleted, "schema") {
				stated = append(stated, StatedSchema{dataset.DatasetID, Hash{}, input})
				if !input {
					described = append(described, StatedAttribute{dataset.Node(), DescriptionsAttribute, nothing})
				}
			}
			return
		}
		stated = append(stated, StatedSchema{dataset.DatasetID, schema.ID(), input})
		contents = append(contents, schema)
		if !input {
			described = append(described, Attributes{Descriptions: descriptions}.of(dataset.Node())...)
		}
	}
	if event.Kind == DatasetEvent {
		read(event.Dataset, "dataset", false)
	}
	for i, input := range event.Inputs {
		read(input, fmt.Sprintf("inputs[%d]", i), true)
	}
	for i, output := range event.Outputs {
		read(output, fmt.Sprintf("outputs[%d]", i), false)
	}
	return stated, contents, described
}

// OutputSchema is a schema that a run states of an output.
type OutputSchema struct {
	// Schema is zero for events that deleted what was stated before.
	Schema Hash `json:"schema"`
	// First and Last are the earliest and the latest moment at which an event stated it.
	First Moment `json:"first"`
	Last  Moment `json:"last"`
}

func compareOutputSchemas(a, b OutputSchema) int { return bytes.Compare(a.Schema[:], b.Schema[:]) }

func (s *OutputSchema) join(other OutputSchema) {
	s.First = earlier(s.First, other.First)
	s.Last = later(s.Last, other.Last)
}

func (s OutputSchema) moments() (first, last Moment) { return s.First, s.Last }

// statedSchema says of the schema of an output what the run says, of which it states something else. ok is false where the
// run says nothing of it.
func (v *view) statedSchema(stated Statement, same []Output) (s Statement, ok bool) {
	var said []OutputSchema
	for i := range same {
		said = append(said, same[i].Schemas...)
	}
	if v.run.Continuous() { // facets add up
		said = slices.DeleteFunc(said, func(s OutputSchema) bool { return s.Schema.IsZero() })
	}
	holds, ok := latest(v, said)
	stated.Content, stated.Derivation = SchemaID(holds.Schema), ExplicitPair
	return stated, ok
}
