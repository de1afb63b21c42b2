// Package testenv gives tests real services: a fresh PostgreSQL database, a bucket under object lock, a Temporal
// namespace. A test asks for what it needs and gets a piece of its own, so tests can run in parallel:
//
//	pool := testenv.Database(t)
//
// The servers behind the pieces are shared. `make test` starts them once for all packages and passes their addresses
// in the environment. A plain `go test ./eventlog/` finds no address and starts what it needs for its own process,
// once, at first use (a database server takes about a second); those servers end with the process. They keep their
// files under the temporary directory of the system, where the next such process removes what is left.
//
// The S3 server and Temporal are run from .bin, which `make tools` fills; PostgreSQL is the installed one.
package testenv
