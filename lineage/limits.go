package lineage

// Limits bounds what one event may hold. A value at the bound is accepted.
type Limits struct {
	// Depth is how deep objects and arrays may nest; beyond 10,000 levels nothing can be read.
	Depth int
	// NameBytes bounds each namespace and name, in bytes of UTF-8.
	NameBytes int
	// RunIDBytes bounds a run id, in bytes of UTF-8.
	RunIDBytes int
	// Datasets bounds inputs and outputs, each.
	Datasets int
}

// DefaultLimits holds real documents with room to spare: the deepest seen nests 128 levels, the longest name has 5,004 bytes.
func DefaultLimits() Limits {
	return Limits{Depth: 512, NameBytes: 8192, RunIDBytes: 512, Datasets: 20_000}
}
