package demo

import (
	"time"

	"github.com/headwater-data/headwater/lineage"
)

var finance = integration{
	name: "PYTHON", namespace: "finance-scripts",
	producer: "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/client/python",
	engine:   "python", version: "3.13.1",
}

var science = integration{
	name: "PYTHON", namespace: "data-science",
	producer: "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/client/python",
	engine:   "python", version: "3.13.1",
}

const exportLedger = "export_ledger"

// scripts are two Python scripts that fail: one after it has written a part of its output, one before.
func (n night) scripts() []Event {
	export := n.run(finance, exportLedger, "SCRIPT", "BATCH", "1")
	brokenExport := export.failing("ConnectionResetError after 1,200 of 4,913 rows", "python")

	training := n.run(science, "train_churn_model", "SCRIPT", "BATCH", "1")
	brokenTraining := training.failing("ValueError: column clicks holds NaN", "python")

	return []Event{
		export.event(n.before(12), lineage.Start, finance.datasets(dailyOrders), nil),
		brokenExport.event(n.before(10), lineage.Fail, finance.datasets(dailyOrders), finance.datasets(ledger)),
		training.event(n.before(9), lineage.Start, science.datasets(customerActivity), nil),
		brokenTraining.event(n.before(8), lineage.Fail, science.datasets(customerActivity), nil),
	}
}

// PartialWrite is the id of the run that failed half-way, in the night that ended at base.
func PartialWrite(base time.Time) string {
	n := newNight(base)
	return n.runID(lineage.JobID{Namespace: finance.namespace, Name: exportLedger}, "1")
}
