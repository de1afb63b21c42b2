package workflows

import (
	"fmt"
	"strconv"

	"github.com/headwater-data/headwater/workflows/contract"
)

// page is what the Temporal UI shows of the replay, in Markdown: what is done, what comes, and what a person must do.
func (r *replay) page() string {
	page := markdown{}
	page.line("Projection %s", code(r.input.Name))
	writeReason(&page, r.input.Reason)
	page.line("")
	r.writeChecklist(&page)
	r.writeVerdict(&page)
	if r.progress.Comparison != nil {
		writeComparison(&page, *r.progress.Comparison)
	}
	return page.text
}

func writeReason(page *markdown, reason string) {
	if reason != "" {
		page.line("Reason: %s", code(reason))
	}
}

func (r *replay) writeChecklist(page *markdown) {
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
		page.line("- [%s] %s", mark, step.words)
	}
}

func reached(folded *contract.Folded) string {
	if folded == nil {
		return ""
	}
	return fmt.Sprintf(": offset %d of %d", folded.Cursor, folded.Goal)
}

// writeVerdict asks for a verdict, or tells which one was given.
func (r *replay) writeVerdict(page *markdown) {
	const input = "`{\"by\": \"your name\", \"reason\": \"…\"}`"
	page.line("")
	switch {
	case r.progress.Verdict != nil:
		page.line("Decided by %s.", code(r.progress.Verdict.By))
		writeReason(page, r.progress.Verdict.Reason)
	case r.progress.Step != contract.AwaitingApproval:
	case r.progress.Comparison.Equal():
		page.line("**The shadow equals the live projection.** Send the update `approve` or `reject` with %s.", input)
	case r.progress.Comparison.Upgraded():
		page.line("**Another version of the code built the shadow**, so it may differ in any table. Judge by the rows below and by the "+
			"changelog whether it should. Send the update `approve` or `reject` with %s.", input)
	case r.progress.Comparison.Approvable():
		page.line("**The shadow folds under other name rules**, so it differs in what follows from names, and in nothing else. "+
			"`headwater namespaces plan` shows what becomes of which dataset. Send the update `approve` or `reject` with %s.", input)
	default:
		page.line("**The shadow differs from the live projection**, so it cannot be approved. Send the update `reject` with %s.", input)
	}
	if r.progress.Note != "" {
		page.line("")
		page.line("A verdict did not count: %s", code(r.progress.Note))
	}
}

func writeComparison(page *markdown, comparison contract.Comparison) {
	live, shadow := comparison.Live, comparison.Shadow
	page.line("")
	page.line("Both at offset %d, epoch %d:", comparison.At.Offset, comparison.At.Epoch)
	page.line("")
	page.table("", code(live.Projection)+" (live)", code(shadow.Projection)+" (shadow)", "")
	row := func(what, live, shadow string, equal bool) {
		if equal {
			page.row(what, live, shadow, "equal")
		} else {
			page.row(what, live, shadow, "**different**")
		}
	}
	row("resolver", code(live.Resolver), code(shadow.Resolver), live.Resolver == shadow.Resolver)
	if live.NameRules != "" || shadow.NameRules != "" {
		row("name rules", code(live.NameRules), code(shadow.NameRules), live.NameRules == shadow.NameRules)
	}
	if live.Raw != "" {
		row("raw digest", code(live.Raw), code(shadow.Raw), live.Raw == shadow.Raw)
	}
	row("history digest", code(live.History), code(shadow.History), live.History == shadow.History)
	row("state digest", code(live.State), code(shadow.State), live.State == shadow.State)
	for _, table := range comparison.Tables {
		row("rows of "+code(table.Table), count(table.LiveRows), count(table.ShadowRows), table.Equal)
	}
}

func count(rows int64) string { return strconv.FormatInt(rows, 10) }
