package render

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// table writes rows in columns.
func (p *page) table(rows [][]string) {
	table := tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', 0) // its errors are those of a strings.Builder, which has none
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	_ = table.Flush()
}
