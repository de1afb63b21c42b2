package lineage

import "slices"

// Flow is a job and a set of inputs: everything in the set feeds whatever the flow writes. It never changes.
type Flow struct {
	// Job is the zero JobID for a view, which needs none.
	Job JobID
	// Inputs are sorted, each once. None: the job is known to write, and no more.
	Inputs []Node
	id     Hash
}

// NewFlow builds the flow of a job over inputs, given in any order.
func NewFlow(job JobID, inputs []Node) *Flow {
	inputs = slices.Compact(slices.SortedFunc(slices.Values(inputs), Node.Compare))
	parts := make([]string, 0, len(inputs)+3)
	parts = append(parts, "flow", job.Namespace, job.Name)
	for _, input := range inputs {
		id := input.ID()
		parts = append(parts, string(id[:]))
	}
	return &Flow{Job: job, Inputs: inputs, id: HashOf(parts...)}
}

// ID is the hash of the flow's content.
func (f *Flow) ID() Hash { return f.id }

// Level is FlowLevel.
func (f *Flow) Level() Level { return FlowLevel }

// flowSet builds the flows of one job, each content once: a wide run writes many outputs from one set.
type flowSet struct {
	job  JobID
	byID map[Hash]*Flow
}

func (s flowSet) over(inputs []Node) *Flow {
	flow := NewFlow(s.job, inputs)
	if known, ok := s.byID[flow.ID()]; ok {
		return known
	}
	s.byID[flow.ID()] = flow
	return flow
}
