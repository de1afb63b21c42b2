package render

import (
	"fmt"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// seeAbove marks a node whose own steps were drawn before: a second way to it, or a cycle.
const seeAbove = "↑ see above"

// Tree draws a traversal from its start outwards: each node with the job behind each step, what is known to be missing
// at it, and at the end how complete the answer is. The direction is the one that was asked for.
func Tree(answer *headwaterv1.TraverseResponse, direction headwaterv1.Direction, style Style) string {
	t := tree{graph: newGraph(answer, direction), style: style, drawn: map[string]bool{}}
	if t.start != nil {
		t.line("", style.strong(name(t.start)))
		t.below("", t.start)
	}
	t.text.WriteString(tableLevel(answer, style))
	t.text.WriteByte('\n')
	t.text.WriteString(summary(answer, style))
	return t.text.String()
}

// tree is a drawing under way.
type tree struct {
	graph
	style Style
	drawn map[string]bool
	text  strings.Builder
}

func (t *tree) line(prefix, text string) {
	t.text.WriteString(t.style.faint(prefix))
	t.text.WriteString(text)
	t.text.WriteByte('\n')
}

// below draws what hangs on a node that stands on the line above.
func (t *tree) below(prefix string, node *headwaterv1.Node) {
	t.drawn[node.GetId()] = true
	steps := t.steps[node.GetId()]
	trunk := prefix + "│ "
	if len(steps) == 0 {
		trunk = prefix + "  "
	}
	for _, other := range otherNames(node, t.style) {
		t.line(trunk, other)
	}
	for _, gap := range t.gaps[node.GetId()] {
		t.line(trunk, t.style.warning("! "+printable(gap.GetMessage())))
	}
	for i, step := range steps {
		branch, next := "├─ ", "│  "
		if i == len(steps)-1 {
			branch, next = "└─ ", "   "
		}
		t.step(prefix+branch, prefix+next, step)
	}
}

// step draws a node and the way to it.
func (t *tree) step(branch, prefix string, s step) {
	title := t.style.strong(name(s.to))
	if s.note != "" {
		title += " " + t.style.faint(s.note)
	}
	id := s.to.GetId()
	repeated := t.drawn[id] && (len(t.steps[id]) > 0 || len(t.gaps[id]) > 0)
	if repeated {
		title += " " + t.style.faint(seeAbove)
	}
	t.line(branch, title)
	trunk := prefix + "  "
	if len(t.steps[id]) > 0 && !repeated {
		trunk = prefix + "│ "
	}
	for _, edge := range s.edges {
		t.line(trunk, edgeLine(edge, t.style))
	}
	if !repeated {
		t.below(prefix, s.to)
	}
}

// edgeLine says what made an edge, what is odd about it, and when it was last seen.
func edgeLine(edge *headwaterv1.Edge, style Style) string {
	parts := []string{}
	if how := ways(edge); how != "" {
		parts = append(parts, how)
	}
	switch {
	case edge.GetJob() != nil:
		parts = append(parts, "by "+jobName(edge.GetJob()))
		for _, job := range edge.GetFolded() {
			parts = append(parts, "with "+jobName(job)+" within it")
		}
	case edge.GetOrigin() == headwaterv1.Origin_ORIGIN_MANUAL:
		parts = append(parts, "stated by "+printable(edge.GetProducer()))
	default:
		parts = append(parts, "by a view")
	}
	if edge.GetPublication() == headwaterv1.Publication_PUBLICATION_SUSPECT {
		parts = append(parts, style.bad("suspect: its run failed, or a check of it"))
	}
	if edge.GetLapsed() {
		parts = append(parts, style.warning("lapsed "+style.ago(edge.GetValidTo().AsTime())))
	}
	if edge.GetDropped() {
		parts = append(parts, style.bad("dropped since"))
	}
	if at := edge.GetLastObservedAt(); at != nil {
		parts = append(parts, said(edge.GetOrigin(), style)+" "+style.ago(at.AsTime()))
	}
	if edge.RunId != nil {
		parts = append(parts, fmt.Sprintf("run %s %s", printable(edge.GetRunId()), word(edge.GetRunState(), "RUN_STATE_")))
	}
	return strings.Join(parts, style.faint(" · "))
}

// said is how an edge of an origin is known. Only what a run did is observed.
func said(origin headwaterv1.Origin, style Style) string {
	words := map[headwaterv1.Origin]string{
		headwaterv1.Origin_ORIGIN_DECLARED: "declared", headwaterv1.Origin_ORIGIN_MANUAL: "stated by hand",
	}
	if words[origin] == "" {
		return "observed"
	}
	return style.warning(words[origin])
}
