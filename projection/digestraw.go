package projection

import "slices"

// rawTables hold what was said as it was said: runs and declarations, what was withdrawn, and the sets of rules themselves.
var rawTables = []string{"run", "run_event", "declaration", "withdrawal", "name_rule_set"}

// Raw reports whether the table is the same under all name rules, so that two folds of one log must agree in it.
func (t TableDigest) Raw() bool { return slices.Contains(rawTables, t.Table) }
