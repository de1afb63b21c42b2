package lineage

import (
	"bytes"
	"slices"
	"time"
)

// End is a terminal event.
type End struct {
	Type      EventType `json:"type"`
	EventTime time.Time `json:"eventTime"`
	Moment
	Sender Sender `json:"sender"`
}

// EndType is the kind of terminal event that holds, or empty.
func (r *Run) EndType() EventType {
	if r.End == nil {
		return ""
	}
	return r.End.Type
}

// Disputed reports whether terminal events of different kinds came.
func (r *Run) Disputed() bool { return len(r.EndTypes) > 1 }

func (r *Run) addEnd(end End) {
	if i, found := slices.BinarySearch(r.EndTypes, end.Type); !found {
		r.EndTypes = slices.Insert(r.EndTypes, i, end.Type)
	}
	if r.End == nil || r.End.compare(end) < 0 {
		r.End = &end
	}
}

// compare orders terminal events by which one holds: the latest; at equal times FAIL beats ABORT beats COMPLETE.
func (e End) compare(other End) int {
	if c := e.EffectiveAt.Compare(other.EffectiveAt); c != 0 {
		return c
	}
	if c := endRank(e.Type) - endRank(other.Type); c != 0 {
		return c
	}
	return bytes.Compare(e.Key[:], other.Key[:])
}

func endRank(t EventType) int { return slices.Index([]EventType{Complete, Abort, Fail}, t) }
