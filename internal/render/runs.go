package render

import (
	"fmt"
	"strings"
	"text/tabwriter"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Runs writes a list of runs, a line each.
func Runs(answer *headwaterv1.ListRunsResponse, style Style) string {
	p := page{style: style}
	table := tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', 0) // its errors are those of a strings.Builder, which has none
	for _, run := range answer.GetRuns() {
		publications := make([]string, len(run.GetPublications()))
		for i, publication := range run.GetPublications() {
			publications[i] = word(publication, "PUBLICATION_")
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\tbegan %s\tended %s\n", printable(run.GetRunId()), jobName(run.GetJob()),
			word(run.GetState(), "RUN_STATE_"), strings.Join(publications, ", "),
			clock(run.GetBeganAt().AsTime()), p.moment(run.GetEndedAt(), "not yet"))
	}
	_ = table.Flush()
	if len(answer.GetRuns()) == 0 {
		p.printf("no run\n")
	}
	if token := answer.GetNextPageToken(); token != "" {
		p.printf("%s\n", style.faint("there are more: --page "+token))
	}
	p.text.WriteByte('\n')
	p.text.WriteString(position(answer.GetProjection(), style))
	return p.text.String()
}

// Number is the number of a word of the contract as people write it; 0 for a word that there is not.
func Number(prefix, word string, numbers map[string]int32) int32 {
	return numbers[prefix+strings.ToUpper(word)]
}
