package lineage

import "slices"

// ColumnMap says which fields feed the fields of one output of one job. It never changes.
type ColumnMap struct {
	// Job is the zero JobID for a view, which needs none.
	Job    JobID
	Output DatasetID
	// Whole are the sets that influence every field of the output.
	Whole []*InputSet
	// Fields are sorted by path. A map without fields and without Whole says that there is no column lineage.
	Fields []MappedField
	id     Hash
}

// MappedField is a field of an output. Without sets nothing feeds it but what feeds every field.
type MappedField struct {
	Path FieldPath
	// Sets are sorted by transformation, each with another one.
	Sets []*InputSet
}

// InputSet is what goes through one transformation. Fields that are fed alike share it.
type InputSet struct {
	Transformation
	// Inputs are sorted, each once: fields; datasets of which the field is not known; jobs that make a field up.
	Inputs []Node
	id     Hash
}

// NewColumnMap builds the map of what influences the fields of an output and the output as a whole, in any order. An
// indirect influence on every field becomes one on the whole, so that both ways of saying so give one map.
func NewColumnMap(job JobID, output DatasetID, whole []Influence, fields map[FieldPath][]Influence) *ColumnMap {
	pool := influencePool{}
	draft := columnDraft{whole: pool.refer(whole), fields: make(map[FieldPath][]int32, len(fields))}
	for path, influences := range fields {
		draft.fields[path] = pool.refer(influences)
	}
	return newMapBuilder(&pool).build(draft, job, output)
}

// ID is the hash of the map's content.
func (m *ColumnMap) ID() Hash { return m.id }

// Level implements Content.
func (*ColumnMap) Level() Level { return ColumnLevel }

// Empty reports whether the map says that there is no column lineage, which is more than saying nothing.
func (m *ColumnMap) Empty() bool { return len(m.Whole) == 0 && len(m.Fields) == 0 }

// ID is the hash of the set's content.
func (s *InputSet) ID() Hash { return s.id }

// Rows is how many rows it takes to store the map: near its fields and inputs, never their product.
func (m *ColumnMap) Rows() int {
	rows := 1 + len(m.Whole)
	for _, field := range m.Fields {
		rows += max(1, len(field.Sets))
	}
	for _, set := range m.Sets() {
		rows += 1 + len(set.Inputs)
	}
	return rows
}

// Sets are the sets of the map, each once.
func (m *ColumnMap) Sets() []*InputSet {
	sets := slices.Clone(m.Whole)
	for _, field := range m.Fields {
		sets = append(sets, field.Sets...)
	}
	seen := make(map[Hash]bool, len(sets))
	return slices.DeleteFunc(sets, func(set *InputSet) bool {
		again := seen[set.id]
		seen[set.id] = true
		return again
	})
}

// hash is over what the map says, each list with its length in front.
func (m *ColumnMap) hash() Hash {
	parts := make([]string, 0, 6+2*len(m.Fields))
	parts = append(parts, "column map", m.Job.Namespace, m.Job.Name, m.Output.Namespace, m.Output.Name, idsOf(m.Whole))
	for _, field := range m.Fields {
		parts = append(parts, string(field.Path), idsOf(field.Sets))
	}
	return HashOf(parts...)
}

func idsOf(sets []*InputSet) string {
	var ids []byte
	for _, set := range sets {
		ids = append(ids, set.id[:]...)
	}
	return string(ids)
}

func newInputSet(transformation Transformation, inputs []Node) *InputSet {
	masking := "open"
	if transformation.Masking {
		masking = "masking"
	}
	parts := make([]string, 0, 4+len(inputs))
	parts = append(parts, "input set", string(rune('0'+transformation.Kind)), transformation.Subtype, masking)
	for _, input := range inputs {
		id := input.ID()
		parts = append(parts, string(id[:]))
	}
	return &InputSet{Transformation: transformation, Inputs: inputs, id: HashOf(parts...)}
}
