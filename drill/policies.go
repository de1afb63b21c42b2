package main

import (
	"os"
	"path/filepath"
)

// askForGates copies a policy set and has it ask for the gates of the drills' outputs.
func askForGates(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	var rules []any
	for _, d := range drills {
		for _, asked := range gateRules {
			rule := map[string]any{"namespace": namespaceOf(d), "name": asked.prefix + ".*", "gates": asked.gates}
			if asked.wait > 0 {
				rule["wait"], rule["at_timeout"] = asked.wait.String(), asked.atTimeout
			}
			rules = append(rules, rule)
		}
	}
	data := encode(map[string]any{"headwater": map[string]any{"gates": rules, "hidden": []any{}}})
	return os.WriteFile(filepath.Join(to, "data.json"), data, 0o644)
}

// namespaceOf is where the runs of a drill live.
func namespaceOf(d drill) string { return "drill-" + d.name }
