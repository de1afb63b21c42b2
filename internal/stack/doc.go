// Package stack runs the services that Headwater stands on as child processes of this one: PostgreSQL, an S3 server
// (versitygw) and the Temporal development server. `headwater dev` and the tests use it; in production each of them is
// an external service.
//
// Every child listens on loopback only, logs to a file in its own directory, ends when this process ends (on Linux
// even by kill -9), and finds its data again when it is started on the same directory.
package stack
