package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// pageTitle begins the page of scenarios.
const pageTitle = `# What the official consumer scenarios give

OpenLineage's compatibility tests send these documents to a consumer. Below is what each scenario gives here: the runs, then every
edge of the graph, in the notation of [conformance](conformance.md). The same came of its documents in order, in reverse and shuffled.
`

// describe writes what a scenario gives onto the page.
func describe(page *bytes.Buffer, folder string, documents int, given picture) {
	fmt.Fprintf(page, "\n## %s\n\n%d documents, %d runs, %d edges.\n\n```\n%s\n```\n",
		filepath.Base(folder), documents, len(given.runs), len(given.edges), strings.TrimSpace(given.String()))
}
