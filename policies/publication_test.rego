package headwater.publication_test

import data.headwater.publication

test_a_completed_run_needs_no_gate if {
	gates := publication.gates with input as {
		"run": {"id": "53ee3770-86fa-4cb9-8c31-a09072dd88f7", "state": "COMPLETED", "processingType": "BATCH"},
		"job": {"namespace": "spark-prod", "name": "daily_orders"},
		"output": {"namespace": "warehouse", "name": "mart.daily_orders"},
	}
	gates == []
}
