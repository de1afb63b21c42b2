package gateway

import (
	"fmt"
	"strconv"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// traverseResponse is an answer as the contract has it. restricted says that the caller's scope does not cover the
// whole graph.
func (s *lineageService) traverseResponse(answer projection.TraverseAnswer, restricted bool) *headwaterv1.TraverseResponse {
	response := &headwaterv1.TraverseResponse{
		Nodes:        make([]*headwaterv1.Node, len(answer.Nodes)),
		Edges:        make([]*headwaterv1.Edge, len(answer.Edges)),
		Completeness: completenessOf(answer.Incomplete, restricted),
		Gaps:         s.gapsOf(answer),
		Projection:   viewOf(answer.View),
		TableLevel:   s.tableLevelOf(answer.TableEdges),
	}
	ids := make(map[lineage.Node]string, len(answer.Nodes))
	for i, node := range answer.Nodes {
		ids[node.Node] = s.ids.id(node.Node)
		response.Nodes[i] = answerNodeOf(node, ids[node.Node])
		if node.Kind != lineage.NodeJob {
			response.Nodes[i].Environment = new(answer.View.Names.Environment(node.Namespace))
		}
	}
	for i, edge := range answer.Edges {
		response.Edges[i] = edgeOf(edge, ids)
	}
	return response
}

func answerNodeOf(node projection.AnswerNode, id string) *headwaterv1.Node {
	answered := &headwaterv1.Node{Id: id, Depth: int32(node.Depth), DroppedAt: timestampOf(node.DroppedAt)}
	switch node.Kind {
	case lineage.NodeJob:
		answered.Node = &headwaterv1.Node_Job{Job: &headwaterv1.Job{Namespace: node.Namespace, Name: node.Name}}
	case lineage.NodeField:
		answered.Node = answeredField(node)
	default:
		answered.Node = &headwaterv1.Node_Dataset{Dataset: &headwaterv1.Dataset{Namespace: node.Namespace, Name: node.Name}}
	}
	for _, alias := range node.Aliases {
		answered.Aliases = append(answered.Aliases, aliasOf(alias))
	}
	return answered
}

// edgeOf leaves out what an edge does not have. The numbers of the domain's words are those of the contract's.
func edgeOf(edge projection.Edge, ids map[lineage.Node]string) *headwaterv1.Edge {
	answered := &headwaterv1.Edge{
		From:            ids[edge.From],
		To:              ids[edge.To],
		Origin:          headwaterv1.Origin(edge.Origin),
		ValidFrom:       timestamppb.New(edge.ValidFrom),
		FirstObservedAt: timestampOf(edge.FirstObservedAt),
		LastObservedAt:  timestampOf(edge.LastObservedAt),
		Producer:        edge.Producer,
		SourceEvent:     edge.SourceEvent,
		Derivation:      headwaterv1.Derivation(edge.Derivation),
		Lapsed:          edge.Lapsed,
		Dropped:         edge.Dropped,
		Transformations: transformationsOf(edge.Transformations),
	}
	if edge.Job != nil {
		answered.Job = jobOf(*edge.Job)
	}
	for _, job := range edge.Folded {
		answered.Folded = append(answered.Folded, jobOf(job))
	}
	if edge.JobVersion != "" {
		answered.JobVersion = &edge.JobVersion
	}
	if edge.Publication != lineage.NotPublishable {
		answered.Publication = new(headwaterv1.Publication(edge.Publication))
	}
	if edge.ValidTo.Before(lineage.Forever) {
		answered.ValidTo = timestamppb.New(edge.ValidTo)
	}
	if edge.RunID != "" {
		answered.RunId = &edge.RunID
		answered.RunState = new(headwaterv1.RunState(edge.RunState))
	}
	return answered
}

// timestampOf is nil for the zero time.
func timestampOf(at time.Time) *timestamppb.Timestamp {
	if at.IsZero() {
		return nil
	}
	return timestamppb.New(at)
}

func completenessOf(incomplete []projection.Incompleteness, restricted bool) *headwaterv1.Completeness {
	completeness := &headwaterv1.Completeness{}
	for _, reason := range incomplete {
		completeness.Reasons = append(completeness.Reasons, incompleteReasons[reason])
	}
	if restricted {
		completeness.Reasons = append(completeness.Reasons, headwaterv1.IncompleteReason_INCOMPLETE_REASON_RESTRICTED)
	}
	completeness.Complete = len(completeness.Reasons) == 0
	return completeness
}

var incompleteReasons = map[projection.Incompleteness]headwaterv1.IncompleteReason{
	projection.DepthReached:    headwaterv1.IncompleteReason_INCOMPLETE_REASON_DEPTH,
	projection.NodeBudgetSpent: headwaterv1.IncompleteReason_INCOMPLETE_REASON_NODE_BUDGET,
	projection.EdgeBudgetSpent: headwaterv1.IncompleteReason_INCOMPLETE_REASON_EDGE_BUDGET,
	projection.TimeBudgetSpent: headwaterv1.IncompleteReason_INCOMPLETE_REASON_TIME_BUDGET,
	projection.BeyondCursor:    headwaterv1.IncompleteReason_INCOMPLETE_REASON_BEYOND_CURSOR,
}

func (s *lineageService) gapsOf(answer projection.TraverseAnswer) []*headwaterv1.Gap {
	var gaps []*headwaterv1.Gap
	for _, gap := range answer.Gaps {
		answered := gapOf(gap)
		if gap.Node != nil {
			answered.Node = new(s.ids.id(*gap.Node))
		}
		gaps = append(gaps, answered)
	}
	if waiting := answer.View.AwaitingDecision; waiting > 0 {
		many := strconv.FormatInt(waiting, 10)
		if waiting == projection.MostAwaiting {
			many += " or more"
		}
		gaps = append(gaps, &headwaterv1.Gap{
			Kind:    headwaterv1.GapKind_GAP_KIND_DECISIONS_PENDING,
			Message: many + " ended runs await a publication decision, so the latest writes may not show yet",
		})
	}
	return gaps
}

func gapOf(gap projection.Gap) *headwaterv1.Gap {
	switch gap.Kind {
	case projection.InputsNotReported:
		return &headwaterv1.Gap{
			Kind:    headwaterv1.GapKind_GAP_KIND_INPUTS_NOT_REPORTED,
			Message: fmt.Sprintf("a job writes %s, and its runs name no inputs", gap.Node.Name),
		}
	case projection.NoSuchField:
		return noSuchFieldOf(gap)
	case projection.FieldSpelledOtherwise:
		return spelledOtherwiseOf(gap)
	case projection.NoColumnLineage, projection.ColumnLineageOutdated:
		return columnGapOf(gap)
	case projection.DeclaredOnly:
		return &headwaterv1.Gap{
			Kind:    headwaterv1.GapKind_GAP_KIND_DECLARED_ONLY,
			Message: fmt.Sprintf("what feeds %s is declared, and no run was seen to do so", gap.Node.Name),
		}
	case projection.NameDoesNotFit:
		return &headwaterv1.Gap{
			Kind:    headwaterv1.GapKind_GAP_KIND_UNRESOLVED_NAME,
			Message: fmt.Sprintf("which dataset %s in %s means is not known: it %s", gap.Node.Name, gap.Node.Namespace, gap.Misfit),
		}
	default:
		return &headwaterv1.Gap{
			Kind:    headwaterv1.GapKind_GAP_KIND_PROVISIONAL_NAMESPACE,
			Message: fmt.Sprintf("nobody registered the namespace %q, so its names are taken as they come", gap.Namespace),
		}
	}
}
