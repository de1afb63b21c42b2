package workflows

import (
	"fmt"
	"strings"

	"github.com/headwater-data/headwater/workflows/contract"
)

// page is what the Temporal UI shows of the replay, in Markdown: what is done, what comes, and what a person must do.
func (r *replay) page() string {
	var page strings.Builder
	fmt.Fprintf(&page, "Projection %s", code(r.input.Name))
	if r.input.Reason != "" {
		fmt.Fprintf(&page, ", because: %s", code(r.input.Reason))
	}
	page.WriteString("\n\n")
	r.writeChecklist(&page)
	r.writeVerdict(&page)
	if r.progress.Comparison != nil {
		writeComparison(&page, *r.progress.Comparison)
	}
	return page.String()
}

func (r *replay) writeChecklist(page *strings.Builder) {
	lastStep, lastWords := contract.SwitchingReaders, "switch readers"
	if r.progress.Step == contract.Rejected {
		lastStep, lastWords = contract.Rejected, "retire the shadow: it was rejected, and readers see what they saw before"
	}
	mark := "x"
	for _, step := range []struct {
		step  contract.ReplayStep
		words string
	}{
		{contract.CreatingShadow, "create the shadow"},
		{contract.FoldingArchive, "fold the archive" + reached(r.progress.Archive)},
		{contract.FoldingTail, "fold the tail of the log" + reached(r.progress.Tail)},
		{contract.Comparing, "compare with the live projection"},
		{contract.AwaitingApproval, "wait for approval"},
		{lastStep, lastWords},
	} {
		if step.step == r.progress.Step && step.step != contract.Rejected {
			mark = " "
		}
		fmt.Fprintf(page, "- [%s] %s\n", mark, step.words)
	}
}

func reached(folded *contract.Folded) string {
	if folded == nil {
		return ""
	}
	return fmt.Sprintf(": offset %d of %d", folded.Cursor, folded.Goal)
}

// writeVerdict asks for a verdict, or tells which one was given.
func (r *replay) writeVerdict(page *strings.Builder) {
	const input = "`{\"by\": \"your name\", \"reason\": \"…\"}`"
	switch {
	case r.progress.Verdict != nil:
		fmt.Fprintf(page, "\nDecided by %s: %s\n", code(r.progress.Verdict.By), code(r.progress.Verdict.Reason))
	case r.progress.Step != contract.AwaitingApproval:
	case r.progress.Comparison.Equal():
		page.WriteString("\n**The shadow equals the live projection.** Send the update `approve` or `reject` with " + input + ".\n")
	default:
		page.WriteString("\n**The shadow differs from the live projection**, so it cannot be approved. Send the update `reject` with " + input + ".\n")
	}
	if r.progress.Note != "" {
		fmt.Fprintf(page, "\nA verdict did not count: %s\n", code(r.progress.Note))
	}
}

func writeComparison(page *strings.Builder, comparison contract.Comparison) {
	live, shadow := comparison.Live, comparison.Shadow
	fmt.Fprintf(page, "\nBoth at offset %d, epoch %d:\n\n", comparison.At.Offset, comparison.At.Epoch)
	fmt.Fprintf(page, "| | %s (live) | %s (shadow) | |\n| --- | --- | --- | --- |\n", code(live.Projection), code(shadow.Projection))
	row := func(what, live, shadow string, equal bool) {
		verdict := "equal"
		if !equal {
			verdict = "**different**"
		}
		fmt.Fprintf(page, "| %s | %s | %s | %s |\n", what, live, shadow, verdict)
	}
	row("resolver", code(live.Resolver), code(shadow.Resolver), live.Resolver == shadow.Resolver)
	row("history digest", code(live.History), code(shadow.History), live.History == shadow.History)
	row("state digest", code(live.State), code(shadow.State), live.State == shadow.State)
	for _, table := range comparison.Tables {
		row("rows of "+code(table.Table), fmt.Sprint(table.LiveRows), fmt.Sprint(table.ShadowRows), table.Equal)
	}
}
