package render

import (
	"fmt"
	"strconv"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Namespaces writes the namespaces of the graph, a line each.
func Namespaces(answer *headwaterv1.ListNamespacesResponse, style Style) string {
	p := page{style: style}
	rows := [][]string{{"NAMESPACE", "ENVIRONMENT", "PLATFORM", "DATASETS", "RAW NAMES", "UNRESOLVED", ""}}
	for _, n := range answer.GetNamespaces() {
		note := ""
		if n.GetProvisional() {
			note = "provisional: no rule names it"
		}
		rows = append(rows, []string{
			printable(n.GetNamespace()), n.GetEnvironment(), dash(n.GetPlatform()), strconv.FormatInt(n.GetDatasets(), 10), strconv.FormatInt(n.GetRawNames(), 10),
			strconv.FormatInt(n.GetUnresolved(), 10), note,
		})
	}
	p.table(rows)
	p.text.WriteString("\n" + position(answer.GetProjection(), style))
	return p.text.String()
}

// knownAs is the name of a dataset after name rules, where that is another.
func (p *page) knownAs(dataset *headwaterv1.Dataset) string {
	if dataset == nil {
		return ""
	}
	return p.style.faint(", known as " + datasetName(dataset))
}

// NamePlan writes what a set of name rules would change.
func NamePlan(plan *headwaterv1.PlanNameRulesResponse, style Style) string {
	p := page{style: style}
	p.printf("%d datasets become %d\n", plan.GetDatasetsBefore(), plan.GetDatasetsAfter())
	var merges, splits [][]string
	for _, merge := range plan.GetMerges() {
		for i, from := range merge.GetFrom() {
			merges = append(merges, []string{datasetName(from), "→ " + onlyFirst(i, datasetName(merge.GetInto()))})
		}
	}
	for _, split := range plan.GetSplits() {
		for i, into := range split.GetInto() {
			splits = append(splits, []string{onlyFirst(i, datasetName(split.GetFrom())), "→ " + datasetName(into)})
		}
	}
	var misfits [][]string
	for _, misfit := range plan.GetUnresolved() {
		misfits = append(misfits, []string{datasetName(misfit.GetDataset()), printable(misfit.GetReason())})
	}
	p.planned("become one", plan.GetMergeCount(), len(plan.GetMerges()), merges)
	p.planned("become several", plan.GetSplitCount(), len(plan.GetSplits()), splits)
	p.planned("are shown under another name", plan.GetRenameCount(), len(plan.GetRenames()), renames(plan.GetRenames()))
	p.planned("would not fit their namespace, and wait in the queue", plan.GetUnresolvedCount(), len(plan.GetUnresolved()), misfits)
	p.planned("fit now, and leave the queue", plan.GetResolvedCount(), len(plan.GetResolved()), renames(plan.GetResolved()))
	if plan.GetMergeCount()+plan.GetSplitCount()+plan.GetRenameCount()+plan.GetUnresolvedCount()+plan.GetResolvedCount() == 0 {
		p.printf("no name changes\n")
	}
	p.text.WriteString("\n" + position(plan.GetProjection(), style))
	return p.text.String()
}

// planned writes one kind of change, if there is any.
func (p *page) planned(what string, of int64, shown int, rows [][]string) {
	if of == 0 {
		return
	}
	p.section(fmt.Sprintf("%s (%d)", what, of))
	p.table(rows)
	if int64(shown) < of {
		p.printf("%s\n", p.style.faint(fmt.Sprintf("  and %d more", of-int64(shown))))
	}
}

func renames(planned []*headwaterv1.PlannedRename) [][]string {
	var rows [][]string
	for _, rename := range planned {
		rows = append(rows, []string{datasetName(rename.GetFrom()), "→ " + datasetName(rename.GetTo())})
	}
	return rows
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return printable(text)
}

// onlyFirst leaves a text out where it repeats.
func onlyFirst(i int, text string) string {
	if i > 0 {
		return "″"
	}
	return text
}
