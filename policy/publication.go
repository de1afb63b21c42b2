package policy

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// PublicationInput is what the publication policy sees: a run and one of its outputs, with the names that the producer
// gave them.
type PublicationInput struct {
	Run    lineage.RunKey
	State  lineage.RunState
	Mode   lineage.ProcessingMode // empty where no event told it
	Output lineage.DatasetID
	// Markers are those of the run; the policy sees those of the output.
	Markers []lineage.RunMarker
}

// Publication gives what one output of a run needs before it is published.
func (e *Engine) Publication(ctx context.Context, question PublicationInput) (lineage.Requirement, error) {
	inUse := e.inUse.Load()
	markers, quality := question.markers()
	answer, err := inUse.ask(ctx, publication, map[string]any{
		"run": map[string]any{
			"id":             question.Run.RunID,
			"state":          question.State.String(),
			"processingType": string(question.Mode),
		},
		"job":     map[string]any{"namespace": question.Run.Job.Namespace, "name": question.Run.Job.Name},
		"output":  map[string]any{"namespace": question.Output.Namespace, "name": question.Output.Name},
		"markers": markers,
		"quality": quality,
	})
	if err != nil {
		return lineage.Requirement{}, err
	}
	requirement, err := requirementOf(answer)
	if err != nil {
		return lineage.Requirement{}, unusable(publication, answer, "a requirement: "+err.Error())
	}
	requirement.PolicyRevision = inUse.revision
	return requirement, nil
}

// markers are those of the output as Rego sees them, and the latest answer of each quality gate.
func (q *PublicationInput) markers() (markers []any, quality map[string]any) {
	markers, quality = []any{}, map[string]any{}
	latest := map[string]lineage.Moment{}
	for _, marker := range q.Markers {
		if marker.Output != q.Output {
			continue
		}
		markers = append(markers, map[string]any{
			"kind": string(marker.Kind), "gate": marker.Gate, "by": marker.By, "facet": marker.Facet,
			"eventTime": marker.EventTime.Format(time.RFC3339Nano),
		})
		isResult := marker.Kind == lineage.Passed || marker.Kind == lineage.Failed
		if at, known := latest[marker.Gate]; isResult && (!known || at.Compare(marker.Moment) < 0) {
			latest[marker.Gate], quality[marker.Gate] = marker.Moment, string(marker.Kind)
		}
	}
	return markers, quality
}

// requirementOf reads {"gates": ["quality"], "wait": "30m", "at_timeout": "suspect"}.
func requirementOf(answer any) (lineage.Requirement, error) {
	var written struct {
		Gates     []string `json:"gates"`
		Wait      string   `json:"wait"`
		AtTimeout string   `json:"at_timeout"`
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return lineage.Requirement{}, err
	}
	if err := json.Unmarshal(encoded, &written, json.RejectUnknownMembers(true)); err != nil {
		return lineage.Requirement{}, err
	}
	if written.Gates == nil {
		return lineage.Requirement{}, errors.New(`gates are missing; write "gates": [] where none must pass`)
	}
	requirement := lineage.Requirement{Gates: written.Gates}
	if written.Wait != "" {
		requirement.Wait, err = time.ParseDuration(written.Wait)
		if err != nil || requirement.Wait <= 0 {
			return lineage.Requirement{}, fmt.Errorf("wait %q is no time to wait; write for example \"30m\"", written.Wait)
		}
	}
	switch publication, _ := lineage.ParsePublication(written.AtTimeout); publication {
	case lineage.Published, lineage.Suspect, lineage.Diagnostic, lineage.Rejected:
		requirement.AtTimeout = publication
	default:
		return lineage.Requirement{}, fmt.Errorf(`at_timeout %q is none of "published", "suspect", "diagnostic", "rejected"`, written.AtTimeout)
	}
	return requirement, nil
}
