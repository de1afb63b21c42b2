package main

import (
	"encoding/json/v2"
	"strings"
	"time"

	"github.com/headwater-data/headwater/drill/oracle"
)

const producerURL = "https://github.com/headwater-data/headwater/tree/main/drill"

// mark is the facet of the run in which a document carries the id of its event.
const mark = "headwater_drill"

// isMarker tells what is said of an output beside the life of its run.
func isMarker(word oracle.Word) bool {
	switch word {
	case start, running, complete, fail, abort, other:
		return false
	default:
		return true
	}
}

// hasFacet tells the markers that an OpenLineage document can carry.
func hasFacet(word oracle.Word) bool { return word == committed || word == passed || word == failed }

// document is an event as OpenLineage has it. A marker is a facet of the output in an event that changes nothing else.
func (r *run) document(e event) []byte {
	mode, kind := "BATCH", e.word
	if r.streaming {
		mode = "STREAMING"
	}
	output := map[string]any{"namespace": r.namespace, "name": r.output}
	switch e.word {
	case committed:
		kind, output["outputFacets"] = other, map[string]any{"icebergCommitReport": facet(map[string]any{"snapshotId": 7})}
	case passed, failed:
		kind, output["facets"] = other, map[string]any{"dataQualityAssertions": facet(map[string]any{
			"assertions": []any{map[string]any{"assertion": "not_null", "success": e.word == passed}},
		})}
	default:
	}
	return encode(map[string]any{
		"eventType": kind,
		"eventTime": e.at.Format(time.RFC3339Nano),
		"run":       map[string]any{"runId": r.id, "facets": map[string]any{mark: facet(map[string]any{"event": e.id})}},
		"job": map[string]any{
			"namespace": r.namespace, "name": r.job,
			"facets": map[string]any{"jobType": facet(map[string]any{"processingType": mode, "integration": "SPARK"})},
		},
		"inputs":    []any{map[string]any{"namespace": r.namespace, "name": r.input}},
		"outputs":   []any{output},
		"producer":  producerURL,
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
	})
}

func facet(members map[string]any) map[string]any {
	members["_producer"], members["_schemaURL"] = producerURL, producerURL
	return members
}

// marker is the request by which a program says something of an output. The id stands in the reason too, which is kept.
func (r *run) marker(e event) []byte {
	return encode(map[string]any{"markers": []any{map[string]any{
		"eventId": e.id, "runId": r.id, "job": map[string]any{"namespace": r.namespace, "name": r.job},
		"output": map[string]any{"namespace": r.namespace, "name": r.output},
		"kind":   "MARKER_KIND_" + strings.ToUpper(string(e.word)), "gate": e.gate,
		"eventTime": e.at.Format(time.RFC3339Nano), "reason": e.id,
	}}})
}

func encode(value any) []byte {
	encoded, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic(err) // there is nothing in it that JSON cannot say
	}
	return encoded
}

// idOf reads the id that an event of a drill carries, as the log keeps it; empty for any other payload.
func idOf(payload []byte) string {
	var kept struct {
		Run struct {
			Facets struct {
				Mark struct {
					Event string `json:"event"`
				} `json:"headwater_drill"`
			} `json:"facets"`
		} `json:"run"`
		Marker struct {
			Reason string `json:"reason"`
		} `json:"marker"`
	}
	if json.Unmarshal(payload, &kept) != nil {
		return ""
	}
	return kept.Run.Facets.Mark.Event + kept.Marker.Reason
}
