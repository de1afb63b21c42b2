package lineage

// Level is how closely a statement looks at its output. Each level has timelines of its own.
type Level int16

// The levels of statements.
const (
	// FlowLevel says what feeds an output. Its content is a *Flow.
	FlowLevel Level = iota + 1
	// ColumnLevel says which fields of an output come from which.
	ColumnLevel
	// SchemaLevel says which fields a dataset has.
	SchemaLevel
)

// Content is what a statement says of its output. It never changes and is found by its hash.
type Content interface {
	ID() Hash
	Level() Level
}
