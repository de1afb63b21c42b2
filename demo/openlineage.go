package demo

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// facets are the facets of one entity by name.
type facets map[string]any

// integration is a tool that reports OpenLineage, and the namespace that its jobs have.
type integration struct {
	name      string // as in the jobType facet
	namespace string
	producer  string // URI of the code that writes the events
	engine    string
	version   string // of the engine
}

// run is one execution of a job.
type run struct {
	tool      integration
	id        string
	job       string
	jobFacets facets
	runFacets facets
}

// facet completes the content of a facet with what every facet has. The schema is its name and version in the
// specification, such as "1-0-1/SQLJobFacet".
func (t integration) facet(schema string, content facets) facets {
	facet := facets{
		"_producer":  t.producer,
		"_schemaURL": "https://openlineage.io/spec/facets/" + schema + ".json",
	}
	maps.Copy(facet, content)
	return facet
}

// run starts the description of one execution. The attempt tells executions of one night apart.
func (n night) run(tool integration, job, jobType, processing, attempt string) run {
	return run{
		tool: tool,
		id:   n.runID(lineage.JobID{Namespace: tool.namespace, Name: job}, attempt),
		job:  job,
		jobFacets: facets{"jobType": tool.facet("2-0-3/JobTypeJobFacet", facets{
			"integration": tool.name, "jobType": jobType, "processingType": processing,
		})},
		runFacets: facets{"processing_engine": tool.facet("1-1-1/ProcessingEngineRunFacet", facets{
			"name": tool.engine, "version": tool.version, "openlineageAdapterVersion": "1.54.0",
		})},
	}
}

// under makes the run a child of parent, in the tree that begins at root.
func (r run) under(parent, root run) run {
	reference := func(of run) facets {
		return facets{
			"run": facets{"runId": of.id},
			"job": facets{"namespace": of.tool.namespace, "name": of.job},
		}
	}
	facet := reference(parent)
	facet["root"] = reference(root)
	r.runFacets["parent"] = r.tool.facet("1-2-0/ParentRunFacet", facet)
	return r
}

// sql says what the job executes.
func (r run) sql(query string) run {
	r.jobFacets["sql"] = r.tool.facet("1-1-0/SQLJobFacet", facets{"query": query, "dialect": "bigquery"})
	return r
}

// failing adds why the run failed.
func (r run) failing(message, language string) run {
	r.runFacets = maps.Clone(r.runFacets)
	r.runFacets["errorMessage"] = r.tool.facet("1-0-1/ErrorMessageRunFacet", facets{
		"message": message, "programmingLanguage": language,
	})
	return r
}

// dataset is an input or output in a document.
type dataset struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Facets    facets `json:"facets"`
}

// dataset mentions a table with its schema.
func (t integration) dataset(of table) dataset {
	return dataset{of.Namespace, of.Name, facets{
		"dataSource": t.facet("1-0-1/DatasourceDatasetFacet", facets{"name": of.Namespace, "uri": of.Namespace}),
		"schema":     t.facet("1-2-0/SchemaDatasetFacet", facets{"fields": of.columns}),
	}}
}

// datasets mentions several tables.
func (t integration) datasets(tables ...table) []dataset {
	mentioned := make([]dataset, len(tables))
	for i, of := range tables {
		mentioned[i] = t.dataset(of)
	}
	return mentioned
}

// event writes a RunEvent.
func (r run) event(at time.Time, kind lineage.EventType, inputs, outputs []dataset) Event {
	document, err := json.Marshal(map[string]any{
		"eventType": kind,
		"eventTime": at.Format("2006-01-02T15:04:05.000Z"),
		"run":       facets{"runId": r.id, "facets": r.runFacets},
		"job":       facets{"namespace": r.tool.namespace, "name": r.job, "facets": r.jobFacets},
		"inputs":    inputs,
		"outputs":   outputs,
		"producer":  r.tool.producer,
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
	}, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("demo: %s: %v", r.job, err)) // there is nothing in it that JSON cannot say
	}
	return Event{At: at, OpenLineage: document}
}
