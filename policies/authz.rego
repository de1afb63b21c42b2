# METADATA
# title: Who may call what
# description: |
#   Nothing is allowed until a rule grants it. To allow more, add a rule to `grants`, here or in a file of your
#   own with the same package; its text is the reason that the caller and the audit see.
# schemas:
#   - input: schema.authz
package headwater.authz

# METADATA
# description: Whether the principal may call the procedure, and the reason.
# entrypoint: true
decision := {"allow": allow, "reason": reason}

default allow := false

allow if count(grants) > 0

reason := concat("; ", grants) if {
	allow
} else := sprintf("the %s %q may not call %s", [input.principal.kind, input.principal.name, input.procedure])

# METADATA
# description: What producers do, by Connect procedure and by HTTP route.
ingestion := {
	"/headwater.v1.IngestService/SubmitEvents",
	"/headwater.v1.IngestService/SubmitMarkers",
	"/headwater.v1.IngestService/GetReceipt",
	"/headwater.v1.IngestService/ListQuarantine",
	"/headwater.v1.IngestService/GetQuarantined",
	"/headwater.v1.IngestService/ResubmitQuarantined",
	"/headwater.v1.DeclarationService/DeclareSnapshot",
	"/headwater.v1.DeclarationService/PreviewSnapshot",
	"POST /",
	"POST /api/v1/lineage",
	"POST /api/v1/lineage/batch",
}

# METADATA
# description: What those who operate Headwater do about events that came and were accepted or refused.
care := {
	"/headwater.v1.IngestService/GetReceipt",
	"/headwater.v1.IngestService/GetEvent",
	"/headwater.v1.IngestService/ListQuarantine",
	"/headwater.v1.IngestService/GetQuarantined",
	"/headwater.v1.IngestService/ResubmitQuarantined",
}

# METADATA
# description: The services whose procedures only answer questions.
queries := {
	"/headwater.v1.LineageService/",
	"/headwater.v1.RunService/",
}

# METADATA
# description: The reasons to allow the call; one is enough.
grants contains "producers may send events" if {
	input.principal.kind == "producer"
	input.procedure in ingestion
}

grants contains "readers may ask questions" if {
	input.principal.kind == "user"
	"reader" in input.principal.roles
	some service in queries
	startswith(input.procedure, service)
}

grants contains "operators may say what became of outputs" if {
	input.principal.kind == "user"
	"operator" in input.principal.roles
	input.procedure == "/headwater.v1.IngestService/SubmitMarkers"
}

grants contains "operators may state facts about the graph" if {
	input.principal.kind == "user"
	"operator" in input.principal.roles
	startswith(input.procedure, "/headwater.v1.AdminService/")
}

grants contains "operators may look after events" if {
	input.principal.kind == "user"
	"operator" in input.principal.roles
	input.procedure in care
}

grants contains "operators may compare projections" if {
	input.principal.kind == "user"
	"operator" in input.principal.roles
	startswith(input.procedure, "/headwater.v1.ProjectionService/")
}

grants contains "operators may declare lineage" if {
	input.principal.kind == "user"
	"operator" in input.principal.roles
	startswith(input.procedure, "/headwater.v1.DeclarationService/")
}

grants contains "operators may ask questions" if {
	input.principal.kind == "user"
	"operator" in input.principal.roles
	some service in queries
	startswith(input.procedure, service)
}

grants contains "admins may call everything" if {
	input.principal.kind == "user"
	"admin" in input.principal.roles
}

grants contains "the development principal may call everything" if input.principal.kind == "dev"
