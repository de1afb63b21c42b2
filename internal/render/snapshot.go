package render

import (
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// SnapshotChanges writes how a declared snapshot differs from the one before it.
func SnapshotChanges(preview *headwaterv1.PreviewSnapshotResponse, style Style) string {
	p := page{style: style}
	if preview.GetPreviousAt() == nil {
		p.printf("the first snapshot of its scope: everything is new\n")
	} else {
		p.printf("compared with the snapshot of %s:\n", clock(preview.GetPreviousAt().AsTime()))
	}
	for _, change := range preview.GetChanges() {
		p.change(change)
	}
	p.printf("  %d changed, %d as before\n", len(preview.GetChanges()), preview.GetUnchanged())
	if next := preview.GetNextAt(); next != nil {
		p.printf("%s\n", style.warning("a snapshot of "+clock(next.AsTime())+" is known already: this one holds only up to then"))
	}
	return p.text.String()
}

func (p *page) change(change *headwaterv1.SnapshotChange) {
	subject := jobName(change.GetJob())
	if change.GetOutput() != nil {
		subject = datasetName(change.GetOutput())
	}
	switch change.GetKind() {
	case headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_FLOW_ADDED:
		p.printf("  %s %s%s\n", p.style.good("+"), subject, inputNames(" from ", change.GetInputsAdded()))
	case headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_FLOW_REMOVED:
		p.printf("  %s %s%s\n", p.style.bad("-"), subject, inputNames(" from ", change.GetInputsRemoved()))
	case headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_INPUTS_CHANGED:
		p.printf("  %s %s%s%s\n", p.style.warning("~"), subject,
			inputNames(" now also from ", change.GetInputsAdded()), inputNames(" no longer from ", change.GetInputsRemoved()))
	default:
		p.printf("  %s %s: %s\n", p.style.warning("~"), subject, word(change.GetKind(), "SNAPSHOT_CHANGE_KIND_"))
	}
}

// inputNames lists inputs behind a phrase, or is empty where there are none.
func inputNames(phrase string, inputs []*headwaterv1.Dataset) string {
	names := make([]string, len(inputs))
	for i, input := range inputs {
		names[i] = printable(input.GetName())
	}
	if len(names) == 0 {
		return ""
	}
	return phrase + strings.Join(names, ", ")
}
