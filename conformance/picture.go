package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// picture is what a system shows of some names, as text that does not depend on the order in which events arrived.
type picture struct {
	runs, edges []string
	// raw are the answers that it was drawn from.
	raw []string
	// settled means that all events were folded and all ended runs decided when each of them was given.
	settled bool
}

// String has the runs in their order, then the graph, sorted: edges, and how many fields datasets have.
func (p picture) String() string {
	return strings.Join(append(slices.Clone(p.runs), strings.Join(p.edges, "\n")), "\n\n")
}

// draw asks about every name that is mentioned.
func (c *caller) draw(ctx context.Context, m mentions) (picture, error) {
	p := picture{settled: true}
	drawn := map[string]bool{}
	for _, named := range m.runs {
		found, err := c.run(ctx, named)
		if err != nil {
			return p, fmt.Errorf("ask for run %s: %w", named.runID, err)
		}
		run := found.GetRun()
		if key := runLabel(run.GetRunId(), run.GetJob()); run != nil && !drawn[key] {
			drawn[key] = true
			p.keep(found)
			p.runs = append(p.runs, drawRun(run))
		}
	}
	edges := map[string]bool{}
	for _, node := range m.nodes() {
		for collapse, drawn := range map[bool]func(*headwaterv1.TraverseResponse) []string{false: drawEdges, true: drawCollapsed} {
			found, err := c.around(ctx, node, collapse)
			if err != nil {
				return p, fmt.Errorf("ask what is around %v: %w", node, err)
			}
			p.keep(found)
			for _, edge := range drawn(found) {
				edges[edge] = true
			}
		}
	}
	for _, named := range m.names {
		found, err := c.dataset(ctx, named)
		if err != nil {
			return p, fmt.Errorf("ask what is known of %v: %w", named, err)
		}
		p.keep(found)
		if fields := found.GetSchema().GetFields(); len(fields) > 0 {
			edges[fmt.Sprintf("%s has %d fields", label(found.GetDataset()), len(fields))] = true
		}
	}
	p.edges = slices.Sorted(maps.Keys(edges))
	return p, nil
}

func (p *picture) keep(answer interface {
	proto.Message
	GetProjection() *headwaterv1.ProjectionPosition
},
) {
	raw, _ := protojson.Marshal(answer) // what came over the wire can be written again
	p.raw = append(p.raw, string(raw))
	if at := answer.GetProjection(); at.GetEventsBehind() > 0 || at.GetRunsAwaitingDecision() > 0 {
		p.settled = false
	}
}

func drawRun(run *headwaterv1.Run) string {
	lines := []string{fmt.Sprintf("%s: %s, %s", runLabel(run.GetRunId(), run.GetJob()), word(run.GetState()), span(run))}
	if parent := run.GetParent(); parent != nil {
		lines = append(lines, "  part of "+runLabel(parent.GetRunId(), parent.GetJob()))
	}
	for _, child := range run.GetChildren() {
		lines = append(lines, "  has part "+runLabel(child.GetRunId(), child.GetJob()))
	}
	for _, tag := range run.GetTags() {
		lines = append(lines, fmt.Sprintf("  tagged %s=%s", quote(tag.GetKey()), quote(tag.GetValue())))
	}
	for _, facet := range run.GetUnreadFacets() {
		lines = append(lines, "  carries "+quote(facet))
	}
	for _, input := range run.GetInputs() {
		line := "  reads " + label(input.GetDataset())
		if input.Subset != nil {
			line += ", only " + input.GetSubset()
		}
		lines = append(lines, line)
	}
	for _, output := range run.GetOutputs() {
		lines = append(lines, "  writes "+label(output.GetDataset())+": "+word(output.GetPublication())+amounts(output.GetStatistics()))
	}
	for _, marker := range run.GetMarkers() {
		lines = append(lines, fmt.Sprintf("  %s %s of %s", marker.GetGate(), word(marker.GetKind()), label(marker.GetOutput())))
	}
	if run.GetDisputed() {
		lines = append(lines, "  disputed")
	}
	for _, warning := range run.GetWarnings() {
		lines = append(lines, fmt.Sprintf("  warning %s at %s", warning.GetCode(), warning.GetPath()))
	}
	lines = append(lines, "  told by "+cmp.Or(strings.Join(eventTypes(run), ", "), "nothing"))
	// The contract leaves the order of most of them open.
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n")
}

// amounts is how much of a dataset a run says it read or wrote; empty where it does not say.
func amounts(statistics *headwaterv1.DatasetStatistics) string {
	if statistics == nil {
		return ""
	}
	var text string
	for _, amount := range []struct {
		of   *int64
		unit string
	}{{statistics.Rows, "rows"}, {statistics.Bytes, "bytes"}, {statistics.Files, "files"}} {
		if amount.of != nil {
			text += fmt.Sprintf(", %d %s", *amount.of, amount.unit)
		}
	}
	return text
}

func runLabel(id string, job *headwaterv1.Job) string {
	return fmt.Sprintf("run %s of %s", quote(id), label(job))
}

func span(run *headwaterv1.Run) string {
	text := "no start"
	if at := run.GetStartedAt(); at != nil {
		text = "from " + at.AsTime().Format("2006-01-02T15:04:05.999999Z")
	}
	if at := run.GetEndedAt(); at != nil {
		text += " to " + at.AsTime().Format("2006-01-02T15:04:05.999999Z")
	}
	return text
}

func eventTypes(run *headwaterv1.Run) []string {
	events := slices.SortedFunc(slices.Values(run.GetEvents()), func(a, b *headwaterv1.RunEvent) int {
		if c := a.GetEventTime().AsTime().Compare(b.GetEventTime().AsTime()); c != 0 {
			return c
		}
		return strings.Compare(a.GetEventId(), b.GetEventId())
	})
	types := make([]string, len(events))
	for i, event := range events {
		types[i] = event.GetEventType()
	}
	return types
}

// drawEdges lists the edges of an answer, and the nodes of which it says that inputs are not reported.
func drawEdges(answer *headwaterv1.TraverseResponse) []string {
	labels := labelsOf(answer)
	var lines []string
	start := answer.GetNodes()[:min(1, len(answer.GetNodes()))]
	for _, edge := range answer.GetEdges() {
		if ownReads(edge, start) {
			continue
		}
		lines = append(lines, labels[edge.GetFrom()]+" -> "+labels[edge.GetTo()]+provenance(edge))
	}
	for _, gap := range answer.GetGaps() {
		if gap.GetKind() == headwaterv1.GapKind_GAP_KIND_INPUTS_NOT_REPORTED {
			lines = append(lines, labels[gap.GetNode()]+" <- inputs not reported")
		}
	}
	return lines
}

// labelsOf names the nodes of an answer, by id.
func labelsOf(answer *headwaterv1.TraverseResponse) map[string]string {
	labels := map[string]string{}
	for _, node := range answer.GetNodes() {
		switch {
		case node.GetJob() != nil:
			labels[node.GetId()] = "[" + label(node.GetJob()) + "]"
		case node.GetField() != nil:
			labels[node.GetId()] = label(node.GetField()) + " " + quote(node.GetField().GetPath())
		default:
			labels[node.GetId()] = label(node.GetDataset())
		}
	}
	return labels
}

// ownReads reports whether an edge only says that the job from which one asked reads or writes something. Where the job
// is a real end of it, those who ask from the dataset see it too.
func ownReads(edge *headwaterv1.Edge, start []*headwaterv1.Node) bool {
	for _, node := range start {
		atStart := edge.GetFrom() == node.GetId() || edge.GetTo() == node.GetId()
		if atStart && node.GetJob() != nil && proto.Equal(node.GetJob(), edge.GetJob()) {
			return true
		}
	}
	return false
}

// provenance is who says an edge, and how that is known where it is not what one would think.
func provenance(edge *headwaterv1.Edge) string {
	text := ""
	if edge.GetJob() != nil {
		text = " by " + label(edge.GetJob())
	}
	if edge.GetOrigin() != headwaterv1.Origin_ORIGIN_OBSERVED {
		text += ", " + word(edge.GetOrigin())
	}
	if edge.Publication != nil && edge.GetPublication() != headwaterv1.Publication_PUBLICATION_PUBLISHED {
		text += ", " + word(edge.GetPublication())
	}
	if edge.GetDerivation() != headwaterv1.Derivation_DERIVATION_INPUTS_OUTPUTS {
		text += ", " + word(edge.GetDerivation())
	}
	if edge.GetLapsed() {
		text += ", lapsed"
	}
	for _, t := range edge.GetTransformations() {
		text += ", " + strings.TrimSpace(word(t.GetKind())+" "+t.GetSubtype())
		if t.GetMasking() {
			text += " masked"
		}
	}
	return text
}
