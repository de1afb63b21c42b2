package lineage

import (
	"slices"
	"time"
)

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

// Statement is what one run or one declaration says of (job, output).
type Statement struct {
	// EffectiveAt and Key order the statements of one timeline.
	EffectiveAt time.Time
	// Key is the run's hash, or the content hash of the event that declares.
	Key Hash
	// Until is when a roll-back ended the statement itself, else Forever; the next one may replace it before.
	Until time.Time
	Flow  *Flow
	// Output is a dataset, or a job that ends a path: a sink, or a job that another one feeds.
	Output Node
	// Speaks is false where it says nothing of inputs and so replaces nothing.
	Speaks      bool
	Origin      Origin
	Publication Publication
	Derivation  Derivation
	// Scope keeps apart what different authors declare; empty for observed lineage.
	Scope      string
	JobVersion string
	Sender     Sender
	// Run is zero for declared lineage.
	Run Hash
}

// TimelineID is the key of the statements that s is ordered among.
func (s *Statement) TimelineID() Hash {
	output := s.Output.ID()
	return HashOf("timeline", s.Flow.Job.Namespace, s.Flow.Job.Name, string(output[:]), string(rune('0'+s.Origin)), s.Scope)
}
