package render

import (
	"strconv"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Withdrawals writes what is out of the answers, a line each.
func Withdrawals(answer *headwaterv1.ListWithdrawalsResponse, style Style) string {
	p := page{style: style}
	rows := [][]string{{"OFFSET", "WITHDRAWN", "BY", "WHEN", "WHY"}}
	for _, listed := range answer.GetWithdrawals() {
		subject := "event " + listed.GetEvent().GetEventId() + " of " + listed.GetEvent().GetProducer()
		if run := listed.GetRun(); run != nil {
			subject = "run " + run.GetRunId() + " of " + jobName(run.GetJob())
		}
		said := listed.GetWithdrawal()
		rows = append(rows, []string{
			strconv.FormatInt(listed.GetOffset(), 10), printable(subject), printable(said.GetBy()), p.moment(said.GetEventTime(), "–"), printable(said.GetReason()),
		})
	}
	if len(rows) == 1 {
		p.printf("nothing is withdrawn\n")
	} else {
		p.table(rows)
	}
	if token := answer.GetNextPageToken(); token != "" {
		p.printf("%s\n", style.faint("there are more: --page "+token))
	}
	p.text.WriteString("\n" + position(answer.GetProjection(), style))
	return p.text.String()
}
