package render

import (
	"fmt"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// DOT writes a traversal for Graphviz: `… --dot | dot -Tsvg`. Data flows from left to right.
func DOT(answer *headwaterv1.TraverseResponse) string {
	var text strings.Builder
	text.WriteString("digraph lineage {\n  rankdir=LR;\n  node [shape=box];\n")
	keys := diagramKeys(answer)
	for _, node := range answer.GetNodes() {
		fmt.Fprintf(&text, "  %s [label=%s];\n", keys[node.GetId()], dotQuote(strings.Join(names(node), "\n")))
	}
	for _, edge := range answer.GetEdges() {
		style := ""
		if tentative(edge) {
			style = ", style=dashed"
		}
		fmt.Fprintf(&text, "  %s -> %s [label=%s%s];\n", keys[edge.GetFrom()], keys[edge.GetTo()], dotQuote(arrowLabel(edge)), style)
	}
	text.WriteString("}\n")
	return text.String()
}

// Mermaid writes a traversal as a flowchart that Markdown viewers draw. Data flows from left to right.
func Mermaid(answer *headwaterv1.TraverseResponse) string {
	var text strings.Builder
	text.WriteString("flowchart LR\n")
	keys := diagramKeys(answer)
	for _, node := range answer.GetNodes() {
		fmt.Fprintf(&text, "  %s[\"%s\"]\n", keys[node.GetId()], mermaidQuote.Replace(strings.Join(names(node), "\n")))
	}
	for _, edge := range answer.GetEdges() {
		arrow := "-->"
		if tentative(edge) {
			arrow = "-.->"
		}
		fmt.Fprintf(&text, "  %s %s|\"%s\"| %s\n", keys[edge.GetFrom()], arrow, mermaidQuote.Replace(arrowLabel(edge)), keys[edge.GetTo()])
	}
	return text.String()
}

// arrowLabel names what moves the data.
func arrowLabel(edge *headwaterv1.Edge) string {
	label := "view"
	if edge.GetJob() != nil {
		label = printable(edge.GetJob().GetName())
	}
	if how := ways(edge); how != "" {
		label += ": " + how
	}
	return label
}

// tentative edges are drawn dashed: lapsed, suspect, or not observed.
func tentative(edge *headwaterv1.Edge) bool {
	return edge.GetLapsed() ||
		edge.GetOrigin() != headwaterv1.Origin_ORIGIN_OBSERVED ||
		edge.GetPublication() == headwaterv1.Publication_PUBLICATION_SUSPECT
}

// diagramKeys numbers the nodes: their own ids are opaque and long.
func diagramKeys(answer *headwaterv1.TraverseResponse) map[string]string {
	keys := map[string]string{}
	for i, node := range answer.GetNodes() {
		keys[node.GetId()] = fmt.Sprintf("n%d", i+1)
	}
	return keys
}

// dotQuote writes a string as DOT reads it: only quotes and backslashes are special.
func dotQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// mermaidQuote escapes what ends a quoted text or is read as HTML.
var mermaidQuote = strings.NewReplacer("&", "&amp;", `"`, "#quot;", "<", "&lt;", ">", "&gt;", "\n", "<br>")
