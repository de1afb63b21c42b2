package oracle_test

import (
	"encoding/json/jsontext"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/headwater-data/headwater/drill/oracle"
	"github.com/headwater-data/headwater/lineage"
)

// life is one run between its producers, the log, the projection, the dispatcher and its workflow, each of which goes on
// when chance has it. What they decide by is the code of lineage/; what can go wrong between them goes wrong here.
type life struct {
	random      *rand.Rand
	key         lineage.RunKey
	streaming   bool
	requirement lineage.Requirement
	now         time.Time

	// log is all that was appended: the entry of offset n is log[n-1].
	log []entry
	// ids are those of the decisions in the log.
	ids map[lineage.Hash]lineage.Decision

	// The projection has folded so many entries of the log, and the dispatcher has told of so many.
	folded, dispatched lineage.Offset
	run                lineage.Run
	decisions          []lineage.RecordedDecision
	basis, weighed     lineage.Position
	firstEnd           time.Time

	// workflow is nil while none is running.
	workflow *workflow
	// stalled are decisions of workers that stood still before they appended them, and were taken for dead.
	stalled []lineage.Decision

	// contradiction is a decision that was taken twice, differently; nil if none was.
	contradiction error
}

type entry struct {
	// decision is nil for an event or a marker.
	decision     *lineage.Decision
	contribution lineage.Contribution
	receivedAt   time.Time
}

// workflow is what RunLifecycle remembers.
type workflow struct {
	// signalled and decided are the latest offsets it was told of, and decided at; upTo is how far it has weighed.
	signalled, decided, upTo lineage.Offset
	weighed                  bool
	deadline                 time.Time
}

var output = lineage.DatasetID{Namespace: "warehouse", Name: "orders"}

// say appends what was said, and notes when it was received.
func (l *life) say(said *oracle.Said, id string) {
	said.Received = l.now
	event := lineage.Event{EventTime: said.At, Run: l.key, Job: l.key.Job}
	switch said.Word {
	case oracle.Start, oracle.Running, oracle.Complete, oracle.Fail, oracle.Abort, oracle.Other:
		event.Kind, event.Type = lineage.RunEvent, lineage.EventType(said.Word)
		event.Outputs = []lineage.Dataset{{DatasetID: output}}
		if l.streaming {
			event.JobFacets = lineage.Facets{"jobType": jsontext.Value(`{"processingType":"STREAMING","integration":"FLINK"}`)}
		}
	default:
		event.Kind = lineage.MarkerEvent
		event.Marker = lineage.Marker{Output: output, Kind: lineage.MarkerKind(said.Word), Gate: said.Gate, EventTime: said.At}
	}
	l.append(event, id)
}

func (l *life) append(event lineage.Event, id string) lineage.Offset {
	arrival := lineage.Arrival{Content: lineage.HashOf(id), ReceivedAt: l.now, Producer: "somebody", EventID: id}
	contribution, _ := lineage.NewContribution(event, arrival)
	l.log = append(l.log, entry{contribution: contribution, receivedAt: l.now})
	return lineage.Offset(len(l.log))
}

// appendDecision appends a decision, unless the log has it.
func (l *life) appendDecision(decision lineage.Decision) lineage.Offset {
	if known, taken := l.ids[decision.ID()]; taken {
		if fmt.Sprint(known) != fmt.Sprint(decision) {
			l.contradiction = fmt.Errorf("decision %+v was taken as %+v before", decision, known)
		}
		return 0
	}
	l.ids[decision.ID()] = decision
	l.log = append(l.log, entry{decision: &decision, receivedAt: l.now})
	return lineage.Offset(len(l.log))
}

// fold has the projection take in some entries.
func (l *life) fold(entries int) {
	for ; entries > 0 && int(l.folded) < len(l.log); entries-- {
		next := l.log[l.folded]
		l.folded++
		if next.decision != nil {
			l.decisions = append(l.decisions, lineage.RecordedDecision{
				Decision: *next.decision, Recorded: l.folded, ReceivedAt: next.receivedAt,
				Overtaken: l.weighed.Compare(next.decision.Basis) > 0 && !l.run.Entails(*next.decision),
			})
		} else {
			before := l.run
			l.run.Add(next.contribution)
			l.basis = lineage.Position{Epoch: 1, Offset: l.folded}
			if l.weighed == (lineage.Position{}) || !l.run.WeighsAs(&before) {
				l.weighed = l.basis
			}
			if next.contribution.Type.Terminal() && l.firstEnd.IsZero() {
				l.firstEnd = next.receivedAt
			}
		}
		l.run.ApplyDecisions(l.decisions)
	}
}

// dispatch tells the workflow of what was folded, and starts one where none is running.
func (l *life) dispatch() {
	if l.basis.Offset > l.dispatched {
		l.signal(l.basis.Offset)
	}
	l.dispatched = l.folded
}

func (l *life) signal(offset lineage.Offset) {
	if l.workflow == nil {
		l.workflow = &workflow{}
	}
	l.workflow.signalled = max(l.workflow.signalled, offset)
}

// resume starts the workflow that an undecided run lacks.
func (l *life) resume() {
	ended := l.run.End != nil || l.run.Continuous()
	pending := slices.ContainsFunc(l.run.Outputs, func(o lineage.Output) bool { return o.Publication == lineage.Pending })
	if l.workflow == nil && ended && pending && l.basis.Offset <= l.dispatched {
		l.signal(l.basis.Offset)
	}
}

// outcome is what becomes of a weighing.
type outcome int

const (
	answered outcome = iota
	// diedBefore and diedAfter: the worker was killed before it appended its decision, or after.
	diedBefore
	diedAfter
	// stoodStill: the worker was taken for dead and appends its decision later.
	stoodStill
)

// weigh has the workflow weigh the run, where there is something to weigh and the projection is up to it. It reports
// whether anything came of that.
func (l *life) weigh(how outcome) bool {
	w := l.workflow
	if w == nil || w.weighed && w.signalled <= w.upTo || l.folded < max(w.signalled, w.decided) {
		return false
	}
	upTo := max(w.signalled, w.decided)
	verdict, decision := l.decide()
	switch {
	case how == diedBefore:
		return true
	case decision == nil:
	case how == stoodStill:
		l.stalled = append(l.stalled, *decision)
		return true
	default:
		decided := l.appendDecision(*decision)
		if how == diedAfter {
			return true
		}
		w.decided = max(decided, w.decided)
	}
	w.weighed, w.upTo, w.deadline = true, upTo, l.deadline(verdict)
	settled := l.run.End != nil && (len(l.run.Outputs) == 0 || verdict.Publication != lineage.Pending)
	if settled && w.signalled <= w.upTo {
		l.workflow = nil
	}
	return true
}

// decide weighs the run as it is folded. The decision is nil where the one that stands says the same, also of what is
// waited for and until when.
func (l *life) decide() (lineage.Verdict, *lineage.Decision) {
	standing := l.run.Output(output)
	if standing == nil {
		return lineage.Verdict{Publication: lineage.Pending}, nil
	}
	requirement := l.requirement
	requirement.Deadline = l.due()
	verdict := l.run.Decide(output, requirement)
	decision := &lineage.Decision{
		Run: l.key, Output: output, Basis: l.basis, EndType: l.run.EndType(), PolicyRevision: "1",
		Publication: verdict.Publication, Gates: l.requirement.Gates, Until: verdict.Until, Deadline: l.deadline(verdict),
	}
	ruling, isDecided := l.run.Ruling(l.decisions)[output]
	decision.Overrules = ruling.Recorded
	switch {
	case verdict.Publication != standing.Publication || !verdict.Until.Equal(standing.Until):
		return verdict, decision
	case len(verdict.Awaited) > 0 && (!isDecided || !ruling.Deadline.Equal(decision.Deadline)):
		return verdict, decision
	default:
		return verdict, nil
	}
}

// deadline is until when the gates are waited for; zero where none is, or for ever.
func (l *life) deadline(verdict lineage.Verdict) time.Time {
	if len(verdict.Awaited) == 0 {
		return time.Time{}
	}
	return l.due()
}

// due is when the time to wait for gates is over; zero while it has not begun, and where it is for ever.
func (l *life) due() time.Time {
	if l.requirement.Wait == 0 || l.run.End == nil {
		return time.Time{}
	}
	return l.firstEnd.Add(l.requirement.Wait)
}

// wakeUp appends a decision of a worker that stood still.
func (l *life) wakeUp() {
	if len(l.stalled) > 0 {
		l.appendDecision(l.stalled[0])
		l.stalled = l.stalled[1:]
	}
}

// ring has the timer of the workflow go off when its time is over. It reports whether it did.
func (l *life) ring() bool {
	w := l.workflow
	if w == nil || w.deadline.IsZero() || w.signalled > w.upTo || l.now.Before(w.deadline) {
		return false
	}
	event := lineage.Event{
		Kind: lineage.MarkerEvent, EventTime: w.deadline, Run: l.key, Job: l.key.Job,
		Marker: lineage.Marker{Output: output, Kind: lineage.TimedOut, EventTime: w.deadline},
	}
	w.signalled = max(w.signalled, l.append(event, "timeout"))
	return true
}
