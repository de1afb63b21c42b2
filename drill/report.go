package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// row is what came of one drill.
type row struct {
	drill string
	seed  uint64
	// skipped says why the drill did not take place; empty if it did.
	skipped string
	result
	// refusals and breaks count what the producer had to send again.
	refusals, breaks int
	took             time.Duration
	// steps says what took how long.
	steps string
}

// verdict is one word, or why there is none.
func (r row) verdict() string {
	switch {
	case r.skipped != "":
		return "skipped: " + r.skipped
	case r.passed():
		return "passed"
	default:
		return "FAILED"
	}
}

// report is the rows of all drills.
type report struct{ rows []row }

// problemsShown bounds how much of a failed drill is told; the first problems explain the others more often than not.
const problemsShown = 10

// add tells of a drill as soon as it is over.
func (r *report) add(row row) {
	r.rows = append(r.rows, row)
	fmt.Fprintf(os.Stderr, "%s, seed %d: %s\n", row.drill, row.seed, row.verdict())
	if row.steps != "" {
		fmt.Fprintf(os.Stderr, "  %s\n", row.steps)
	}
	for i, problem := range row.problems {
		if i == problemsShown {
			fmt.Fprintf(os.Stderr, "  and %d more\n", len(row.problems)-i)
			break
		}
		fmt.Fprintf(os.Stderr, "  %s\n", problem)
	}
}

// allPassed reports whether no drill failed. One that was skipped did not.
func allPassed(rows []row) bool {
	return !slices.ContainsFunc(rows, func(row row) bool { return row.skipped == "" && !row.passed() })
}

// print writes the table.
func (r *report) print(w io.Writer) error {
	lines := []string{"DRILL\tSEED\tACKNOWLEDGED\tFOUND\tLOST\tDOUBLED\tRUNS RIGHT\tPUT OFF\tUNANSWERED\tTIME\tVERDICT"}
	for _, row := range r.rows {
		lines = append(lines, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%d/%d\t%d\t%d\t%v\t%s", row.drill, row.seed, row.acknowledged, row.found,
			row.lost(), row.doubled, row.right, row.runs, row.refusals, row.breaks, tenths(row.took), row.verdict()))
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(table, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return table.Flush()
}

func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
