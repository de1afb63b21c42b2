package report

import (
	"fmt"
	"strings"
	"time"
)

// Section is a group of figures under one heading.
type Section struct {
	report *Report
	title  string
}

// Section opens a group of figures.
func (r *Report) Section(format string, args ...any) Section {
	title := fmt.Sprintf(format, args...)
	r.printf("\n%s\n", title)
	return Section{r, title}
}

// Note reports a figure that has no target.
func (s Section) Note(name string, value float64, unit string) {
	s.add(Figure{Section: s.title, Name: name, Value: value, Unit: unit})
}

// AtMost reports a figure that may not exceed target.
func (s Section) AtMost(name string, value, target float64, unit string) {
	s.add(Figure{s.title, name, value, unit, &Target{Value: target, Met: value <= target}})
}

// AtLeast reports a figure that may not fall short of target.
func (s Section) AtLeast(name string, value, target float64, unit string) {
	s.add(Figure{s.title, name, value, unit, &Target{Value: target, AtLeast: true, Met: value >= target}})
}

// Percentiles reports p50, p95, p99 and the maximum of latencies in milliseconds. Targets are those of the first
// three, in order; none or fewer leave the rest without.
func (s Section) Percentiles(name string, latencies Latencies, targets ...time.Duration) {
	for i, p := range []float64{50, 95, 99, 100} {
		figure, label := milliseconds(latencies.At(p)), fmt.Sprintf("%s p%g", name, p)
		if p == 100 {
			label = name + " max"
		}
		if i < len(targets) {
			s.AtMost(label, figure, milliseconds(targets[i]), "ms")
		} else {
			s.Note(label, figure, "ms")
		}
	}
}

// Tail reports the same percentiles. Only the 99th has a target.
func (s Section) Tail(name string, latencies Latencies, target time.Duration) {
	s.Note(name+" p50", milliseconds(latencies.At(50)), "ms")
	s.Note(name+" p95", milliseconds(latencies.At(95)), "ms")
	s.AtMost(name+" p99", milliseconds(latencies.At(99)), milliseconds(target), "ms")
	s.Note(name+" max", milliseconds(latencies.At(100)), "ms")
}

// Ratio reports the median of latencies as a multiple of another one, such as that of a probe: it stays about the same on
// another machine, and where neighbours keep this one busy.
func (s Section) Ratio(name string, latencies Latencies, to string, median time.Duration) {
	s.Note(fmt.Sprintf("%s p50 / %s p50", name, to), float64(latencies.At(50))/float64(median), "×")
}

func (s Section) add(figure Figure) {
	s.report.Figures = append(s.report.Figures, figure)
	s.report.printf("  %-52s %s\n", figure.Name, figure.comparison())
}

// comparison is the figure beside its target.
func (f Figure) comparison() string {
	value := strings.TrimRight(fmt.Sprintf("%12s %s", readable(f.Value), f.Unit), " ")
	if f.Target == nil {
		return value
	}
	bound, verdict := "≤", "ok"
	if f.Target.AtLeast {
		bound = "≥"
	}
	if !f.Target.Met {
		verdict = "MISSED"
	}
	target := strings.TrimRight(readable(f.Target.Value)+" "+f.Unit, " ")
	return fmt.Sprintf("%-24s target %s %s: %s", value, bound, target, verdict)
}

func readable(value float64) string {
	switch {
	case value >= 1000 || value <= -1000 || value == float64(int64(value)):
		return grouped(int64(value))
	case value >= 10:
		return fmt.Sprintf("%.1f", value)
	default:
		return fmt.Sprintf("%.3f", value)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
