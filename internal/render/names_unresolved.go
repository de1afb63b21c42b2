package render

import (
	"strconv"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Unresolved writes the queue of names that do not fit.
func Unresolved(answer *headwaterv1.ListUnresolvedResponse, style Style) string {
	p := page{style: style}
	rows := [][]string{{"NAMESPACE", "NAME", "EVENTS", "LAST USED", "SENDERS", "WHY"}}
	for _, name := range answer.GetNames() {
		rows = append(rows, []string{
			printable(name.GetMisfit().GetDataset().GetNamespace()), printable(name.GetMisfit().GetDataset().GetName()),
			strconv.FormatInt(name.GetEvents(), 10), p.moment(name.GetLastUsedAt(), "never"), printable(strings.Join(name.GetProducers(), ", ")),
			printable(name.GetMisfit().GetReason()),
		})
	}
	if len(rows) == 1 {
		p.printf("no name\n")
	} else {
		p.table(rows)
	}
	if token := answer.GetNextPageToken(); token != "" {
		p.printf("%s\n", style.faint("there are more: --page "+token))
	}
	p.counts("in the queue by namespace", answer.GetByNamespace())
	p.counts("in the queue by sender", answer.GetByProducer())
	p.text.WriteString("\n" + position(answer.GetProjection(), style))
	return p.text.String()
}

func (p *page) counts(title string, counts []*headwaterv1.UnresolvedCount) {
	if len(counts) == 0 {
		return
	}
	p.section(title)
	var rows [][]string
	for _, count := range counts {
		rows = append(rows, []string{strconv.FormatInt(count.GetNames(), 10), printable(count.GetOf())})
	}
	p.table(rows)
}

// UnresolvedName writes what a person needs to judge a name that does not fit.
func UnresolvedName(answer *headwaterv1.GetUnresolvedResponse, style Style) string {
	p := page{style: style}
	name := answer.GetName()
	p.printf("%s\n%s\n", p.style.strong(datasetName(name.GetMisfit().GetDataset())), printable(name.GetMisfit().GetReason()))
	if said := name.GetDismissal(); said != nil {
		p.printf("dismissed by %s %s: %s\n", printable(said.GetBy()), p.moment(said.GetEventTime(), ""), printable(said.GetReason()))
	}
	p.section("used by")
	var uses [][]string
	for _, use := range answer.GetUses() {
		job := "–"
		if use.Job != nil {
			job = jobName(use.GetJob())
		}
		uses = append(uses, []string{p.moment(use.GetEventTime(), ""), job, printable(use.GetRunId()), printable(use.GetProducer()), printable(use.GetEventId())})
	}
	p.table(uses)
	if len(answer.GetCandidates()) > 0 {
		p.section("datasets that end alike; whether it is one of them is for you to say")
		for _, candidate := range answer.GetCandidates() {
			p.printf("%s\n", datasetName(candidate))
		}
	}
	p.text.WriteString("\n" + position(answer.GetProjection(), style))
	return p.text.String()
}
