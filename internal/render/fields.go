package render

import (
	"fmt"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// ways says how an edge between fields comes about; empty between tables.
func ways(edge *headwaterv1.Edge) string {
	var all []string
	for _, t := range edge.GetTransformations() {
		way := word(t.GetKind(), "TRANSFORMATION_KIND_")
		if t.GetSubtype() != "" {
			way += " " + printable(t.GetSubtype())
		}
		if t.GetMasking() {
			way += ", masked"
		}
		all = append(all, way)
	}
	return strings.Join(all, " and ")
}

// linkParts leads from fields to what the walk went on with instead: their dataset, what they are a part of, or their
// parts. These stand in the answer with the same distance and without an edge between them.
func (g graph) linkParts(nodes []*headwaterv1.Node) {
	reached := map[string]bool{g.start.GetId(): true}
	for _, steps := range g.steps {
		for _, step := range steps {
			reached[step.to.GetId()] = true
		}
	}
	for _, part := range nodes {
		if reached[part.GetId()] || len(g.steps[part.GetId()]) == 0 {
			continue
		}
		for _, node := range nodes {
			if reached[node.GetId()] && node.GetDepth() == part.GetDepth() && related(node, part) {
				g.steps[node.GetId()] = append(g.steps[node.GetId()], step{to: part, note: relation(node, part)})
			}
		}
	}
}

// related reports whether one of two nodes is a part of the other.
func related(a, b *headwaterv1.Node) bool {
	datasetA, pathA := placeOf(a)
	datasetB, pathB := placeOf(b)
	return datasetA != "" && datasetA == datasetB && (within(pathA, pathB) || within(pathB, pathA))
}

// relation says what a node is to another that it is a part or the whole of.
func relation(of, node *headwaterv1.Node) string {
	_, pathOf := placeOf(of)
	if _, path := placeOf(node); within(pathOf, path) {
		return "as a whole"
	}
	return "in part"
}

// placeOf is the dataset of a node and the path in it; no dataset for a job.
func placeOf(node *headwaterv1.Node) (dataset, path string) {
	switch of := node.GetNode().(type) {
	case *headwaterv1.Node_Dataset:
		return datasetName(of.Dataset), ""
	case *headwaterv1.Node_Field:
		return datasetName(&headwaterv1.Dataset{Namespace: of.Field.GetNamespace(), Name: of.Field.GetName()}), of.Field.GetPath()
	default:
		return "", ""
	}
}

func within(part, whole string) bool {
	rest, ok := strings.CutPrefix(part, whole)
	return ok && (whole == "" || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "["))
}

// isColumnGap reports whether a gap is about what no column lineage tells. It is at a table, and so at none of the nodes.
func isColumnGap(gap *headwaterv1.Gap) bool {
	return gap.GetKind() == headwaterv1.GapKind_GAP_KIND_NO_COLUMN_LINEAGE ||
		gap.GetKind() == headwaterv1.GapKind_GAP_KIND_COLUMN_LINEAGE_OUTDATED
}

// tableLevel draws what is known between tables alone, apart from the tree; empty where there is nothing.
func tableLevel(answer *headwaterv1.TraverseResponse, style Style) string {
	var text strings.Builder
	names := map[string]string{}
	for _, node := range answer.GetTableLevel().GetNodes() {
		names[node.GetId()] = name(node)
	}
	if len(names) > 0 {
		text.WriteString("\nBetween tables alone, where columns are not told:\n")
	}
	for _, edge := range answer.GetTableLevel().GetEdges() {
		fmt.Fprintf(&text, "  %s → %s\n    %s\n", style.strong(names[edge.GetFrom()]), style.strong(names[edge.GetTo()]), edgeLine(edge, style))
	}
	first := true
	for _, gap := range answer.GetGaps() {
		if !isColumnGap(gap) {
			continue
		}
		if first && len(names) == 0 {
			text.WriteByte('\n')
		}
		first = false
		fmt.Fprintf(&text, "%s\n", style.warning("! "+printable(gap.GetMessage())))
	}
	return text.String()
}
