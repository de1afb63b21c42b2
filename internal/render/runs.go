package render

import (
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Runs writes a list of runs, a line each.
func Runs(answer *headwaterv1.ListRunsResponse, style Style) string {
	p := page{style: style}
	rows := [][]string{{"RUN", "JOB", "STATE", "PUBLICATION", "BEGAN", "ENDED"}}
	for _, run := range answer.GetRuns() {
		publications := make([]string, len(run.GetPublications()))
		for i, publication := range run.GetPublications() {
			publications[i] = word(publication, "PUBLICATION_")
		}
		ended := "–"
		if run.GetEndedAt() != nil {
			ended = style.ago(run.GetEndedAt().AsTime())
		}
		rows = append(rows, []string{
			printable(run.GetRunId()), jobName(run.GetJob()), word(run.GetState(), "RUN_STATE_"), dash(strings.Join(publications, ", ")),
			clock(run.GetBeganAt().AsTime()), ended,
		})
	}
	if len(rows) == 1 {
		p.printf("no run\n")
	} else {
		p.table(rows)
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
