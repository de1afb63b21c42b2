package gateway_test

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// What a caller is told must be what a caller would be told of whom nothing had to be hidden, because it had never come. So
// one story is told twice: once whole, and once without what hidden jobs did and without the datasets that are hidden.
const (
	hiddenJobs     = `{"namespace": "scheduler", "name": "secret*"}`
	hiddenDatasets = `{"namespace": "vault", "name": "*"}`
)

// tale is what a story tells to both.
type tale struct {
	// id is the same for what is told to both.
	id      string
	format  lineage.Format
	payload []byte
}

// teller makes a story up: told is the whole of it, and open what is left without what is hidden.
type teller struct {
	*rand.Rand
	// events counts the events, so that no two are of one time.
	events     int
	told, open []tale
	runs       map[string]bool
}

func minutes(n int) time.Time {
	return time.Date(2026, 7, 19, 12, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
}

// at is a time of the story in some minute.
func (s *teller) at(minute int) time.Time {
	s.events++
	return minutes(minute).Add(time.Duration(s.events) * 100 * time.Millisecond)
}

// say tells something. Nil is what is left of it where it is about something hidden.
func (s *teller) say(format lineage.Format, told, open []byte) {
	id := fmt.Sprint("event ", len(s.told))
	s.told = append(s.told, tale{id, format, told})
	if open != nil {
		s.open = append(s.open, tale{id, format, open})
	}
}

func encoded(document any) []byte {
	text, err := json.Marshal(document, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return text
}

// pick gives one of some words.
func (s *teller) pick(words ...string) string { return words[s.IntN(len(words))] }

func (s *teller) table() string  { return fmt.Sprint("t", s.IntN(4)) }
func (s *teller) column() string { return fmt.Sprint("c", s.IntN(3)) }
func (s *teller) job() string    { return s.pick("load", "clean", "sum", "secret one", "secret two") }

func isHiddenJob(name string) bool { return strings.HasPrefix(name, "secret") }

// datasetWith is a dataset of an event.
func datasetWith(namespace, name string, facets map[string]any) map[string]any {
	return map[string]any{"namespace": namespace, "name": name, "facets": facets}
}

// facets are what an event says of a table that it reads or writes.
func (s *teller) facets(of, source string, writes bool) map[string]any {
	facets := map[string]any{}
	maybe := func(name string, facet map[string]any) {
		if s.IntN(3) == 0 {
			facets[name] = facet
		}
	}
	maybe("documentation", map[string]any{"description": fmt.Sprint(of, " in the words of ", s.IntN(1000))})
	maybe("ownership", map[string]any{"owners": []any{map[string]any{"name": fmt.Sprint("team:", s.IntN(3))}}})
	maybe("tags", map[string]any{"tags": []any{map[string]any{"key": fmt.Sprint("k", s.IntN(3)), "value": "1", "source": "USER"}}})
	maybe("datasetType", map[string]any{"datasetType": s.pick("TABLE", "VIEW")})
	maybe("schema", map[string]any{"fields": []any{map[string]any{"name": s.column(), "description": fmt.Sprint("says ", s.IntN(1000))}, map[string]any{"name": "c3"}}})
	if s.IntN(5) == 0 {
		facets["symlinks"] = map[string]any{"identifiers": []any{map[string]any{"namespace": "lake", "name": s.pick("l0", "l1"), "type": "LOCATION"}}}
	}
	if !writes {
		return facets
	}
	if s.IntN(4) == 0 {
		change := map[string]any{"lifecycleStateChange": s.pick("DROP", "CREATE", "RENAME")}
		change["previousIdentifier"] = map[string]any{"namespace": "warehouse", "name": s.table()}
		facets["lifecycleStateChange"] = change
	}
	maybe("columnLineage", map[string]any{"fields": map[string]any{s.column(): map[string]any{"inputFields": []any{
		map[string]any{"namespace": "warehouse", "name": source, "field": s.column()},
	}}}})
	return facets
}

// run tells of a run, and of the decision on what it wrote.
func (s *teller) run(i int) {
	job, minute, source, output := s.job(), s.IntN(30), s.table(), s.table()
	id := s.pick(fmt.Sprint("r", i), fmt.Sprint("r", s.IntN(10))) // some jobs share ids, some runs have several events
	s.runs[id] = true
	kind := s.pick("COMPLETE", "COMPLETE", "COMPLETE", "COMPLETE", "START", "FAIL")
	inputs := []any{datasetWith("warehouse", source, s.facets(source, source, false))}
	outputs := []any{datasetWith("warehouse", output, s.facets(output, source, true))}
	told := map[string]any{
		"eventType": kind, "eventTime": s.at(minute), "run": map[string]any{"runId": id, "facets": s.parent()},
		"job": map[string]any{"namespace": "scheduler", "name": job}, "inputs": inputs, "outputs": outputs,
	}
	open := maps.Clone(told)
	switch job { // always: that a flow changes in what is hidden of it shows in when its edges begin and end
	case "load":
		told["inputs"] = append(slices.Clone(inputs), datasetWith("vault", "gold", s.facets("gold", source, false)))
	case "sum":
		told["outputs"] = append(slices.Clone(outputs), datasetWith("vault", "silver", nil))
	}
	s.tell(job, told, open)
	if s.IntN(5) > 0 {
		s.decide(lineage.RunKey{Job: lineage.JobID{Namespace: "scheduler", Name: job}, RunID: id}, output, lineage.EventType(kind))
	}
}

// parent is the facet of a run that is part of another.
func (s *teller) parent() map[string]any {
	if s.IntN(3) > 0 {
		return map[string]any{}
	}
	return map[string]any{"parent": map[string]any{
		"run": map[string]any{"runId": fmt.Sprint("r", s.IntN(10))}, "job": map[string]any{"namespace": "scheduler", "name": s.job()},
	}}
}

// tell tells of an event of a job.
func (s *teller) tell(job string, told, open map[string]any) {
	var left []byte
	if !isHiddenJob(job) {
		left = encoded(open)
	}
	s.say(lineage.FormatOpenLineage, encoded(told), left)
}

func (s *teller) decide(run lineage.RunKey, output string, end lineage.EventType) {
	publication := map[lineage.EventType]lineage.Publication{"COMPLETE": lineage.Published, "FAIL": lineage.Diagnostic}[end]
	if publication == 0 {
		return
	}
	decision := func(told int) []byte {
		payload, err := lineage.EncodeDecision(lineage.Decision{
			Run: run, Output: lineage.DatasetID{Namespace: "warehouse", Name: output}, Basis: lineage.Position{Epoch: 1, Offset: lineage.Offset(told)},
			EndType: end, Publication: publication, PolicyRevision: "test",
		})
		if err != nil {
			panic(err)
		}
		return payload
	}
	var left []byte
	if !isHiddenJob(run.Job.Name) {
		left = decision(len(s.open))
	}
	s.say(lineage.FormatPlatform, decision(len(s.told)), left)
}

// declare tells what a job does, without a run.
func (s *teller) declare() {
	job, minute, source, output := s.job(), s.IntN(30), s.table(), s.table()
	event := map[string]any{
		"eventTime": s.at(minute), "job": map[string]any{"namespace": "scheduler", "name": job},
		"inputs":  []any{datasetWith("warehouse", source, nil)},
		"outputs": []any{datasetWith("warehouse", output, s.facets(output, source, true))},
	}
	s.tell(job, event, event)
}

// describe tells of a dataset as such.
func (s *teller) describe(name string, facets map[string]any, minute int) {
	document := encoded(map[string]any{"eventTime": s.at(minute), "dataset": datasetWith("warehouse", name, facets)})
	s.say(lineage.FormatOpenLineage, document, document)
}

// introduce makes all names known that are not hidden, before anything else.
func (s *teller) introduce() {
	for i := range 4 {
		s.describe(fmt.Sprint("t", i), nil, 0)
	}
	fields := map[string]any{}
	for i := range 4 {
		fields[fmt.Sprint("c", i)] = map[string]any{"inputFields": []any{map[string]any{"namespace": "warehouse", "name": "t0", "field": fmt.Sprint("c", i)}}}
	}
	for i := range 4 {
		event := map[string]any{
			"eventTime": s.at(-9000), "job": map[string]any{"namespace": "scheduler", "name": "load"},
			"outputs": []any{datasetWith("warehouse", fmt.Sprint("t", i), map[string]any{"columnLineage": map[string]any{"fields": fields}})},
		}
		s.tell("load", event, event)
	}
	for _, job := range []string{"clean", "sum"} {
		event := map[string]any{"eventTime": s.at(-9000), "job": map[string]any{"namespace": "scheduler", "name": job}}
		s.tell(job, event, event)
	}
	for _, name := range []string{"l0", "l1"} {
		document := encoded(map[string]any{"eventTime": s.at(-9000), "dataset": datasetWith("lake", name, nil)})
		s.say(lineage.FormatOpenLineage, document, document)
	}
}

// hear folds a story, and gives the header of a reader from whom things are hidden.
func (b *bundle) hear(t *testing.T, story []tale) context.Context {
	t.Helper()
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	var log []lineage.Entry
	for i, told := range story {
		content, err := lineage.ContentHash(told.payload)
		require.NoError(t, err)
		log = append(log, lineage.Entry{
			Epoch: 1, Offset: lineage.Offset(i + 1), ReceivedAt: minutes(60), Producer: "test", EventID: told.id,
			Format: told.format, Content: content, Payload: told.payload,
		})
	}
	for batch := range slices.Chunk(log, 7) {
		require.NoError(t, b.projections.Apply(t.Context(), active.ID, batch))
	}
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}})
	require.NoError(t, err)
	return withToken(t, "Bearer "+token.Reveal())
}

// question is one call, with what it is about.
type question struct {
	about string
	ask   func(context.Context, *bundle) (proto.Message, error)
}

func asking[Req, Res proto.Message](request Req, call func(*bundle) func(context.Context, Req) (Res, error)) question {
	return question{fmt.Sprintf("%T %v", request, request), func(ctx context.Context, b *bundle) (proto.Message, error) {
		return call(b)(ctx, request)
	}}
}

// questions are all that a reader may ask about a story.
func questions(runs []string) []question {
	var asked []question
	add := func(q question) { asked = append(asked, q) }
	getNode := func(b *bundle) func(context.Context, *headwaterv1.GetNodeRequest) (*headwaterv1.GetNodeResponse, error) {
		return b.lineage().GetNode
	}
	traverse := func(b *bundle) func(context.Context, *headwaterv1.TraverseRequest) (*headwaterv1.TraverseResponse, error) {
		return b.lineage().Traverse
	}
	compare := func(b *bundle) func(context.Context, *headwaterv1.CompareDeclaredRequest) (*headwaterv1.CompareDeclaredResponse, error) {
		return b.lineage().CompareDeclared
	}
	aliases := func(b *bundle) func(context.Context, *headwaterv1.ListAliasesRequest) (*headwaterv1.ListAliasesResponse, error) {
		return b.lineage().ListAliases
	}
	listRuns := func(b *bundle) func(context.Context, *headwaterv1.ListRunsRequest) (*headwaterv1.ListRunsResponse, error) {
		return b.runs().ListRuns
	}
	getRun := func(b *bundle) func(context.Context, *headwaterv1.GetRunRequest) (*headwaterv1.GetRunResponse, error) {
		return b.runs().GetRun
	}
	datasets := []*headwaterv1.Dataset{{Namespace: "lake", Name: "l0"}, {Namespace: "lake", Name: "l1"}, {Namespace: "vault", Name: "gold"}}
	for i := range 4 {
		datasets = append(datasets, &headwaterv1.Dataset{Namespace: "warehouse", Name: fmt.Sprint("t", i)})
	}
	jobs := []*headwaterv1.Job{}
	for _, name := range []string{"load", "clean", "sum", "secret one"} {
		jobs = append(jobs, &headwaterv1.Job{Namespace: "scheduler", Name: name})
	}
	for minute := 3; minute < 40; minute += 12 {
		at := timestamppb.New(minutes(minute))
		walk := func(start *headwaterv1.NodeReference) {
			for _, direction := range []headwaterv1.Direction{headwaterv1.Direction_DIRECTION_UPSTREAM, headwaterv1.Direction_DIRECTION_DOWNSTREAM} {
				add(asking(&headwaterv1.TraverseRequest{
					Start: start, Direction: direction, ValidAt: at, Lookback: durationpb.New(10 * time.Minute), Collapse: direction == 1,
				}, traverse))
			}
		}
		for _, dataset := range datasets {
			add(asking(&headwaterv1.GetNodeRequest{Node: &headwaterv1.GetNodeRequest_Dataset{Dataset: dataset}, ValidAt: at}, getNode))
			add(asking(&headwaterv1.ListAliasesRequest{Dataset: dataset, ValidAt: at}, aliases))
			walk(&headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{Dataset: dataset}})
			for column := range 4 {
				walk(&headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Field{Field: &headwaterv1.Field{
					Namespace: dataset.GetNamespace(), Name: dataset.GetName(), Path: fmt.Sprint("c", column),
				}}})
			}
		}
		for _, job := range jobs {
			add(asking(&headwaterv1.GetNodeRequest{Node: &headwaterv1.GetNodeRequest_Job{Job: job}}, getNode))
			walk(&headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Job{Job: job}})
		}
		add(asking(&headwaterv1.CompareDeclaredRequest{ValidAt: at}, compare))
		add(asking(&headwaterv1.ListAliasesRequest{ValidAt: at}, aliases))
	}
	for _, id := range runs {
		add(asking(&headwaterv1.GetRunRequest{RunId: id}, getRun))
		for _, job := range jobs {
			add(asking(&headwaterv1.GetRunRequest{RunId: id, Job: job}, getRun))
			add(asking(&headwaterv1.ListRunsRequest{Parent: &headwaterv1.RunReference{RunId: id, Job: job}}, listRuns))
		}
	}
	for size := range int32(5) {
		add(asking(&headwaterv1.ListRunsRequest{PageSize: proto.Int32(size + 1)}, listRuns))
		add(asking(&headwaterv1.ListRunsRequest{
			PageSize: proto.Int32(size + 1), Publications: []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_PUBLISHED},
		}, listRuns))
	}
	return asked
}

func TestNoAnswerTellsOfWhatIsHidden(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			s := &teller{Rand: rand.New(rand.NewPCG(seed, 8)), runs: map[string]bool{}}
			s.introduce()
			for i := range 50 {
				if s.IntN(5) == 0 {
					s.declare()
				} else {
					s.run(i)
				}
			}
			whole, open := setup(t, hiding(t, hiddenJobs+","+hiddenDatasets)), setup(t, hiding(t, hiddenJobs+","+hiddenDatasets))
			asker, other := whole.hear(t, s.told), open.hear(t, s.open)
			for _, q := range questions(slices.Sorted(maps.Keys(s.runs))) {
				got, gotErr := q.ask(asker, whole)
				want, wantErr := q.ask(other, open)
				require.Equal(t, plain(t, want, wantErr), plain(t, got, gotErr), q.about)
			}
		})
	}
}

// besides are members of answers that tell where the log stands, which is left out of the comparison.
var besides = []string{"projection", "offset", "basis", "nextPageToken"}

// plain is an answer as JSON without what stands beside it.
func plain(t *testing.T, answer proto.Message, err error) any {
	t.Helper()
	if err != nil {
		failed := new(connect.Error)
		require.True(t, errors.As(err, &failed), err)
		return failed.Code().String() + ": " + failed.Message()
	}
	text, err := protojson.Marshal(answer)
	require.NoError(t, err)
	var document any
	require.NoError(t, json.Unmarshal(text, &document))
	return without(document)
}

func without(document any) any {
	switch document := document.(type) {
	case map[string]any:
		for name, value := range document {
			if document[name] = without(value); slices.Contains(besides, name) {
				document[name] = "left out"
			}
		}
	case []any:
		document = slices.DeleteFunc(document, isLag)
		for i := range document {
			document[i] = without(document[i])
		}
		return document
	}
	return document
}

// isLag reports whether a gap tells how far decisions are behind, whoever's they are.
func isLag(gap any) bool {
	of, ok := gap.(map[string]any)
	return ok && of["kind"] == "GAP_KIND_DECISIONS_PENDING"
}
