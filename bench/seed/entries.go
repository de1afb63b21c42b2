// Package seed tells the log, and a projection, the history of an invented company.
package seed

import (
	"fmt"
	"iter"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/lineage"
)

// Producer is the principal that sends a company's events.
const Producer = "company"

// decider is the principal that records decisions, as in the running system.
const decider = "headwater"

// Beginnings is a log of the runs that begin a content, week by week: the end of each and the decision on its output.
// Other runs only repeat what these say.
func Beginnings(c *company.Company, size int) iter.Seq[lineage.Entry] {
	return func(yield func(lineage.Entry) bool) {
		log := &log{company: c, size: size}
		for week := range c.Size().Weeks {
			log.receivedAt = company.WeekBegin(week + 1)
			for run := range c.Beginnings(week) {
				for _, entry := range log.told(company.Event{Run: run, Type: company.Complete, At: run.End}) {
					if !yield(entry) {
						return
					}
				}
			}
		}
	}
}

// Events is a log of all events of a span, each padded to size bytes, with the decisions that the default policy takes.
func Events(c *company.Company, from, to time.Time, size int) iter.Seq[lineage.Entry] {
	return func(yield func(lineage.Entry) bool) {
		log := &log{company: c, size: size}
		for event := range c.Events(from, to) {
			log.receivedAt = event.At
			for _, entry := range log.told(event) {
				if !yield(entry) {
					return
				}
			}
		}
	}
}

// log numbers entries.
type log struct {
	company    *company.Company
	size       int
	receivedAt time.Time
	offset     lineage.Offset
}

// told gives the entry of an event and, where it ends a run with an output, that of the decision.
func (l *log) told(event company.Event) []lineage.Entry {
	payload := l.company.Document(event, l.size)
	content := lineage.HashOf(string(payload))
	entries := []lineage.Entry{l.entry(Producer, lineage.DerivedEventID(content), lineage.FormatOpenLineage, event.Run, payload)}
	output := l.company.Output(event.Run.Job)
	if event.Type == company.Start || output.Sink {
		return entries
	}
	decision := published(l.company, event.Run, entries[0].Position())
	if event.Type == company.Fail {
		decision.EndType, decision.Publication = lineage.Fail, lineage.Diagnostic
	}
	decided, err := lineage.EncodeDecision(decision)
	if err != nil {
		panic(fmt.Sprintf("a decision of plain text cannot be encoded: %v", err))
	}
	return append(entries, l.entry(decider, decision.ID().String(), lineage.FormatPlatform, event.Run, decided))
}

// published is the decision on the output of a run that completed.
func published(c *company.Company, run company.Run, basis lineage.Position) lineage.Decision {
	return lineage.Decision{
		Run: RunKey(c, run), Output: datasetID(c, c.Output(run.Job)), Basis: basis, EndType: lineage.Complete,
		Publication: lineage.Published, PolicyRevision: "seed",
	}
}

func (l *log) entry(producer, eventID string, format lineage.Format, run company.Run, payload []byte) lineage.Entry {
	l.offset++
	return lineage.Entry{
		Epoch: 1, Offset: l.offset, ReceivedAt: l.receivedAt, Producer: producer, EventID: eventID, Format: format,
		Run: RunKey(l.company, run).Hash(), Content: lineage.HashOf(string(payload)), Payload: payload,
	}
}

// RunKey is a run of the company as the system keys it.
func RunKey(c *company.Company, run company.Run) lineage.RunKey {
	return lineage.RunKey{Job: JobID(c, run.Job), RunID: c.RunID(run)}
}

// JobID is a job of the company as the system names it.
func JobID(c *company.Company, job company.Job) lineage.JobID {
	return lineage.JobID{Namespace: company.JobNamespace, Name: c.JobName(job)}
}

// Node is a node of the company as the system names it.
func Node(c *company.Company, node company.Node) lineage.Node {
	if node.Sink {
		return JobID(c, company.Job(node.Number)).Node()
	}
	return datasetID(c, node).Node()
}

func datasetID(c *company.Company, node company.Node) lineage.DatasetID {
	return lineage.DatasetID{Namespace: company.DatasetNamespace, Name: c.Name(node)}
}
