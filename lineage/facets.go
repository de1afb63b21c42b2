package lineage

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strings"
	"time"
)

// facetReader reads the facets that say something about the graph, and keeps a warning for each that it cannot read.
type facetReader struct {
	warnings
	// read are the facets that something was made of: see noteRead.
	read map[string]bool
}

// readFacet decodes the facet called name and reports whether there was one that could be read.
func readFacet[T any](r *facetReader, facets Facets, name, path string) (facet T, ok bool) {
	if !r.readFacetInto(&facet, facets, name, path) {
		var none T
		return none, false
	}
	return facet, true
}

// readFacetInto decodes the facet called name into what a pointer points to, of which nothing holds where it gives false.
func (r *facetReader) readFacetInto(facet any, facets Facets, name, path string) bool {
	value := facets[name]
	if value == nil {
		return false
	}
	r.noteRead(path, name)
	if err := json.Unmarshal(value, facet); err != nil {
		r.warn("malformed_facet", path+"."+name, "was left out: %s", unreadable(err))
		return false
	}
	return true
}

// unreadable says where a facet is not what it should be. Warnings are stored, so the words are ours: those of
// package json differ from process to process.
func unreadable(err error) string {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) && semantic.JSONKind != jsontext.KindInvalid {
		return fmt.Sprintf("%q is %s, which is not what the facet's schema says", excerpt(string(semantic.JSONPointer)), kindName(semantic.JSONKind))
	}
	return "it is not what the facet's schema says"
}

// maxVersionBytes bounds a job version, which is stored with each statement; a longer one is known by its hash.
const maxVersionBytes = 512

// jobVersion is the version that the producer states, else a hash of where the job's code is and what it says. The
// inputs of a run are no part of it.
// Source: SourceCodeLocationJobFacet, SourceCodeJobFacet, SQLJobFacet.
func (r *facetReader) jobVersion(event Event) string {
	type sourceCodeLocation struct {
		URL     string `json:"url"`
		Path    string `json:"path"`
		Version string `json:"version"`
	}
	type sourceCode struct {
		Code string `json:"sourceCode"`
	}
	type sql struct {
		Query string `json:"query"`
	}
	location, _ := readFacet[sourceCodeLocation](r, event.JobFacets, "sourceCodeLocation", "job.facets")
	source, _ := readFacet[sourceCode](r, event.JobFacets, "sourceCode", "job.facets")
	statement, _ := readFacet[sql](r, event.JobFacets, "sql", "job.facets")
	delete(r.read, "job.facets.sourceCode") // a hash of them is all that is told
	delete(r.read, "job.facets.sql")
	stated := event.JobVersion
	if stated == "" {
		stated = location.Version
	}
	switch {
	case len(stated) > maxVersionBytes:
		return HashOf(stated).Short()
	case stated != "":
		return RedactText(storable(stated))
	case location.URL+location.Path+source.Code+statement.Query == "":
		return ""
	default:
		return HashOf(location.URL, location.Path, source.Code, statement.Query).Short()
	}
}

// jobType gives the mode, empty where the event names none that is known, and whether what the event lists is the whole of
// its window, of some seconds or of the run.
// Source: JobTypeJobFacet.
func (r *facetReader) jobType(event Event) (mode ProcessingMode, whole bool, windowSeconds int64) {
	type jobType struct {
		ProcessingType  string         `json:"processingType"`
		EmissionPattern jsontext.Value `json:"emissionPattern"`
	}
	facet, _ := readFacet[jobType](r, event.JobFacets, "jobType", "job.facets")
	if known := ProcessingMode(strings.ToUpper(facet.ProcessingType)); known == Batch || known == Streaming || known == Service {
		mode = known
	}
	whole, windowSeconds = r.emissionPattern(facet.EmissionPattern)
	return mode, whole, windowSeconds
}

// emissionPattern reads a part of the jobType facet. One that cannot be read costs only itself: the mode decides whether a
// stream shows at all.
func (r *facetReader) emissionPattern(value jsontext.Value) (whole bool, windowSeconds int64) {
	type emissionPattern struct {
		EventContentMode string    `json:"eventContentMode"`
		WindowDuration   *quantity `json:"windowDuration"`
	}
	var pattern emissionPattern
	if len(value) == 0 {
		return false, 0
	}
	if err := json.Unmarshal(value, &pattern); err != nil {
		r.warn("malformed_facet", "job.facets.jobType.emissionPattern", "was left out: %s", unreadable(err))
		return false, 0
	}
	if !strings.EqualFold(pattern.EventContentMode, "COMPLETE_SNAPSHOT") {
		return false, 0
	}
	if pattern.WindowDuration != nil {
		windowSeconds = min(int64(*pattern.WindowDuration), maxWindowSeconds)
	}
	return true, windowSeconds
}

// maxWindowSeconds is a year: longer windows are one.
const maxWindowSeconds = 366 * 24 * 60 * 60

// parent gives the run above and the one at the top, each zero where the event names none. Clients before 1.0 of the
// specification call the facet parentRun; it counts where the other names no run.
// Source: ParentRunFacet.
func (r *facetReader) parent(event Event) (parent, root RunKey) {
	for _, name := range []string{"parent", "parentRun"} {
		named, top := r.parentIn(event, name)
		parent, root = cmp.Or(parent, named), cmp.Or(root, top)
		if parent != (RunKey{}) {
			break
		}
	}
	return parent, root
}

// parentIn is what the facet of that name names.
func (r *facetReader) parentIn(event Event, name string) (parent, root RunKey) {
	type runOfJob struct {
		Run struct {
			RunID string `json:"runId"`
		} `json:"run"`
		Job JobID `json:"job"`
	}
	type parentRun struct {
		runOfJob
		Root jsontext.Value `json:"root"`
	}
	facet, ok := readFacet[parentRun](r, event.RunFacets, name, "run.facets")
	if !ok {
		return RunKey{}, RunKey{}
	}
	key := func(named runOfJob, path string) RunKey {
		key := RunKey{Job: NewJobID(named.Job.Namespace, named.Job.Name), RunID: strings.ToLower(strings.TrimSpace(named.Run.RunID))}
		if !usableName(key.Job.Namespace, key.Job.Name) || !usable(key.RunID) {
			r.warn("malformed_facet", path, "was left out: it does not name a run and its job")
			return RunKey{}
		}
		return key
	}
	if len(facet.Root) > 0 && facet.Root.Kind() != jsontext.KindNull {
		var named runOfJob
		_ = json.Unmarshal(facet.Root, &named) // what cannot be read names no run
		root = key(named, "run.facets."+name+".root")
	}
	return key(facet.runOfJob, "run.facets."+name), root
}

// Engine is what executed a run.
type Engine struct {
	Name    string `json:"name,omitzero"`
	Version string `json:"version,omitzero"`
	// Adapter is the version of what reports its lineage.
	Adapter string `json:"adapter,omitzero"`
}

// engine is zero where the event names none.
// Source: ProcessingEngineRunFacet.
func (r *facetReader) engine(event Event) Engine {
	type processingEngine struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Adapter string `json:"openlineageAdapterVersion"`
	}
	facet, _ := readFacet[processingEngine](r, event.RunFacets, "processing_engine", "run.facets")
	word := func(text string) string { return RedactText(storable(cut(text, maxVersionBytes))) }
	return Engine{word(facet.Name), word(facet.Version), word(facet.Adapter)}
}

// NominalTime is the time that a run is for. End may be zero.
type NominalTime struct {
	Start time.Time `json:"start,omitzero"`
	End   time.Time `json:"end,omitzero"`
}

// nominalTime is zero where the event names none.
// Source: NominalTimeRunFacet.
func (r *facetReader) nominalTime(event Event) NominalTime {
	type nominalTime struct {
		Start string `json:"nominalStartTime"`
		End   string `json:"nominalEndTime"`
	}
	const path = "run.facets.nominalTime"
	facet, ok := readFacet[nominalTime](r, event.RunFacets, "nominalTime", "run.facets")
	if !ok {
		return NominalTime{}
	}
	var nominal NominalTime
	for _, written := range []struct {
		text string
		at   *time.Time
	}{{facet.Start, &nominal.Start}, {facet.End, &nominal.End}} {
		if written.text == "" {
			continue
		}
		at, _, err := ParseEventTime(written.text)
		if err != nil {
			r.warn("malformed_facet", path, "was left out: %v", err)
			return NominalTime{}
		}
		*written.at = at
	}
	return nominal
}

// maxErrorBytes bounds an error message, which is stored with the run; its beginning is kept.
const maxErrorBytes = 16 << 10

// errorMessage is empty where the event reports none.
// Source: ErrorMessageRunFacet.
func (r *facetReader) errorMessage(event Event) string {
	type errorMessage struct {
		Message string `json:"message"`
	}
	facet, _ := readFacet[errorMessage](r, event.RunFacets, "errorMessage", "run.facets")
	return RedactText(storable(cut(facet.Message, maxErrorBytes)))
}

// warnOfExtraction warns where the producer could not make out all that the run did: what it reports is not the whole. Its
// messages quote the code of the run and are left to the log.
// Source: ExtractionErrorRunFacet.
func (r *facetReader) warnOfExtraction(event Event) {
	type extractionError struct {
		Total  quantity `json:"totalTasks"`
		Failed quantity `json:"failedTasks"`
	}
	const name = "extractionError"
	facet, ok := readFacet[extractionError](r, event.RunFacets, name, "run.facets")
	if ok && facet.Failed > 0 {
		r.warn("extraction_error", "run.facets."+name,
			"the producer could not make out the lineage of %d of its %d tasks, such as statements: inputs and outputs may be missing", facet.Failed, facet.Total)
	}
}

// storable replaces U+0000, which PostgreSQL cannot keep in a text.
func storable(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

// maxFacetNameBytes bounds a name in a facet. Limits bounds the names outside of facets.
const maxFacetNameBytes = 8192

// usable reports whether a text can be part of a key: it is there, not too long, and PostgreSQL can keep it.
func usable(text string) bool {
	return text != "" && len(text) <= maxFacetNameBytes && !strings.ContainsRune(text, 0)
}

func usableName(namespace, name string) bool { return usable(namespace) && usable(name) }
