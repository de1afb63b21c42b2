package render

import (
	"fmt"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// remedies say what each reason for an incomplete answer means, and what to do about it.
var remedies = map[headwaterv1.IncompleteReason]string{
	headwaterv1.IncompleteReason_INCOMPLETE_REASON_DEPTH:         "there are more hops behind the last; ask with a greater --depth",
	headwaterv1.IncompleteReason_INCOMPLETE_REASON_NODE_BUDGET:   "there are more nodes than one answer holds; ask with a smaller --depth",
	headwaterv1.IncompleteReason_INCOMPLETE_REASON_EDGE_BUDGET:   "there are more edges than one answer holds; ask with a smaller --depth",
	headwaterv1.IncompleteReason_INCOMPLETE_REASON_TIME_BUDGET:   "the time was up; ask again, or with a smaller --depth",
	headwaterv1.IncompleteReason_INCOMPLETE_REASON_RESTRICTED:    "you may not see the whole graph, so something may have been left out",
	headwaterv1.IncompleteReason_INCOMPLETE_REASON_BEYOND_CURSOR: "the log has not been read that far yet; ask again later",
}

// summary says how much an answer holds, whether that is all, and what it was read from.
func summary(answer *headwaterv1.TraverseResponse, style Style) string {
	var text strings.Builder
	size := count(len(answer.GetNodes()), "node") + ", " + count(len(answer.GetEdges()), "edge")
	if answer.GetCompleteness().GetComplete() {
		fmt.Fprintf(&text, "%s, %s\n", size, style.good("complete"))
	} else {
		fmt.Fprintf(&text, "%s, %s\n", size, style.warning("not complete:"))
		for _, reason := range answer.GetCompleteness().GetReasons() {
			remedy, known := remedies[reason]
			if !known {
				remedy = word(reason, "INCOMPLETE_REASON_")
			}
			fmt.Fprintf(&text, "  - %s\n", remedy)
		}
	}
	for _, message := range generalGaps(answer.GetGaps()) {
		fmt.Fprintf(&text, "%s\n", style.warning("! "+printable(message)))
	}
	text.WriteString(position(answer.GetProjection(), style))
	return text.String()
}

// generalGaps gives what is missing at no node in particular. Namespaces that nobody registered are told of once: until
// somebody does, that is all of them.
func generalGaps(gaps []*headwaterv1.Gap) []string {
	var messages []string
	provisional := 0
	for _, gap := range gaps {
		switch {
		case gap.Node != nil: // the tree has it
		case gap.GetKind() == headwaterv1.GapKind_GAP_KIND_PROVISIONAL_NAMESPACE:
			provisional++
		default:
			messages = append(messages, gap.GetMessage())
		}
	}
	if provisional > 0 {
		messages = append(messages, count(provisional, "namespace")+" not registered: names in there are taken as they come")
	}
	return messages
}

// position says what an answer was read from, and how far that is behind.
func position(p *headwaterv1.ProjectionPosition, style Style) string {
	text := fmt.Sprintf("projection %s at offset %d", p.GetName(), p.GetPosition().GetOffset())
	if p.GetEventsBehind() > 0 {
		text += fmt.Sprintf(", %s behind (%s)", count(int(p.GetEventsBehind()), "event"), p.GetLag().AsDuration())
	}
	if waiting := p.GetRunsAwaitingDecision(); waiting > 0 {
		text += fmt.Sprintf(", %s awaiting a decision", count(int(waiting), "run"))
	}
	if held := p.GetRunsAwaitingGates(); held > 0 {
		text += fmt.Sprintf(", %s awaiting a gate", count(int(held), "run"))
	}
	return style.faint(text) + "\n"
}
