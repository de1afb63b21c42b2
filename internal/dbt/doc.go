// Package dbt turns what dbt leaves in its target folder, manifest.json and catalog.json, into one declared snapshot.
//
// It reads manifests from version 2 (dbt 0.20) to the present one, and of each only what says what is made of what.
package dbt
