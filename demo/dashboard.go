package demo

import "github.com/headwater-data/headwater/lineage"

// dashboard is the refresh of the dashboard, reported by a hook of its own.
func (n night) dashboard() []Event {
	job := lineage.JobID{Namespace: "looker-prod", Name: "refresh_sales_overview"}
	event := func(kind lineage.EventType, minutes int) Event {
		e := n.envelope(job, kind, n.before(minutes))
		e.JobVersion = new("42")
		e.Inputs = envelopeDatasets(dailyOrders, customerActivity)
		e.Outputs = envelopeDatasets(salesOverview)
		return Event{At: n.before(minutes), Envelope: e}
	}
	return []Event{event(lineage.Start, 6), event(lineage.Complete, 5)}
}
