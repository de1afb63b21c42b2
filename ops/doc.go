// Package ops holds what operators load into Prometheus and Grafana: alert rules with their tests, and a dashboard.
// docs/operations.md says what each alert means.
package ops
