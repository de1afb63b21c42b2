// Package e2e tests Headwater from outside: the built binary, on a PostgreSQL, an S3 server and a Temporal of its own,
// through the doors that producers, people and operators use. `make e2e` prepares what it needs: .bin/headwater,
// .bin/temporal, .bin/versitygw, and .venv with an unmodified OpenLineage client.
//
// All tests share one system, so each uses namespaces of its own. They run one after the other.
package e2e
