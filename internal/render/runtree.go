package render

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// tree draws the runs around this one, a level an indent. A run that belongs to no tree has none.
func (p *page) tree(run *headwaterv1.Run) {
	self := &headwaterv1.RunReference{RunId: run.GetRunId(), Job: run.GetJob()}
	if len(run.GetTree()) < 2 && run.GetRoot() == nil {
		return
	}
	p.section("tree of runs")
	if root := run.GetRoot(); root != nil && (len(run.GetTree()) == 0 || !proto.Equal(root, run.GetTree()[0].GetRun())) {
		p.printf("  at the top, as the run says: %s\n", reference(root))
	}
	for _, member := range run.GetTree() {
		line := reference(member.GetRun())
		switch {
		case member.GetPlaceholder():
			line += " " + p.style.warning("nothing of it has come")
		case proto.Equal(member.GetRun(), self):
			line += " " + p.style.strong("this run")
		default:
			line += " " + p.state(member.GetState())
		}
		p.printf("  %s%s\n", strings.Repeat("  ", int(member.GetDepth())), line)
	}
	if run.GetTreeCut() {
		p.printf("  %s\n", p.style.faint("there may be more: headwater run list --parent RUN lists the runs below one"))
	}
}

func reference(run *headwaterv1.RunReference) string {
	return printable(run.GetRunId()) + " of " + jobName(run.GetJob())
}

// attempts lists the other runs that were for the same.
func (p *page) attempts(attempts []*headwaterv1.RunSummary) {
	if len(attempts) == 0 {
		return
	}
	p.section("other attempts")
	table := tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', 0) // its errors are those of a strings.Builder, which has none
	for _, attempt := range attempts {
		_, _ = fmt.Fprintf(table, "  %s\t%s\tended %s\n", printable(attempt.GetRunId()), word(attempt.GetState(), "RUN_STATE_"),
			p.moment(attempt.GetEndedAt(), "not yet"))
	}
	_ = table.Flush()
}
