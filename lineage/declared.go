package lineage

import "slices"

// DeclaredStatements says what a JobEvent or a DatasetEvent declares. An event that names no lineage declares none.
func DeclaredStatements(event Event, arrival Arrival) []Statement {
	facets := facetReader{}
	var statements []Statement
	add := func(output Node, inputs []Node, derivation Derivation) {
		statements = append(statements, Statement{
			EffectiveAt: EffectiveAt(event.EventTime, arrival.ReceivedAt),
			Key:         arrival.Content,
			Flow:        NewFlow(event.Job, slices.Clone(inputs)),
			Output:      output,
			Speaks:      derivation == ExplicitPair || len(inputs) > 0,
			Origin:      Declared,
			Derivation:  derivation,
			Scope:       arrival.Producer,
			JobVersion:  facets.jobVersion(event),
			Sender:      Sender{arrival.Producer, arrival.EventID},
		})
	}
	explicit := map[Node]bool{}
	for _, pairs := range facets.explicitPairs(event) {
		explicit[pairs.Target] = true
		add(pairs.Target, pairs.Inputs, ExplicitPair)
	}
	inputs := make([]Node, len(event.Inputs))
	for i, input := range event.Inputs {
		inputs[i] = input.Node()
	}
	for _, output := range event.Outputs {
		if !explicit[output.Node()] {
			add(output.Node(), inputs, InputsTimesOutputs)
		}
	}
	return statements
}
