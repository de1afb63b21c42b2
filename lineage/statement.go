package lineage

import "time"

// Statement is what one run or one declaration says of (job, output).
type Statement struct {
	// EffectiveAt and Key order the statements of one timeline.
	EffectiveAt time.Time
	// Key is the run's hash, or the content hash of the event that declares.
	Key Hash
	// Until is when a roll-back ended the statement itself, else Forever; the next one may replace it before.
	Until time.Time
	// Job is the zero JobID for a view, and for what is said of a dataset whoever writes it.
	Job     JobID
	Content Content
	// Output is a dataset, or a job that ends a path: a sink, or a job that another one feeds.
	Output Node
	// Speaks is false where its content says nothing, as a flow that names no inputs, and so replaces nothing.
	Speaks      bool
	Origin      Origin
	Publication Publication
	Derivation  Derivation
	// Scope keeps apart what different authors declare; empty for observed lineage.
	Scope      string
	JobVersion string
	Sender     Sender
	// RunID is empty for declared lineage.
	RunID string
}

// Flow is the content of a statement of what feeds its output, else nil.
func (s *Statement) Flow() *Flow {
	flow, _ := s.Content.(*Flow)
	return flow
}

// TimelineID is the key of the statements that s is ordered among.
func (s *Statement) TimelineID() Hash {
	output := s.Output.ID()
	parts := []string{"timeline", s.Job.Namespace, s.Job.Name, string(output[:]), string(rune('0' + s.Origin)), s.Scope}
	if level := s.Content.Level(); level != FlowLevel {
		parts = append(parts, string(rune('0'+level)))
	}
	return HashOf(parts...)
}
