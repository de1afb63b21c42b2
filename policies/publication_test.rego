package headwater.publication_test

import data.headwater.publication

# An output of a completed batch run, by namespace and name.
output_of(namespace, name) := {
	"run": {"id": "53ee3770-86fa-4cb9-8c31-a09072dd88f7", "state": "COMPLETED", "processingType": "BATCH"},
	"job": {"namespace": "spark-prod", "name": "daily_orders"},
	"output": {"namespace": namespace, "name": name},
	"markers": [],
	"quality": {},
}

streamed(question) := json.patch(question, [{"op": "replace", "path": "/run/processingType", "value": "STREAMING"}])

# The common shapes, as they would stand in data.json.
shapes := [
	{"namespace": "iceberg", "name": "audited.*", "gates": ["commit", "quality"], "wait": "2h", "at_timeout": "rejected"},
	{"namespace": "iceberg", "name": "*", "gates": ["commit"], "wait": "30m", "at_timeout": "suspect"},
	{"namespace": "warehouse", "name": "mart.*", "gates": ["quality"], "wait": "30m", "at_timeout": "suspect"},
	{"namespace": "warehouse", "name": "signed.*", "gates": ["validation"]},
	{"namespace": "kafka", "name": "payments", "gates": ["quality"], "continuous": true},
	{"namespace": "kafka", "name": "*", "gates": ["quality"]},
]

at_once := {"gates": [], "wait": "", "at_timeout": "suspect"}

test_a_completed_run_needs_no_gate if {
	requirement := publication.requirement with input as output_of("warehouse", "mart.daily_orders")
		with data.headwater.gates as []
	requirement == at_once
}

test_common_shapes[note] if {
	some note, case in {
		"publish on COMPLETE": {"input": output_of("warehouse", "raw.orders"), "want": at_once},
		"atomic commit": {
			"input": output_of("iceberg", "shop.orders"),
			"want": {"gates": ["commit"], "wait": "30m", "at_timeout": "suspect"},
		},
		"write, audit, publish": {
			"input": output_of("warehouse", "mart.daily_orders"),
			"want": {"gates": ["quality"], "wait": "30m", "at_timeout": "suspect"},
		},
		"commit and audit; the first rule counts": {
			"input": output_of("iceberg", "audited.ledger"),
			"want": {"gates": ["commit", "quality"], "wait": "2h", "at_timeout": "rejected"},
		},
		"a person's word, for ever": {
			"input": output_of("warehouse", "signed.report"),
			"want": {"gates": ["validation"], "wait": "", "at_timeout": "suspect"},
		},
		"a stream shows while it runs": {"input": streamed(output_of("kafka", "clicks")), "want": at_once},
		"a batch into the same place is held": {
			"input": output_of("kafka", "clicks"),
			"want": {"gates": ["quality"], "wait": "", "at_timeout": "suspect"},
		},
		"a stream that is held all the same": {
			"input": streamed(output_of("kafka", "payments")),
			"want": {"gates": ["quality"], "wait": "", "at_timeout": "suspect"},
		},
	}
	requirement := publication.requirement with input as case.input with data.headwater.gates as shapes
	requirement == case.want
}

test_a_rule_of_your_own_counts_before_data if {
	requirement := publication.requirement with input as output_of("iceberg", "audited.ledger")
		with data.headwater.gates as shapes
		with publication.own as {"gates": ["validation"]}
	requirement == {"gates": ["validation"], "wait": "", "at_timeout": "suspect"}
}

# Data without the list asks for no gate.
default rules_in_use := []

rules_in_use := data.headwater.gates

# This looks at the data that is in use, so that a misspelt rule stops the set instead of holding nothing.
test_gate_rules_are_well_formed if {
	every rule in rules_in_use {
		print("data.headwater.gates:", rule)
		object.keys(rule) - {"wait", "at_timeout", "continuous"} == {"namespace", "name", "gates"}
		is_string(rule.namespace)
		glob.match(rule.name, null, "any") in {true, false}
		every gate in rule.gates {
			is_string(gate)
		}
		time.parse_duration_ns(object.get(rule, "wait", "1h")) > 0
		object.get(rule, "at_timeout", "suspect") in {"published", "suspect", "diagnostic", "rejected"}
		is_boolean(object.get(rule, "continuous", false))
	}
}
