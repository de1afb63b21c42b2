package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// report writes tables for a person, and what failed below them.
type report struct {
	out    io.Writer
	table  *tabwriter.Writer
	memory memory

	held, partly, later, failed int
	problems                    []string
}

// heading begins a table.
func (r *report) heading(columns ...string) {
	r.flush()
	r.table = tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	r.row(columns...)
	for i, column := range columns {
		columns[i] = strings.Repeat("-", len(column))
	}
	r.row(columns...)
}

func (r *report) row(columns ...string) {
	fmt.Fprintln(r.table, strings.Join(columns, "\t")) //nolint:errcheck // Flush tells
}

// counted tells of a folder. Where it must be whole, each refusal is a failure.
func (r *report) counted(folder string, c counts, whole bool) {
	refused := c.documents - c.accepted
	r.row(folder, strconv.Itoa(c.documents), strconv.Itoa(c.accepted), strconv.Itoa(refused), c.why())
	switch {
	case len(c.odd) > 0:
		r.fail(folder, strings.Join(c.odd, "\n"))
	case whole && refused > 0:
		r.fail(folder, "every document of this folder must be accepted")
	}
}

// judged tells of a case or a scenario.
func (r *report) judged(name, rule string, o outcome) {
	switch {
	case o.problem != "":
		r.row(name, "FAILS", rule)
		r.fail(name, o.problem)
	case o.later != "":
		r.later++
		r.row(name, "later", o.later)
	case o.missing != "":
		r.partly++
		r.row(name, "in part", "later: "+o.missing)
	default:
		r.held++
		r.row(name, "yes", rule)
	}
}

func (r *report) fail(name, problem string) {
	r.failed++
	r.problems = append(r.problems, name+": "+problem)
}

// finish tells what failed, and sums up.
func (r *report) finish() {
	if peak := r.memory.stop(); peak > memoryLimit {
		r.fail("memory", fmt.Sprintf("the heap had %d MiB, more than the limit of %d", peak>>20, memoryLimit>>20))
	} else {
		r.problems = append(r.problems, fmt.Sprintf("The heap of gateways and workers had %d MiB at most; the limit is %d.", peak>>20, memoryLimit>>20))
	}
	r.flush()
	for _, problem := range r.problems {
		fmt.Fprintln(r.out, problem) //nolint:errcheck // nobody is left to tell
	}
	fmt.Fprintf(r.out, "%d hold, %d hold in part, %d are for later, %d failed\n", r.held, r.partly, r.later, r.failed) //nolint:errcheck // nobody is left to tell
}

func (r *report) flush() {
	if r.table != nil {
		_ = r.table.Flush() // nobody is left to tell
		fmt.Fprintln(r.out) //nolint:errcheck // nobody is left to tell
		r.table = nil
	}
}
