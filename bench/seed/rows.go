package seed

import (
	"encoding/json/v2"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// table collects rows to be copied.
type table struct {
	name    string
	columns []string
	rows    [][]any
}

func (t *table) add(values ...any) { t.rows = append(t.rows, values) }

// rows are what a projection holds after the entries of a log of beginnings, found without the projector: by the pure
// code of the domain where that gives a row's content, and else by knowing that no run comes late.
type rows struct {
	company    *company.Company
	projection projection.ID

	node, run, runEvent, flow, flowInput, statement, write table

	nodes map[lineage.NodeID]bool
	flows map[lineage.Hash]bool
	// open is the write that holds, by job.
	open map[company.Job]openWrite
	// again are the flows that were written again after others; their spans reach over several writes.
	again []lineage.Hash
}

type openWrite struct {
	timeline, output, key lineage.Hash
	flow                  *lineage.Flow
	// first tells whether this is the flow's first write: its inputs then wait for the end of it.
	first    bool
	from     time.Time
	recorded lineage.Offset
}

func newRows(c *company.Company, id projection.ID) *rows {
	named := func(name string, columns ...string) table {
		return table{name: name, columns: append([]string{"projection_id"}, columns...)}
	}
	return &rows{
		company: c, projection: id,
		node: named("node", "node_id", "kind", "namespace", "name", "recorded_from"),
		run: named("run", "run_key", "run_id", "job_namespace", "job_name", "job_id", "state", "settled", "body", "decisions",
			"first_offset", "last_epoch", "last_offset", "weighed_epoch", "weighed_offset", "began_at", "publications"),
		runEvent: named("run_event", "run_key", "log_offset", "producer", "event_id", "event_type", "event_time",
			"effective_at", "received_at", "warnings", "contribution"),
		flow:      named("flow", "flow_id", "job_id", "input_count", "recorded_from"),
		flowInput: named("flow_input", "flow_id", "input_id", "since", "until", "recorded_from", "spanned_from"),
		statement: named("statement", "timeline_id", "effective_at", "statement_key", "recorded_from", "level", "content_id",
			"output_id", "speaks", "origin", "publication", "derivation", "run_id", "run_state", "job_version", "producer", "source_event"),
		write: named("write", "timeline_id", "level", "content_id", "job_id", "output_id", "origin", "valid_from", "first_key", "valid_to",
			"recorded_from", "recorded_to"),
		nodes: map[lineage.NodeID]bool{}, flows: map[lineage.Hash]bool{}, open: map[company.Job]openWrite{},
	}
}

// add takes in a run that begins a content, by the entries that tell of it.
func (r *rows) add(begun company.Run, entries []lineage.Entry) error {
	event := entries[0]
	contribution := r.contribution(begun, event)
	kept, err := contribution.Encode()
	if err != nil {
		return err
	}
	run, err := r.fold(begun, contribution, entries)
	if err != nil {
		return err
	}
	r.runEvent.add(r.projection, run.Key.Hash(), event.Offset, event.Producer, event.EventID, string(lineage.Complete),
		begun.End, begun.End, event.ReceivedAt, "[]", string(kept))
	r.addNode(run.Key.Job.Node(), event.Offset)
	for _, input := range run.Inputs {
		r.addNode(input.Node(), event.Offset)
	}
	for _, output := range run.Outputs {
		r.addNode(output.Node(), event.Offset)
	}
	for _, statement := range run.Statements() {
		r.addStatement(begun.Job, &statement, run.State(), entries[len(entries)-1].Offset)
	}
	return nil
}

// contribution is what the event says that ends the run.
func (r *rows) contribution(begun company.Run, event lineage.Entry) lineage.Contribution {
	contribution := lineage.Contribution{
		Type: lineage.Complete, EventTime: begun.End,
		Moment: lineage.Moment{EffectiveAt: begun.End, Key: event.Arrival().Key()},
		Sender: lineage.Sender{Producer: event.Producer, EventID: event.EventID},
	}
	for _, input := range begun.Inputs {
		contribution.Inputs = append(contribution.Inputs, datasetID(r.company, company.Node{Number: int32(input)}))
	}
	if output := r.company.Output(begun.Job); !output.Sink {
		contribution.Outputs = []lineage.DatasetID{datasetID(r.company, output)}
	}
	return contribution
}

// fold gives the run as its entries leave it, and adds its row.
func (r *rows) fold(begun company.Run, contribution lineage.Contribution, entries []lineage.Entry) (*lineage.Run, error) {
	event := entries[0]
	decisions := []lineage.RecordedDecision{}
	if len(contribution.Outputs) > 0 {
		decided := published(r.company, begun, event.Position())
		decisions = append(decisions, lineage.RecordedDecision{
			Decision: decided, Recorded: entries[1].Offset, ReceivedAt: entries[1].ReceivedAt,
		})
	}
	run := &lineage.Run{Key: RunKey(r.company, begun)}
	run.Add(contribution)
	run.ApplyDecisions(decisions)
	body, err := json.Marshal(run)
	if err != nil {
		return nil, fmt.Errorf("encode run: %w", err)
	}
	decided, err := json.Marshal(decisions)
	if err != nil {
		return nil, fmt.Errorf("encode decisions: %w", err)
	}
	publications := 0
	if len(run.Outputs) > 0 {
		publications = 1 << lineage.Published
	}
	r.run.add(r.projection, run.Key.Hash(), run.Key.RunID, run.Key.Job.Namespace, run.Key.Job.Name,
		lineage.Hash(run.Key.Job.Node().ID()), int16(run.State()), run.Settled(), string(body), string(decided),
		event.Offset, event.Epoch, event.Offset, event.Epoch, event.Offset, run.FirstEventAt, publications)
	return run, nil
}

func (r *rows) addNode(node lineage.Node, at lineage.Offset) {
	if id := node.ID(); !r.nodes[id] {
		r.nodes[id] = true
		r.node.add(r.projection, lineage.Hash(id), int16(node.Kind), node.Namespace, node.Name, at)
	}
}

func (r *rows) addStatement(job company.Job, s *lineage.Statement, state lineage.RunState, at lineage.Offset) {
	flow, output := s.Content.ID(), lineage.Hash(s.Output.ID())
	r.statement.add(r.projection, s.TimelineID(), s.EffectiveAt, s.Key, at, int16(s.Content.Level()), flow, output, s.Speaks,
		int16(s.Origin), int16(s.Publication), int16(s.Derivation), s.RunID, int16(state), s.JobVersion, s.Sender.Producer,
		s.Sender.EventID)
	if before, ok := r.open[job]; ok {
		r.addWrite(before, lineage.Forever, before.recorded, at)
		r.addWrite(before, s.EffectiveAt, at, lineage.OpenEnd)
		r.addInputs(before, s.EffectiveAt, at)
	}
	first := !r.flows[flow]
	if first {
		r.flows[flow] = true
		r.flow.add(r.projection, flow, lineage.Hash(s.Job.Node().ID()), int32(len(s.Flow().Inputs)), at)
	} else {
		r.again = append(r.again, flow)
	}
	r.open[job] = openWrite{s.TimelineID(), output, s.Key, s.Flow(), first, s.EffectiveAt, at}
}

// finish adds the writes that hold at the end.
func (r *rows) finish() {
	for _, write := range r.open {
		r.addWrite(write, lineage.Forever, write.recorded, lineage.OpenEnd)
		r.addInputs(write, lineage.Forever, write.recorded)
	}
}

func (r *rows) addWrite(w openWrite, to time.Time, recordedFrom, recordedTo lineage.Offset) {
	r.write.add(r.projection, w.timeline, int16(w.flow.Level()), w.flow.ID(), lineage.Hash(w.flow.Job.Node().ID()), w.output,
		int16(lineage.Observed), w.from, w.key, to, recordedFrom, recordedTo)
}

// addInputs adds what the flow of a write reads, with the span of that write, known at some offset.
func (r *rows) addInputs(w openWrite, until time.Time, known lineage.Offset) {
	if !w.first {
		return
	}
	for _, input := range w.flow.Inputs {
		r.flowInput.add(r.projection, w.flow.ID(), lineage.Hash(input.ID()), w.from, until, w.recorded, known)
	}
}
