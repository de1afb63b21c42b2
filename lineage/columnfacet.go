package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
)

// The types here read what the facets columnLineage and lineage have in common. Such a facet may have many megabytes,
// most of them repetition: its inputs are taken in one by one and only as numbers, so that reading it needs little more
// memory than what it says once.

// columnReading is the reading of one facet.
type columnReading struct {
	// own is the job of the event, for which an input of type JOB without a name stands.
	own  JobID
	pool influencePool
}

// lineageInputs is a list of inputs, of a field or of a whole output.
type lineageInputs struct {
	reading *columnReading
	// given tells that there was a list, be it empty.
	given bool
	// numbers are those of the pool; an input that states no transformation has one without a kind.
	numbers []int32
	// broken counts the inputs that name nothing.
	broken int
}

// lineageInput is an element of lineageInputs.
type lineageInput struct {
	lineageEntity
	Field           string `json:"field"`
	Transformations []struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		Masking bool   `json:"masking"`
	} `json:"transformations"`
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (l *lineageInputs) UnmarshalJSONFrom(decoder *jsontext.Decoder) (err error) {
	l.given, err = each(decoder, jsontext.KindBeginArray, func() error {
		var input lineageInput
		if err := json.UnmarshalDecode(decoder, &input); err != nil {
			return err
		}
		l.add(input)
		return nil
	})
	return err
}

func (l *lineageInputs) add(input lineageInput) {
	node, ok := input.node(l.reading.own)
	if !ok || input.Field != "" && !usable(input.Field) {
		l.broken++
		return
	}
	if node.Kind == NodeDataset {
		node = DatasetID{node.Namespace, node.Name}.Field(NewFieldPath(input.Field))
	}
	if len(input.Transformations) == 0 {
		l.numbers = append(l.numbers, l.reading.pool.number(Influence{Input: node}))
	}
	for _, t := range input.Transformations {
		l.numbers = append(l.numbers, l.reading.pool.number(Influence{node, newTransformation(t.Type, t.Subtype, t.Masking)}))
	}
}

// unstated gives the inputs that state no transformation the one that they have then.
func (l *lineageInputs) unstated(transformation Transformation) {
	for i, number := range l.numbers {
		if influence := l.reading.pool.list[number]; influence.Kind == 0 {
			l.numbers[i] = l.reading.pool.number(Influence{influence.Input, transformation})
		}
	}
}

// mappedFields is an object with a member for each field of an output.
type mappedFields struct {
	reading *columnReading
	given   bool
	fields  map[FieldPath][]int32
	// broken counts the inputs that name nothing, left the fields that have no name.
	broken, left int
	// silent tells that there are fields of which no list of inputs is given.
	silent bool
}

// speak reports whether something can be made of what is said of fields, be it that there are none.
func (m *mappedFields) speak() bool {
	return len(m.fields) > 0 || m.given && m.broken+m.left == 0 && !m.silent
}

// mappedField is a member of mappedFields. The two facets call its inputs differently.
type mappedField struct {
	InputFields        lineageInputs `json:"inputFields"`
	Inputs             lineageInputs `json:"inputs"`
	TransformationType string        `json:"transformationType"`
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (m *mappedFields) UnmarshalJSONFrom(decoder *jsontext.Decoder) (err error) {
	m.given, err = each(decoder, jsontext.KindBeginObject, func() error {
		token, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		field := mappedField{InputFields: lineageInputs{reading: m.reading}, Inputs: lineageInputs{reading: m.reading}}
		if err := json.UnmarshalDecode(decoder, &field); err != nil {
			return err
		}
		if !field.InputFields.given && !field.Inputs.given {
			m.silent = true
		}
		for _, inputs := range []*lineageInputs{&field.InputFields, &field.Inputs} {
			inputs.unstated(legacyTransformation(field.TransformationType))
			m.add(name, inputs)
		}
		return nil
	})
	return err
}

// add takes in what feeds a field. A field of which no input can be read is left out: it would seem to have none.
func (m *mappedFields) add(name string, inputs *lineageInputs) {
	m.broken += inputs.broken
	switch {
	case !inputs.given || len(inputs.numbers) == 0 && inputs.broken > 0:
	case !usable(name):
		m.left++
	default:
		if m.fields == nil {
			m.fields = map[FieldPath][]int32{}
		}
		path := NewFieldPath(name)
		m.fields[path] = append(m.fields[path], inputs.numbers...)
	}
}

// each reads an array or an object, whose elements, or names with what follows them, next reads. It gives false for null.
func each(decoder *jsontext.Decoder, kind jsontext.Kind, next func() error) (given bool, err error) {
	switch found := decoder.PeekKind(); found {
	case kind:
	case jsontext.KindNull:
		_, err := decoder.ReadToken()
		return false, err
	default:
		return false, &json.SemanticError{JSONKind: found, JSONPointer: decoder.StackPointer()}
	}
	if _, err := decoder.ReadToken(); err != nil {
		return false, err
	}
	for ended := decoder.PeekKind(); ended != jsontext.KindEndArray && ended != jsontext.KindEndObject; ended = decoder.PeekKind() {
		if err := next(); err != nil {
			return false, err
		}
	}
	_, err = decoder.ReadToken()
	return true, err
}
