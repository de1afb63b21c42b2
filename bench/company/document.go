package company

import (
	"encoding/json/v2"
	"fmt"
	"strings"
	"time"
)

// Producer and schema that every event names.
const (
	producerURL = "https://headwater-data.example/company"
	schemaURL   = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
	facetURL    = "https://headwater-data.example/PlanFacet.json"
)

type document struct {
	EventType EventType `json:"eventType"`
	EventTime string    `json:"eventTime"`
	Run       struct {
		RunID  string               `json:"runId"`
		Facets map[string]planFacet `json:"facets,omitempty"`
	} `json:"run"`
	Job       entity   `json:"job"`
	Inputs    []entity `json:"inputs"`
	Outputs   []entity `json:"outputs"`
	Producer  string   `json:"producer"`
	SchemaURL string   `json:"schemaURL"`
}

type entity struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// planFacet stands for what engines send along: plans, properties, schemas.
type planFacet struct {
	Producer  string `json:"_producer"`
	SchemaURL string `json:"_schemaURL"`
	Plan      string `json:"plan"`
}

// Document is the event as an OpenLineage RunEvent in JSON, padded to about size bytes by a facet that compresses like
// the plans that engines send. A size below that of the bare event adds nothing.
func (c *Company) Document(event Event, size int) []byte {
	d := document{
		EventType: event.Type, EventTime: event.At.Format(time.RFC3339Nano),
		Job:     entity{JobNamespace, c.JobName(event.Run.Job)},
		Inputs:  make([]entity, len(event.Run.Inputs)),
		Outputs: []entity{}, Producer: producerURL, SchemaURL: schemaURL,
	}
	d.Run.RunID = c.RunID(event.Run)
	for i, input := range event.Run.Inputs {
		d.Inputs[i] = entity{DatasetNamespace, c.Name(Node{Number: int32(input)})}
	}
	if output := c.Output(event.Run.Job); !output.Sink {
		d.Outputs = append(d.Outputs, entity{DatasetNamespace, c.Name(output)})
	}
	bare := encode(d)
	const facetBytes = 160
	if missing := size - len(bare) - facetBytes; missing > 0 {
		d.Run.Facets = map[string]planFacet{"plan": {producerURL, facetURL, c.plan(event, missing)}}
		return encode(d)
	}
	return bare
}

func encode(d document) []byte {
	encoded, err := json.Marshal(d)
	if err != nil {
		panic(err) // it holds nothing but strings
	}
	return encoded
}

var planWords = []string{
	"Project", "Filter", "HashAggregate", "SortMergeJoin", "Exchange hashpartitioning", "FileScan parquet", "isnotnull",
	"cast", "coalesce", "bigint", "string", "timestamp", "decimal(18,2)", "sum", "count", "partitioning",
}

// plan is a text of about that many bytes: operators over numbered columns, as in a query plan.
func (c *Company) plan(event Event, bytes int) string {
	var plan strings.Builder
	plan.Grow(bytes + 32)
	for line := 0; plan.Len() < bytes; line++ {
		h := c.hash(purposePadding, int(event.Run.Job), event.Run.Number, line)
		fmt.Fprintf(&plan, "%s(col_%d#%d) ", planWords[h%uint64(len(planWords))], h>>8%200, h>>20%100_000)
	}
	return plan.String()
}
