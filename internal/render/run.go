package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Run writes the page of a run: its life, what it read, what it wrote and whether that counts, and on what evidence.
func Run(answer *headwaterv1.GetRunResponse, style Style) string {
	run := answer.GetRun()
	p := page{style: style}
	p.head(run)
	p.inputs(run.GetInputs())
	p.outputs(run)
	p.tree(run)
	p.attempts(run.GetAttempts())
	p.events(run.GetEvents())
	p.unreadFacets(run.GetUnreadFacets())
	p.warnings(run.GetWarnings())
	p.text.WriteByte('\n')
	p.text.WriteString(position(answer.GetProjection(), style))
	return p.text.String()
}

// page is a page being written.
type page struct {
	style Style
	text  strings.Builder
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.text, format, args...) }

func (p *page) section(title string) { p.printf("\n%s\n", p.style.strong(title)) }

func (p *page) head(run *headwaterv1.Run) {
	p.printf("%s %s\n", p.style.strong("run "+printable(run.GetRunId())), p.state(run.GetState()))
	p.printf("  job      %s", jobName(run.GetJob()))
	if run.JobVersion != nil {
		p.printf(", version %s", printable(run.GetJobVersion()))
	}
	p.printf("\n")
	p.standing(run)
	if engine := run.GetEngine(); engine != nil {
		p.printf("  engine   %s\n", engineName(engine))
	}
	p.tags(run.GetTags())
	p.printf("  started  %s\n", p.moment(run.GetStartedAt(), "no START has come"))
	p.printf("  ended    %s", p.moment(run.GetEndedAt(), "not yet"))
	if run.GetStartedAt() != nil && run.GetEndedAt() != nil {
		p.printf(", after %s", run.GetEndedAt().AsTime().Sub(run.GetStartedAt().AsTime()))
	}
	p.printf("\n")
	if run.GetNominalStart() != nil {
		p.printf("  for      %s", clock(run.GetNominalStart().AsTime()))
		if run.GetNominalEnd() != nil {
			p.printf(" to %s", clock(run.GetNominalEnd().AsTime()))
		}
		p.printf("\n")
	}
	if run.ErrorMessage != nil {
		p.printf("  error    %s\n", p.style.bad(printable(run.GetErrorMessage())))
	}
	if run.GetDisputed() {
		p.printf("  %s\n", p.style.warning("! its terminal events disagree; the latest by event time holds"))
	}
}

func (p *page) moment(at *timestamppb.Timestamp, absent string) string {
	if at == nil {
		return absent
	}
	return clock(at.AsTime()) + ", " + p.style.ago(at.AsTime())
}

func (p *page) state(state headwaterv1.RunState) string {
	text := word(state, "RUN_STATE_")
	switch state {
	case headwaterv1.RunState_RUN_STATE_COMPLETED:
		return p.style.good(text)
	case headwaterv1.RunState_RUN_STATE_FAILED, headwaterv1.RunState_RUN_STATE_ABORTED:
		return p.style.bad(text)
	default:
		return p.style.warning(text)
	}
}

func (p *page) inputs(inputs []*headwaterv1.RunInput) {
	p.section("inputs")
	for _, input := range inputs {
		p.printf("  %s%s%s\n", datasetName(input.GetDataset()), p.knownAs(input.KnownAs), p.statistics(input.GetStatistics()))
		p.subset(input.GetSubset())
	}
	p.orNone(len(inputs))
}

func (p *page) outputs(run *headwaterv1.Run) {
	p.section("outputs")
	for _, output := range run.GetOutputs() {
		p.printf("  %s%s  %s%s\n", datasetName(output.GetDataset()), p.knownAs(output.KnownAs), p.publication(output.GetPublication()), p.statistics(output.GetStatistics()))
		p.subset(output.GetSubset())
		for _, marker := range markersOf(run, output.GetDataset()) {
			p.printf("    %s\n", p.marker(marker))
		}
		for _, decision := range output.GetDecisions() {
			p.printf("    %s\n", p.decision(decision))
		}
	}
	p.orNone(len(run.GetOutputs()))
}

func (p *page) orNone(n int) {
	if n == 0 {
		p.printf("  none reported\n")
	}
}

func (p *page) publication(publication headwaterv1.Publication) string {
	text := word(publication, "PUBLICATION_")
	switch publication {
	case headwaterv1.Publication_PUBLICATION_PUBLISHED:
		return p.style.good(text)
	case headwaterv1.Publication_PUBLICATION_PENDING:
		return p.style.warning(text)
	default:
		return p.style.bad(text)
	}
}

func (p *page) decision(decision *headwaterv1.PublicationDecision) string {
	text := fmt.Sprintf("decided at offset %d: %s, by events up to offset %d and policies %s",
		decision.GetOffset(), word(decision.GetPublication(), "PUBLICATION_"), decision.GetBasis().GetOffset(), decision.GetPolicyRevision())
	if gates := decision.GetGates(); len(gates) > 0 {
		text += ", which ask for " + printable(strings.Join(gates, ", "))
	}
	if deadline := decision.GetDeadline(); deadline != nil {
		text += " until " + clock(deadline.AsTime())
	}
	if at := decision.GetDecidedAt(); at != nil {
		text += ", on " + clock(at.AsTime())
	}
	if until := decision.GetUntil(); until != nil {
		text += "; it was visible until " + clock(until.AsTime())
	}
	switch decision.GetStanding() {
	case headwaterv1.DecisionStanding_DECISION_STANDING_OVERTAKEN:
		text += "; void: evidence came in between"
	case headwaterv1.DecisionStanding_DECISION_STANDING_OTHER_END:
		text += "; void: another event ends the run than the " + printable(decision.GetEndType()) + " that it weighed"
	default:
	}
	return p.style.faint(text)
}

// marker says who marked an output with what.
func (p *page) marker(marker *headwaterv1.RunMarker) string {
	text := word(marker.GetKind(), "MARKER_KIND_")
	if gate := marker.GetGate(); gate != "" {
		text = printable(gate) + " " + text
	}
	text += " at " + clock(marker.GetEventTime().AsTime()) + ", says " + printable(cmp.Or(marker.GetBy(), marker.GetProducer()))
	if facet := marker.GetFacet(); facet != "" {
		text += " in " + printable(facet)
	}
	if reason := marker.GetReason(); reason != "" {
		text += ": " + printable(reason)
	}
	return text
}

// markersOf are the markers of one output.
func markersOf(run *headwaterv1.Run, output *headwaterv1.Dataset) []*headwaterv1.RunMarker {
	return slices.DeleteFunc(slices.Clone(run.GetMarkers()), func(m *headwaterv1.RunMarker) bool {
		return m.GetOutput().GetNamespace() != output.GetNamespace() || m.GetOutput().GetName() != output.GetName()
	})
}

func (p *page) warnings(warnings []*headwaterv1.Warning) {
	if len(warnings) == 0 {
		return
	}
	p.section("warnings")
	for _, warning := range warnings {
		where := slices.DeleteFunc([]string{warning.GetCode(), warning.GetPath()}, func(s string) bool { return s == "" })
		p.printf("  %s %s\n", p.style.warning(printable(strings.Join(where, " "))+":"), printable(warning.GetMessage()))
	}
}
