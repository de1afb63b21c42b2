package gateway

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// runOf is a run as the contract has it, without what is not shown.
func runOf(detail projection.RunDetail, shown map[lineage.Node]bool) *headwaterv1.Run {
	run := &headwaterv1.Run{
		RunId:        detail.Key.RunID,
		Job:          jobOf(detail.Key.Job),
		State:        headwaterv1.RunState(detail.State()),
		StartedAt:    timestampOf(detail.StartedAt),
		Disputed:     detail.Disputed(),
		MissingStart: !detail.Empty() && detail.StartedAt.IsZero(),
		Withdrawn:    withdrawnOf(detail.Withdrawn),
		Placeholder:  detail.Placeholder(),
		Engine:       engineOf(detail.Engine.Value),
		Tags:         tagsOf(detail.Tags.Value),
	}
	if detail.End != nil {
		run.EndedAt = timestamppb.New(detail.End.EventTime)
	}
	if version := detail.JobVersion.Value; version != "" {
		run.JobVersion = &version
	}
	if message := detail.Error.Value; message != "" {
		run.ErrorMessage = &message
	}
	run.NominalStart, run.NominalEnd = timestampOf(detail.Nominal.Value.Start), timestampOf(detail.Nominal.Value.End)
	addRelations(run, detail, shown)
	for _, input := range detail.Inputs {
		if shown[input.Node()] && !input.Replaced {
			run.Inputs = append(run.Inputs, &headwaterv1.RunInput{
				Dataset: datasetOf(input.DatasetID), KnownAs: knownAs(input.DatasetID, detail.View.Names),
				Statistics: statisticsOf(input.Statistics.Value), Subset: subsetOf(input.Subset.Value),
			})
		}
	}
	decisions := decisionsOf(&detail.StoredRun)
	for _, output := range detail.Written() {
		if shown[output.Node()] {
			run.Outputs = append(run.Outputs, &headwaterv1.RunOutput{
				Dataset: datasetOf(output.DatasetID), KnownAs: knownAs(output.DatasetID, detail.View.Names),
				Publication: headwaterv1.Publication(output.Publication), Decisions: decisions[output.DatasetID],
				Statistics: statisticsOf(output.Statistics.Value), Subset: subsetOf(output.Subset.Value),
			})
		}
	}
	addMarkers(run, &detail.Run, shown)
	hides := hidesDatasets(&detail.Run, shown)
	run.UnreadFacets = slices.DeleteFunc(slices.Clone(detail.Unread), func(name string) bool { return hides && ofDatasets(name) })
	addEvents(run, detail.Events, hides)
	if detail.AwaitsReplay {
		run.Warnings = append(run.Warnings, &headwaterv1.Warning{
			Code:    "withdrawal_awaits_replay",
			Message: "an earlier version folded events of this run and did not keep what each said; what was withdrawn leaves the run with the next replay",
		})
	}
	return run
}

// knownAs is the name that rules give a dataset, or nil where it is the raw one.
func knownAs(raw lineage.DatasetID, names *lineage.NameRules) *headwaterv1.Dataset {
	if known := names.Dataset(raw); known != raw {
		return datasetOf(known)
	}
	return nil
}

// decisionsOf are the decisions on each output, in the order of the log.
func decisionsOf(run *projection.StoredRun) map[lineage.DatasetID][]*headwaterv1.PublicationDecision {
	ruling := run.Ruling(run.Decisions)
	decisions := map[lineage.DatasetID][]*headwaterv1.PublicationDecision{}
	for _, decision := range run.Decisions {
		decisions[decision.Output] = append(decisions[decision.Output], &headwaterv1.PublicationDecision{
			Publication:    headwaterv1.Publication(decision.Publication),
			PolicyRevision: decision.PolicyRevision,
			Basis:          positionOf(decision.Basis),
			Offset:         int64(decision.Recorded),
			DecidedAt:      timestampOf(decision.ReceivedAt),
			EndType:        string(decision.EndType),
			Gates:          decision.Gates,
			Until:          timestampOf(decision.Until),
			Deadline:       timestampOf(decision.Deadline),
			Standing:       standingOf(decision, &run.Run, ruling),
		})
	}
	return decisions
}

// standingOf says whether a decision counts, of those of which some rule.
func standingOf(decision lineage.RecordedDecision, run *lineage.Run, ruling lineage.Ruling) headwaterv1.DecisionStanding {
	switch {
	case decision.Overtaken:
		return headwaterv1.DecisionStanding_DECISION_STANDING_OVERTAKEN
	case run.EndsOtherwise(decision.Decision):
		return headwaterv1.DecisionStanding_DECISION_STANDING_OTHER_END
	case ruling[decision.Output].Recorded == decision.Recorded:
		return headwaterv1.DecisionStanding_DECISION_STANDING_RULES
	default:
		return headwaterv1.DecisionStanding_DECISION_STANDING_OVERRULED
	}
}

// addMarkers adds the markers of shown datasets in the order in which they count, and a warning for each that matches no output.
func addMarkers(run *headwaterv1.Run, folded *lineage.Run, shown map[lineage.Node]bool) {
	for _, marker := range folded.MarkersInOrder() {
		if !shown[marker.Output.Node()] {
			continue
		}
		unmatched := folded.Unmatches(marker)
		run.Markers = append(run.Markers, &headwaterv1.RunMarker{
			Output:    datasetOf(marker.Output),
			Kind:      markerKindOf(marker.Kind),
			Gate:      marker.Gate,
			EventTime: timestamppb.New(marker.EventTime),
			By:        marker.By,
			Reason:    marker.Reason,
			Facet:     marker.Facet,
			Producer:  marker.Producer,
			EventId:   marker.EventID,
			Unmatched: unmatched,
		})
		if unmatched {
			run.Warnings = append(run.Warnings, &headwaterv1.Warning{
				Code:    "unmatched_marker",
				Message: fmt.Sprintf("%s says %s of %s in %s, which is no output of the run", marker.Producer, marker.Kind, marker.Output.Name, marker.Output.Namespace),
			})
		}
	}
}

// hidesDatasets reports whether the caller may not see all that the run reads and writes. What is said of places in its events
// does not tell of which dataset it is, so of datasets nothing is said then.
func hidesDatasets(run *lineage.Run, shown map[lineage.Node]bool) bool {
	return slices.ContainsFunc(run.Inputs, func(i lineage.Input) bool { return !shown[i.Node()] }) ||
		slices.ContainsFunc(run.Outputs, func(o lineage.Output) bool { return !shown[o.Node()] })
}

// ofDatasets reports whether a place in an event, such as inputs[2].facets.schema, is about datasets.
func ofDatasets(path string) bool {
	return strings.Contains(path, "inputs") || strings.Contains(path, "outputs")
}

// addEvents adds the events and, each once, their warnings; where datasets are hidden, not those about datasets.
func addEvents(run *headwaterv1.Run, events []projection.RunEvent, hides bool) {
	warned := map[lineage.Warning]bool{}
	for _, event := range events {
		run.Events = append(run.Events, &headwaterv1.RunEvent{
			EventId:    event.EventID,
			Producer:   event.Producer,
			EventType:  string(event.Type),
			EventTime:  timestamppb.New(event.EventTime),
			ReceivedAt: timestamppb.New(event.ReceivedAt),
			Offset:     int64(event.Offset),
			Withdrawn:  withdrawnOf(event.Withdrawn),
		})
		if event.Withdrawn != nil {
			continue // what was odd in it is withdrawn with it
		}
		for _, warning := range event.Warnings {
			if !warned[warning] && (!hides || !ofDatasets(warning.Path)) {
				warned[warning] = true
				run.Warnings = append(run.Warnings, &headwaterv1.Warning{Code: warning.Code, Path: warning.Path, Message: warning.Reason})
			}
		}
	}
}
