package load

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

const (
	jobs = 200
	// interleaved runs are under way at a time, as they are in a company.
	interleaved = 100
	namespace   = "bench"
)

// kinds are the events of each run.
var kinds = [...]lineage.EventType{lineage.Start, lineage.Running, lineage.Running, lineage.Complete}

// EventsOfARun is how many events each run has: it starts, goes on twice, completes.
const EventsOfARun = len(kinds)

// blockEvents are the events of the runs that are under way at a time.
const blockEvents = interleaved * EventsOfARun

// Corpus gives any number of different events. Event i is the same whenever it is asked for, so that what was sent
// need not be kept to be compared.
type Corpus struct {
	seed  uint64
	begun time.Time
	// rest is what every event of a job has in common, beginning behind its run.
	rest [jobs][]byte
}

// newCorpus makes events of about size bytes.
func newCorpus(seed uint64, size int) *Corpus {
	c := &Corpus{seed: seed, begun: time.Now().UTC().Truncate(time.Millisecond)}
	for job := range c.rest {
		c.rest[job] = restOf(rand.New(rand.NewPCG(seed, uint64(job))), job, size)
	}
	return c
}

// Event is one event as it is sent.
type Event struct {
	Run  int
	Kind lineage.EventType
	// Last tells the event that ends its run.
	Last     bool
	Document []byte
}

// Event is the i-th event: blocks of interleaved runs begin together, go on together and end together.
func (c *Corpus) Event(i int) Event {
	block, within := i/blockEvents, i%blockEvents
	e := Event{Run: block*interleaved + within%interleaved, Kind: kinds[within/interleaved]}
	e.Last = within/interleaved == EventsOfARun-1
	e.Document = c.document(e, i)
	return e
}

func (c *Corpus) document(e Event, serial int) []byte {
	rest := c.rest[e.Run%jobs]
	var b bytes.Buffer
	b.Grow(len(rest) + 256)
	fmt.Fprintf(&b, `{"eventType":%q,"eventTime":%q,"run":{"runId":%q,"facets":{"bench_progress":{"_producer":"https://headwater-data.example/bench","_schemaURL":"https://headwater-data.example/Progress.json","serial":%d}}}`,
		e.Kind, c.begun.Add(time.Duration(serial)*time.Microsecond).Format("2006-01-02T15:04:05.000000Z"), c.runID(e.Run), serial)
	b.Write(rest)
	return b.Bytes()
}

// RunKey names a run.
func (c *Corpus) RunKey(run int) lineage.RunKey {
	return lineage.RunKey{Job: c.jobOf(run), RunID: c.runID(run)}
}

func (c *Corpus) runID(run int) string {
	hash := lineage.HashOf("bench", strconv.FormatUint(c.seed, 10), strconv.Itoa(run), c.begun.Format(time.RFC3339Nano))
	text := hex.EncodeToString(hash[:])
	return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:]}, "-")
}

func (c *Corpus) jobOf(run int) lineage.JobID {
	return lineage.JobID{Namespace: namespace, Name: jobName(run % jobs)}
}

func jobName(job int) string { return fmt.Sprintf("warehouse.transform_%03d", job) }

// restOf writes what producers send of a job: its SQL, and datasets with schemas and column lineage. Two thirds of an
// event are small members, which cost decoding the most, and the rest is text.
func restOf(random *rand.Rand, job, size int) []byte {
	const inputs, frame = 6, 1200
	fields := max((size-frame)/3*2/(inputs*fieldBytes+lineageBytes+fieldBytes), 1)
	var b bytes.Buffer
	fmt.Fprintf(&b, `,"job":{"namespace":%q,"name":%q,"facets":{"sql":{"_producer":"https://headwater-data.example/bench","_schemaURL":"https://openlineage.io/spec/facets/1-0-1/SQLJobFacet.json","query":"%%s"}}},"inputs":[`, namespace, jobName(job))
	query := b.Len() - len(`%s"}}},"inputs":[`)
	for i := range inputs {
		fmt.Fprintf(&b, `{"namespace":%q,"name":"raw.table_%03d_%d","facets":{`, namespace, job, i)
		writeSchema(&b, random, fields)
		b.WriteString(`}},`)
	}
	b.Truncate(b.Len() - 1)
	fmt.Fprintf(&b, `],"outputs":[{"namespace":%q,"name":"mart.table_%03d","facets":{`, namespace, job)
	writeSchema(&b, random, fields)
	b.WriteString(`,"columnLineage":{"_producer":"https://headwater-data.example/bench","_schemaURL":"https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json","fields":{`)
	for i := range fields {
		fmt.Fprintf(&b, `"column_%d":{"inputFields":[{"namespace":%q,"name":"raw.table_%03d_%d","field":"column_%d"}]},`, i, namespace, job, i%inputs, random.IntN(fields))
	}
	b.Truncate(b.Len() - 1)
	b.WriteString(`}}}}],"producer":"https://headwater-data.example/bench","schemaURL":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}`)
	text := sqlText(random, size-b.Len()-300)
	return bytes.Replace(b.Bytes(), b.Bytes()[query:query+2], []byte(text), 1)
}

// About so many bytes has a field of a schema, and one of column lineage.
const fieldBytes, lineageBytes = 75, 100

var fieldTypes = []string{"bigint", "varchar", "timestamp", "decimal(18,2)", "boolean"}

func writeSchema(b *bytes.Buffer, random *rand.Rand, fields int) {
	b.WriteString(`"schema":{"_producer":"https://headwater-data.example/bench","_schemaURL":"https://openlineage.io/spec/facets/1-1-1/SchemaDatasetFacet.json","fields":[`)
	for i := range fields {
		fmt.Fprintf(b, `{"name":"column_%d","type":%q,"description":"%x"},`, i, fieldTypes[random.IntN(len(fieldTypes))], random.Uint64())
	}
	b.Truncate(b.Len() - 1)
	b.WriteString(`]}`)
}

var sqlWords = []string{"SELECT", "FROM", "LEFT JOIN", "WHERE", "coalesce", "sum", "GROUP BY", "AND", "order_id", "customer", "amount", "CASE WHEN"}

func sqlText(random *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%s t%d.c%d ", sqlWords[random.IntN(len(sqlWords))], random.IntN(20), random.IntN(1000))
	}
	return b.String()
}
