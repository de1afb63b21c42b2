package lineage_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

var update = flag.Bool("update", false, "write docs/run-states.md anew")

const statesPage = "../docs/run-states.md"

// TestPageOfRunStatesIsUpToDate keeps the page what the code does: go test ./lineage -run PageOfRunStates -update.
func TestPageOfRunStatesIsUpToDate(t *testing.T) {
	page := runStatesPage()
	if *update {
		require.NoError(t, os.WriteFile(statesPage, []byte(page), 0o600))
	}
	written, err := os.ReadFile(statesPage)
	require.NoError(t, err)
	require.Equal(t, page, string(written), "run: go test ./lineage -run PageOfRunStates -update")
}

var everyType = []lineage.EventType{lineage.Start, lineage.Running, lineage.Complete, lineage.Fail, lineage.Abort, lineage.Other}

// reaching gives, for each state, the event that a run is in it by.
var reaching = []struct {
	state lineage.RunState
	by    lineage.EventType
}{
	{lineage.RunUnknown, lineage.Other},
	{lineage.RunStarted, lineage.Start},
	{lineage.RunRunning, lineage.Running},
	{lineage.RunCompleted, lineage.Complete},
	{lineage.RunFailed, lineage.Fail},
	{lineage.RunAborted, lineage.Abort},
}

func runStatesPage() string {
	var page strings.Builder
	page.WriteString(`# What an event does to a run

This page is written by a test in ` + "`lineage/`" + ` from the code itself. It lists every pair of state and event. Any event
creates a run that is not known yet; a platform event (a marker, a quality result, a timeout) moves no state.

`)
	for _, when := range []struct {
		title  string
		minute int
	}{
		{"An event that is later, by event time, than what the run has", 20},
		{"An event of the same time", 10},
		{"An event that is earlier: it arrived late", 0},
	} {
		page.WriteString("## " + when.title + "\n\n| state |")
		for _, event := range everyType {
			page.WriteString(" " + string(event) + " |")
		}
		page.WriteString("\n| --- |" + strings.Repeat(" --- |", len(everyType)) + "\n")
		for _, from := range reaching {
			fmt.Fprintf(&page, "| %s |", from.state)
			for _, event := range everyType {
				next := said(event, when.minute, "", "")
				next.Key = lineage.HashOf("next")
				run := folded(said(from.by, 10, "", ""), next)
				disputed := ""
				if run.Disputed() {
					disputed = ", disputed"
				}
				fmt.Fprintf(&page, " %s%s |", run.State(), disputed)
			}
			page.WriteString("\n")
		}
		page.WriteString("\n")
	}
	writePublications(&page)
	return page.String()
}

// writePublications lists what becomes of an output, by the end of its run and what was marked.
func writePublications(page *strings.Builder) {
	ends := []struct {
		name string
		said lineage.Contribution
	}{
		{"under way", wrote(lineage.Running, 10)},
		{"COMPLETE", wrote(lineage.Complete, 10)},
		{"FAIL or ABORT", wrote(lineage.Fail, 10)},
		{"streaming", func() lineage.Contribution {
			c := wrote(lineage.Running, 10)
			c.Mode = lineage.Streaming
			return c
		}()},
	}
	page.WriteString(`## What becomes of an output

By what was marked (in the order of event time; in whatever order it arrived), for a policy without gates and for one that
waits for ` + "`quality`" + ` and answers ` + "`suspect`" + ` when time is up. "a → b" stands for without gates → with the gate, where they differ.

| marked | ` + ends[0].name + " | " + ends[1].name + " | " + ends[2].name + " | " + ends[3].name + " |\n| --- | --- | --- | --- | --- |\n")
	for _, row := range []struct {
		name    string
		markers []lineage.Contribution
	}{
		{"nothing", nil},
		{"committed", []lineage.Contribution{marked(lineage.Committed, 11, "")}},
		{"quality passed", []lineage.Contribution{marked(lineage.Passed, 12, "quality")}},
		{"quality failed", []lineage.Contribution{marked(lineage.Failed, 12, "quality")}},
		{"quality passed, then failed", []lineage.Contribution{marked(lineage.Passed, 12, "quality"), marked(lineage.Failed, 13, "quality")}},
		{"quality failed, then passed", []lineage.Contribution{marked(lineage.Failed, 12, "quality"), marked(lineage.Passed, 13, "quality")}},
		{"time is up", []lineage.Contribution{marked(lineage.TimedOut, 40, "")}},
		{"time is up, then quality passed", []lineage.Contribution{marked(lineage.TimedOut, 40, ""), marked(lineage.Passed, 41, "quality")}},
		{"validated", []lineage.Contribution{marked(lineage.Validated, 14, "")}},
		{"quality failed, then validated", []lineage.Contribution{marked(lineage.Failed, 12, "quality"), marked(lineage.Validated, 14, "")}},
		{"invalidated", []lineage.Contribution{marked(lineage.Invalidated, 14, "")}},
		{"committed, then rolled back", []lineage.Contribution{marked(lineage.Committed, 11, ""), marked(lineage.RolledBackMarker, 15, "")}},
		{"rolled back, then committed again", []lineage.Contribution{marked(lineage.RolledBackMarker, 15, ""), marked(lineage.Committed, 16, "")}},
	} {
		fmt.Fprintf(page, "| %s |", row.name)
		for _, end := range ends {
			run := folded(append([]lineage.Contribution{end.said}, row.markers...)...)
			without, with := run.Decide(orders, free).Publication.String(), run.Decide(orders, onQuality).Publication.String()
			if without != with {
				without += " → " + with
			}
			fmt.Fprintf(page, " %s |", without)
		}
		page.WriteString("\n")
	}
}
