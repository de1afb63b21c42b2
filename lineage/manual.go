package lineage

// EdgeStated is a ManualEdge.
const EdgeStated PlatformType = "EdgeStated"

// ManualEdge is what a person says of two datasets: that the one is made of the other, or no longer is. Each edge is
// stated and ended by itself, whoever does it; the latest by event time holds. It stands beside what is declared and
// observed, and neither touches it.
type ManualEdge struct {
	From DatasetID `json:"from"`
	To   DatasetID `json:"to"`
	// Job makes the one of the other; zero where the person names none.
	Job JobID `json:"job,omitzero"`
	// Ended says that it is so no longer.
	Ended bool `json:"ended,omitzero"`
}

// PlatformType implements Fact.
func (ManualEdge) PlatformType() PlatformType { return EdgeStated }

func (e ManualEdge) checked(limits Limits) (Fact, error) {
	e.From, e.To = NewDatasetID(e.From.Namespace, e.From.Name), NewDatasetID(e.To.Namespace, e.To.Name)
	names := []namedText{
		{"fact.from.namespace", e.From.Namespace},
		{"fact.from.name", e.From.Name},
		{"fact.to.namespace", e.To.Namespace},
		{"fact.to.name", e.To.Name},
	}
	if e.Job != (JobID{}) {
		e.Job = NewJobID(e.Job.Namespace, e.Job.Name)
		names = append(names, namedText{"fact.job.namespace", e.Job.Namespace}, namedText{"fact.job.name", e.Job.Name})
	}
	return e, checkNames(limits, names...)
}

// Statements is the edge as a statement under name rules, or its absence once it is ended. Its scope is the edge itself, so
// that edges into one dataset stand beside each other.
func (e ManualEdge) Statements(at Moment, sender Sender, names *NameRules) []Statement {
	from := names.Node(e.From.Node())
	statement := Statement{
		EffectiveAt: at.EffectiveAt, Key: at.Key, Until: Forever, Job: e.Job, Content: NewFlow(e.Job, []Node{from}),
		Output: names.Node(e.To.Node()), Speaks: true, Origin: Manual, Derivation: ExplicitPair,
		Scope: HashOf("manual edge", from.Namespace, from.Name).String(), Sender: sender,
	}
	if e.Ended {
		statement.Content = Absence(FlowLevel)
	}
	return []Statement{statement}
}
