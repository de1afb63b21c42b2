// Package report is how every benchmark tells what it found: the machine, the versions, the seed and the sizes, then
// each figure beside its target, for a person and as JSON.
package report

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Report is what one run of one benchmark found.
type Report struct {
	Name    string    `json:"name"`
	At      time.Time `json:"at"`
	Machine Machine   `json:"machine"`
	// Versions are those of what was measured, such as PostgreSQL's.
	Versions map[string]string `json:"versions"`
	Seed     uint64            `json:"seed"`
	Sizes    []Size            `json:"sizes"`
	Figures  []Figure          `json:"figures"`
	// Remarks tell what the figures alone do not, such as what holds one back.
	Remarks []string `json:"remarks,omitempty"`

	out io.Writer
}

// Size is how much of something was measured.
type Size struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// Figure is one measured value.
type Figure struct {
	// Section groups figures that belong together.
	Section string  `json:"section"`
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	// Target is nil for a figure that is only reported.
	Target *Target `json:"target,omitempty"`
}

// Target is what a figure has to hold.
type Target struct {
	Value float64 `json:"value"`
	// AtLeast tells a floor from a ceiling.
	AtLeast bool `json:"atLeast"`
	Met     bool `json:"met"`
}

// New begins a report, which prints what it is told to out as it goes.
func New(out io.Writer, name string, seed uint64) *Report {
	r := &Report{
		Name: name, At: time.Now().UTC(), Machine: ThisMachine(), Seed: seed,
		Versions: map[string]string{"go": goVersion(), "headwater": revision()}, out: out,
	}
	r.printf("%s · seed %d · %s\n%s\n", name, seed, r.At.Format(time.RFC3339), r.Machine)
	r.printf("go %s · headwater %s\n", r.Versions["go"], r.Versions["headwater"])
	if r.Machine.Load > float64(r.Machine.Cores) {
		r.Remark("others keep this machine busy: more of each latency is waiting for a core than is work")
	}
	return r
}

// Version notes the version of something that was measured.
func (r *Report) Version(of, version string) {
	r.Versions[of] = version
	r.printf("%s %s\n", of, version)
}

// Size notes how much of something is measured.
func (r *Report) Size(name string, value int64) {
	r.Sizes = append(r.Sizes, Size{name, value})
	r.printf("  %-34s %14s\n", name, grouped(value))
}

// Remark says in words what the figures do not.
func (r *Report) Remark(format string, args ...any) {
	remark := fmt.Sprintf(format, args...)
	r.Remarks = append(r.Remarks, remark)
	r.printf("  %s\n", remark)
}

// Missed lists the figures that miss their target.
func (r *Report) Missed() []Figure {
	var missed []Figure
	for _, figure := range r.Figures {
		if figure.Target != nil && !figure.Target.Met {
			missed = append(missed, figure)
		}
	}
	return missed
}

// Save writes the report as <name>.json into dir, which it makes.
func (r *Report) Save(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("save the report: %w", err)
	}
	encoded, err := json.Marshal(r, jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	path := filepath.Join(dir, r.Name+".json")
	if err := os.WriteFile(path, append(encoded, '\n'), 0o644); err != nil {
		return fmt.Errorf("save the report: %w", err)
	}
	r.printf("\nfigures are in %s\n", path)
	for _, figure := range r.Missed() {
		r.printf("missed: %s, %s: %s\n", figure.Section, figure.Name, figure.comparison())
	}
	return nil
}

// printf prints; a report that cannot be read can still be saved.
func (r *Report) printf(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format, args...) }

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && digit != '-' && digits[i-1] != '-' && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
