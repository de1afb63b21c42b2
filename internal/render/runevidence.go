package render

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// standing says of a run that is no ordinary one why it is empty.
func (p *page) standing(run *headwaterv1.Run) {
	if run.GetPlaceholder() {
		p.printf("  %s\n", p.style.warning("! nothing of this run has come: others name it as their parent or root"))
	}
	if withdrawn := run.GetWithdrawn(); withdrawn != nil {
		p.printf("  %s\n", p.style.warning("! withdrawn with all its events "+withdrawnBy(withdrawn)))
	}
}

// withdrawnBy says who took evidence out of the answers, when and why.
func withdrawnBy(withdrawn *headwaterv1.Withdrawal) string {
	text := "by " + printable(cmp.Or(withdrawn.GetBy(), "someone")) + " on " + clock(withdrawn.GetEventTime().AsTime())
	if reason := withdrawn.GetReason(); reason != "" {
		text += ": " + printable(reason)
	}
	return text
}

func engineName(engine *headwaterv1.ProcessingEngine) string {
	text := strings.TrimSpace(printable(engine.GetName()) + " " + printable(engine.GetVersion()))
	if adapter := engine.GetAdapterVersion(); adapter != "" {
		text += ", reported by OpenLineage " + printable(adapter)
	}
	return text
}

// maxSubset bounds what a page shows of a condition.
const maxSubset = 200

// subset writes the condition under which only a part of a dataset was meant.
func (p *page) subset(condition string) {
	if condition == "" {
		return
	}
	if len(condition) > maxSubset {
		condition = condition[:maxSubset] + "…"
	}
	p.printf("    only %s\n", p.style.faint(printable(condition)))
}

// statistics follow a dataset on its line; empty where none were reported.
func (p *page) statistics(statistics *headwaterv1.DatasetStatistics) string {
	var parts []string
	add := func(count *int64, unit string) {
		if count != nil {
			parts = append(parts, fmt.Sprintf("%d %s", *count, unit))
		}
	}
	if statistics != nil {
		add(statistics.Rows, "rows")
		add(statistics.Bytes, "bytes")
		add(statistics.Files, "files")
	}
	if len(parts) == 0 {
		return ""
	}
	return p.style.faint("  " + strings.Join(parts, ", "))
}

// events lists the events in the order of the log, and below each that was withdrawn who did so.
func (p *page) events(events []*headwaterv1.RunEvent) {
	p.section("events")
	table := tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', 0) // its errors are those of a strings.Builder, which has none
	for _, event := range events {
		_, _ = fmt.Fprintf(table, "  %d\t%s\t%s\treceived %s\tfrom %s\t%s\n", event.GetOffset(), printable(event.GetEventType()),
			clock(event.GetEventTime().AsTime()), clock(event.GetReceivedAt().AsTime()), printable(event.GetProducer()), printable(event.GetEventId()))
	}
	_ = table.Flush()
	for _, event := range events {
		if withdrawn := event.GetWithdrawn(); withdrawn != nil {
			p.printf("  %s\n", p.style.warning(fmt.Sprintf("! %d withdrawn %s", event.GetOffset(), withdrawnBy(withdrawn))))
		}
	}
}

// unreadFacets follow the events that carry them.
func (p *page) unreadFacets(names []string) {
	if len(names) > 0 {
		p.printf("  %s\n", p.style.faint("made nothing of, but for headwater event show: "+printable(strings.Join(names, ", "))))
	}
}
