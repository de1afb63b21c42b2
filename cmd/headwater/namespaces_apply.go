package main

import (
	"context"
	"errors"
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/workflows/contract"
)

// namespacesApplyCommand puts rules into the log and starts the replay under which they will hold.
type namespacesApplyCommand struct {
	stating
	temporalFlags
	rulesFile
	Projection string `placeholder:"NAME" help:"Name of the projection that is built; one made of the revision unless set."`
}

// Help is shown by --help.
func (*namespacesApplyCommand) Help() string {
	return `The rules hold once the projection that is built under them has been approved. For example:

  headwater namespaces apply rules.yaml --reason "one name for each table"
  headwater replay approve names-4e6f12ab --reason "the plan is right"`
}

// Validate names all settings that are wrong.
func (c *namespacesApplyCommand) Validate() error {
	if c.Projection == "" {
		return c.temporalFlags.validate()
	}
	return errors.Join(contract.Replay{Name: c.Projection}.Validate(), c.temporalFlags.validate())
}

// Run registers the rules and does not wait for the projection. The rules hold once a person approves it.
func (c *namespacesApplyCommand) Run(ctx context.Context) error {
	rules, err := c.read()
	if err != nil {
		return err
	}
	message, err := nameRuleMessage(rules.Set())
	if err != nil {
		return err
	}
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_NameRulesRegistered{
		NameRulesRegistered: &headwaterv1.NameRulesRegistered{Rules: message},
	}})
	if err != nil {
		return err
	}
	replay := replayStartCommand{
		temporalFlags: c.temporalFlags, Name: c.Projection, Reason: string(c.Reason), NameRules: rules.Revision(),
	}
	if replay.Name == "" {
		replay.Name = "names-" + rules.Revision()[:8]
	}
	started, err := replay.start(ctx)
	if err != nil {
		return fmt.Errorf("the rules are registered as revision %s at offset %d, but: %w\nthen start the replay with: headwater replay start %s --name-rules %s",
			rules.Revision(), accepted.GetOffset(), err, replay.Name, rules.Revision())
	}
	if c.JSON {
		return printJSON(struct {
			startedReplay
			Revision string `json:"revision"`
			Offset   int64  `json:"offset"`
		}{started, rules.Revision(), accepted.GetOffset()})
	}
	fmt.Printf("registered as revision %s at offset %d\n", rules.Revision(), accepted.GetOffset())
	fmt.Println(started)
	fmt.Printf("once it awaits approval: headwater replay approve %s --reason \"the plan is right\"     # or: reject\n", replay.Name)
	return nil
}
