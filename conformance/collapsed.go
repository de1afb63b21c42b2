package main

import (
	"fmt"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// drawCollapsed lists, where edges were folded into another one, all that is left between the same nodes.
func drawCollapsed(answer *headwaterv1.TraverseResponse) []string {
	labels := labelsOf(answer)
	left := map[string][]string{}
	folded := map[string]bool{}
	for _, edge := range answer.GetEdges() {
		ends := labels[edge.GetFrom()] + " -> " + labels[edge.GetTo()]
		line := label(edge.GetJob())
		for _, job := range edge.GetFolded() {
			line += " with " + label(job)
			folded[ends] = true
		}
		left[ends] = append(left[ends], line)
	}
	var lines []string
	for ends := range folded {
		lines = append(lines, fmt.Sprintf("%s, collapsed: by %s", ends, strings.Join(left[ends], "; by ")))
	}
	return lines
}
