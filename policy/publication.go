package policy

import (
	"context"

	"github.com/headwater-data/headwater/lineage"
)

// PublicationInput is what the publication policy sees: a run and one of its outputs, with the names that the producer
// gave them.
type PublicationInput struct {
	Run    lineage.RunKey
	State  lineage.RunState
	Mode   lineage.ProcessingMode // empty where no event told it
	Output lineage.DatasetID
}

// Publication gives the gates of one output of a run.
func (e *Engine) Publication(ctx context.Context, question PublicationInput) (lineage.Requirement, error) {
	inUse := e.inUse.Load()
	answer, err := inUse.ask(ctx, publicationGates, map[string]any{
		"run": map[string]any{
			"id":             question.Run.RunID,
			"state":          question.State.String(),
			"processingType": string(question.Mode),
		},
		"job":    map[string]any{"namespace": question.Run.Job.Namespace, "name": question.Run.Job.Name},
		"output": map[string]any{"namespace": question.Output.Namespace, "name": question.Output.Name},
	})
	if err != nil {
		return lineage.Requirement{}, err
	}
	values, ok := answer.([]any)
	if !ok {
		return lineage.Requirement{}, unusable(publicationGates, answer, "a list of names")
	}
	requirement := lineage.Requirement{PolicyRevision: inUse.revision}
	for _, value := range values {
		gate, ok := value.(string)
		if !ok {
			return lineage.Requirement{}, unusable(publicationGates, answer, "a list of names")
		}
		requirement.Gates = append(requirement.Gates, gate)
	}
	return requirement, nil
}
