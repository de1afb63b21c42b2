package headwater.authz_test

import data.headwater.authz

producer := {"name": "spark-prod-eu", "kind": "producer", "roles": [], "namespaces": ["spark-prod"]}

reader := {"name": "mara", "kind": "user", "roles": ["reader"], "namespaces": []}

admin := {"name": "olu", "kind": "user", "roles": ["admin"], "namespaces": []}

dev := {"name": "dev", "kind": "dev", "roles": [], "namespaces": []}

operator := {"name": "ines", "kind": "user", "roles": ["operator"], "namespaces": []}

mark := "/headwater.v1.IngestService/SubmitMarkers"

facts := "/headwater.v1.AdminService/SubmitFacts"

declare := "/headwater.v1.DeclarationService/DeclareSnapshot"

submit := "/headwater.v1.IngestService/SubmitEvents"

traverse := "/headwater.v1.LineageService/Traverse"

test_who_may_call_what[note] if {
	some note, case in {
		"a producer sends events": {"principal": producer, "procedure": submit, "allow": true},
		"a producer sends OpenLineage": {"principal": producer, "procedure": "POST /api/v1/lineage", "allow": true},
		"a producer sends a batch": {"principal": producer, "procedure": "POST /api/v1/lineage/batch", "allow": true},
		"a producer asks nothing": {"principal": producer, "procedure": traverse, "allow": false},
		"a producer with a user's role asks nothing": {
			"principal": object.union(producer, {"roles": ["reader", "admin"]}),
			"procedure": traverse,
			"allow": false,
		},
		"a reader traverses": {"principal": reader, "procedure": traverse, "allow": true},
		"a reader looks at a run": {"principal": reader, "procedure": "/headwater.v1.RunService/GetRun", "allow": true},
		"a reader sends nothing": {"principal": reader, "procedure": submit, "allow": false},
		"a reader administers nothing": {
			"principal": reader,
			"procedure": facts,
			"allow": false,
		},
		"a service is matched by its whole name": {
			"principal": reader,
			"procedure": "/headwater.v1.LineageServiceInternal/Traverse",
			"allow": false,
		},
		"a user without a role does nothing": {
			"principal": object.union(reader, {"roles": []}),
			"procedure": traverse,
			"allow": false,
		},
		"an operator marks outputs": {"principal": operator, "procedure": mark, "allow": true},
		"an operator looks at a run": {"principal": operator, "procedure": "/headwater.v1.RunService/GetRun", "allow": true},
		"a producer declares snapshots": {"principal": producer, "procedure": declare, "allow": true},
		"an operator declares snapshots": {"principal": operator, "procedure": declare, "allow": true},
		"a reader declares nothing": {"principal": reader, "procedure": declare, "allow": false},
		"an operator states facts": {"principal": operator, "procedure": facts, "allow": true},
		"a producer states no facts": {"principal": producer, "procedure": facts, "allow": false},
		"a producer reads what was refused of it": {
			"principal": producer,
			"procedure": "/headwater.v1.IngestService/GetQuarantined",
			"allow": true,
		},
		"a reader reads no refused event": {
			"principal": reader,
			"procedure": "/headwater.v1.IngestService/GetQuarantined",
			"allow": false,
		},
		"an operator sends refused events again": {
			"principal": operator,
			"procedure": "/headwater.v1.IngestService/ResubmitQuarantined",
			"allow": true,
		},
		"an operator reads a whole event": {
			"principal": operator,
			"procedure": "/headwater.v1.IngestService/GetEvent",
			"allow": true,
		},
		"a reader reads no whole event": {
			"principal": reader,
			"procedure": "/headwater.v1.IngestService/GetEvent",
			"allow": false,
		},
		"a producer reads no whole event": {
			"principal": producer,
			"procedure": "/headwater.v1.IngestService/GetEvent",
			"allow": false,
		},
		"a reader sees no refused events": {
			"principal": reader,
			"procedure": "/headwater.v1.IngestService/ListQuarantine",
			"allow": false,
		},
		"an operator compares projections": {
			"principal": operator,
			"procedure": "/headwater.v1.ProjectionService/GetDigest",
			"allow": true,
		},
		"an operator sends no events": {"principal": operator, "procedure": submit, "allow": false},
		"a producer marks outputs": {"principal": producer, "procedure": mark, "allow": true},
		"a reader marks nothing": {"principal": reader, "procedure": mark, "allow": false},
		"an admin does everything": {"principal": admin, "procedure": submit, "allow": true},
		"dev does everything": {"principal": dev, "procedure": submit, "allow": true},
		"a user who is named dev is not dev": {
			"principal": object.union(reader, {"name": "dev", "roles": []}),
			"procedure": submit,
			"allow": false,
		},
	}
	authz.allow == case.allow with input as {"principal": case.principal, "procedure": case.procedure}
}

test_refusal_names_principal_and_procedure if {
	reason := authz.reason with input as {"principal": reader, "procedure": submit}
	reason == `the user "mara" may not call /headwater.v1.IngestService/SubmitEvents`
}

test_grant_says_why if {
	reason := authz.reason with input as {"principal": reader, "procedure": traverse}
	reason == "readers may ask questions"
}
