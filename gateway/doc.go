// Package gateway is the way in and the way out: it takes events at its doors and answers questions.
//
// An event enters through a door (openlineage.go, ingest.go), which makes a submission of it. The intake (intake.go)
// decodes it, appends it to the log and gives the verdict, or puts it into quarantine with the reason. A question goes
// through a service (lineage.go, run.go, projection.go) to the active projection. Both pass the guard (guard.go) first,
// which knows the caller, asks policy and bounds how much one caller may have under way.
package gateway
