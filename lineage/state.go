package lineage

// RunState is where a run stands. The numbers are stored.
type RunState int16

// The states of a run. The last three are terminal.
const (
	RunUnknown   RunState = 1
	RunStarted   RunState = 2
	RunRunning   RunState = 3
	RunCompleted RunState = 4
	RunFailed    RunState = 5
	RunAborted   RunState = 6
)

var runStateNames = map[RunState]string{
	RunUnknown: "UNKNOWN", RunStarted: "STARTED", RunRunning: "RUNNING",
	RunCompleted: "COMPLETED", RunFailed: "FAILED", RunAborted: "ABORTED",
}

// String is the state's name as people and policies know it.
func (s RunState) String() string { return runStateNames[s] }

// Terminal reports whether the run has ended.
func (s RunState) Terminal() bool { return s >= RunCompleted }

// stateAfter gives the state that an event type alone implies.
func stateAfter(t EventType) RunState {
	switch t {
	case Start:
		return RunStarted
	case Running:
		return RunRunning
	case Complete:
		return RunCompleted
	case Fail:
		return RunFailed
	case Abort:
		return RunAborted
	default:
		return RunUnknown
	}
}

// Publication is whether what a run wrote to one output is part of the current graph. The numbers are stored.
type Publication int16

// The publication states of an output. NotPublishable stands for declared lineage, which is not published by a run.
const (
	NotPublishable Publication = 0
	Pending        Publication = 1
	Published      Publication = 2
	Diagnostic     Publication = 3
	Suspect        Publication = 4
	Rejected       Publication = 5
	RolledBack     Publication = 6
)

var publicationNames = map[Publication]string{
	Pending: "pending", Published: "published", Diagnostic: "diagnostic",
	Suspect: "suspect", Rejected: "rejected", RolledBack: "rolled_back",
}

// String is the publication's name as people and policies know it.
func (p Publication) String() string { return publicationNames[p] }

// ParsePublication reads what String writes.
func ParsePublication(name string) (Publication, bool) {
	for publication := Pending; publication <= RolledBack; publication++ {
		if publication.String() == name {
			return publication, true
		}
	}
	return NotPublishable, false
}

// Visible reports whether the output is in the current graph.
func (p Publication) Visible() bool { return p == Published || p == Suspect }

// Origin tells who vouches for an edge. The numbers are stored.
type Origin int16

// The origins of lineage.
const (
	Declared Origin = 1
	Observed Origin = 2
	Manual   Origin = 3
)

// Derivation tells how an edge follows from what was reported. The numbers are stored.
type Derivation int16

// The derivations of an edge.
const (
	// ExplicitPair comes from a lineage facet, which names the inputs of each output.
	ExplicitPair Derivation = 1
	// ByColumnLineage comes from the datasets that the output's column lineage names.
	ByColumnLineage Derivation = 2
	// InputsTimesOutputs joins every input of the run with every output, for want of anything better.
	InputsTimesOutputs Derivation = 3
	// ByManifest comes from what a project's manifest says that a job reads and writes.
	ByManifest Derivation = 4
)

// ProcessingMode tells whether a job ends by itself.
type ProcessingMode string

// The modes of the jobType facet.
const (
	Batch     ProcessingMode = "BATCH"
	Streaming ProcessingMode = "STREAMING"
	Service   ProcessingMode = "SERVICE"
)

// Continuous reports whether the job has no natural end, so that its lineage shows while it runs.
func (m ProcessingMode) Continuous() bool { return m == Streaming || m == Service }
