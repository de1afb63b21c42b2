package lineage

import (
	"encoding/json/jsontext"
	"fmt"
	"strconv"
)

// Schema is the fields of a dataset, in their order. It never changes.
type Schema struct {
	Fields []Field
	id     Hash
}

// Field is a column of a dataset, or a part of one. Its description is no part of it: see FieldDescription.
type Field struct {
	Name string `json:"name"`
	// Type is as the producer writes it, empty where it was not told.
	Type string `json:"type,omitzero"`
	// Fields are the parts of a struct. The element of an array is a part called _element.
	Fields []Field `json:"fields,omitempty"`
}

// NewSchema is the schema of fields.
func NewSchema(fields []Field) *Schema {
	return &Schema{Fields: fields, id: HashOf(appendFields([]string{"schema"}, fields)...)}
}

func appendFields(parts []string, fields []Field) []string {
	for _, field := range fields {
		parts = append(parts, field.Name, field.Type, strconv.Itoa(len(field.Fields)))
		parts = appendFields(parts, field.Fields)
	}
	return parts
}

// ID is the hash of the fields.
func (s *Schema) ID() Hash { return s.id }

// Level implements Content.
func (*Schema) Level() Level { return SchemaLevel }

// Walk visits every field with its path, a struct before its parts.
func (s *Schema) Walk(visit func(FieldPath, Field)) { walkFields("", s.Fields, visit) }

func walkFields(parent FieldPath, fields []Field, visit func(FieldPath, Field)) {
	for _, field := range fields {
		path := parent.Child(field.Name)
		visit(path, field)
		walkFields(path, field.Fields, visit)
	}
}

// maxFieldDepth bounds how deep fields nest; what is deeper is left out with a warning. The deepest seen has 60 levels.
const maxFieldDepth = 100

// schema reads the schema facet of a dataset, and what it says of the fields. One without fields says nothing: it gives nil.
// Source: SchemaDatasetFacet.
func (r *facetReader) schema(facets Facets, path string) (*Schema, []FieldDescription) {
	type schemaFacet struct {
		Fields []facetField `json:"fields"`
	}
	facet, _ := readFacet[schemaFacet](r, facets, "schema", path)
	reading := fieldReading{depth: 1}
	fields := reading.fields(facet.Fields)
	if reading.unnamed > 0 {
		r.warn("malformed_facet", path+".schema", "%d of its fields were left out: they have no name that can be kept", reading.unnamed)
	}
	if reading.deep > 0 {
		r.warn("deep_schema", path+".schema", "what lies below %d levels was left out", maxFieldDepth)
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return NewSchema(fields), descriptionsOf(facet.Fields)
}

// facetField is a field as the facet has it.
type facetField struct {
	Name        string         `json:"name"`
	Type        jsontext.Value `json:"type"`
	Description jsontext.Value `json:"description"`
	Fields      []facetField   `json:"fields"`
}

// fieldReading counts what it leaves out.
type fieldReading struct {
	depth, unnamed, deep int
}

func (r *fieldReading) fields(list []facetField) []Field {
	if len(list) > 0 && r.depth > maxFieldDepth {
		r.deep += len(list)
		return nil
	}
	fields := make([]Field, 0, len(list))
	for _, field := range list {
		if !usable(field.Name) {
			r.unnamed++
			continue
		}
		r.depth++
		parts := r.fields(field.Fields)
		r.depth--
		fields = append(fields, Field{Name: field.Name, Type: fieldType(field.Type), Fields: parts})
	}
	return fields
}

// maxTypeBytes bounds the text of a type; a longer one, as a struct written out can be, is known by its beginning and hash.
const maxTypeBytes = 1024

// fieldType is the type's text; one that is no string, as some clients send, stands as its JSON.
func fieldType(value jsontext.Value) string {
	text, ok := decodeString(value)
	if !ok {
		compact := value.Clone()
		_ = compact.Compact() // it was read as JSON
		text = string(compact)
	}
	text = storable(text)
	if len(text) > maxTypeBytes {
		return fmt.Sprintf("%s %s", cut(text, maxTypeBytes), HashOf(text).Short())
	}
	return text
}
