package policy

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strconv"

	"github.com/headwater-data/headwater/lineage"
)

// maxBatch is the most nodes that one evaluation is asked about: beyond it the cost of a node rises.
const maxBatch = 500

// View is what one caller sees under one revision, for as long as one query lasts. It is not safe for concurrent use.
type View struct {
	set    *set
	caller map[string]any
	// scope is caller as a key.
	scope      string
	restricted bool
	shown      map[lineage.Node]bool
}

// Visibility opens the caller's view under the revision in use.
func (e *Engine) Visibility(ctx context.Context, caller Principal) (*View, error) {
	view := &View{set: e.inUse.Load(), caller: caller.input(), shown: map[lineage.Node]bool{}}
	scope, err := json.Marshal(view.caller, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode the caller: %w", err)
	}
	view.scope = string(scope)
	answer, err := view.set.ask(ctx, visibilityRestricted, map[string]any{"caller": view.caller})
	if err != nil {
		return nil, err
	}
	restricted, ok := answer.(bool)
	if !ok {
		return nil, unusable(visibilityRestricted, answer, "a boolean")
	}
	view.restricted = restricted
	return view, nil
}

// Restricted reports whether anything could be hidden from the caller. It depends on who the caller is, never on
// whether something was in fact hidden.
func (v *View) Restricted() bool { return v.restricted }

// Revision names the policy set that the view answers from.
func (v *View) Revision() string { return v.set.revision }

// Show reports for each node whether the caller may see it. A node that the policy says nothing of is hidden. With an
// error nothing may be shown; one wraps ErrUndecided where the policy hides a node from a caller whom it calls
// unrestricted.
func (v *View) Show(ctx context.Context, nodes []lineage.Node) ([]bool, error) {
	unknown := v.set.memory.recall(v.scope, nodes, v.shown)
	for batch := range slices.Chunk(unknown, maxBatch) {
		if err := v.decide(ctx, batch); err != nil {
			return nil, err
		}
		v.set.memory.remember(v.scope, batch, v.shown)
	}
	shown := make([]bool, len(nodes))
	for i, node := range nodes {
		shown[i] = v.shown[node]
	}
	return shown, nil
}

// decide asks the policy about the nodes of one batch and remembers its answers.
func (v *View) decide(ctx context.Context, batch []lineage.Node) error {
	nodes := make(map[string]any, len(batch))
	for i, node := range batch {
		nodes[strconv.Itoa(i)] = map[string]any{
			"kind":      kindNames[node.Kind],
			"namespace": node.Namespace,
			"name":      node.Name,
		}
	}
	answer, err := v.set.ask(ctx, visibilityDecisions, map[string]any{"caller": v.caller, "nodes": nodes})
	if err != nil {
		return err
	}
	decisions, ok := answer.(map[string]any)
	if !ok {
		return unusable(visibilityDecisions, answer, "an object")
	}
	for i, node := range batch {
		show := decisions[strconv.Itoa(i)] == "show"
		if !show && !v.restricted {
			return fmt.Errorf("%s hides a node, but %s is false: add a rule to it for this caller: %w",
				visibilityDecisions, visibilityRestricted, ErrUndecided)
		}
		v.shown[node] = show
	}
	return nil
}

var kindNames = map[lineage.NodeKind]string{lineage.NodeDataset: "dataset", lineage.NodeJob: "job"}
