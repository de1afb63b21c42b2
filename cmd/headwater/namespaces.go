package main

import (
	"context"
	"fmt"
	"os"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
	"github.com/headwater-data/headwater/internal/rulesfile"
	"github.com/headwater-data/headwater/lineage"
)

// namespacesCommand gives raw names the names under which datasets are known.
type namespacesCommand struct {
	List  namespacesListCommand  `cmd:"" help:"List the namespaces of datasets, with what holds in each."`
	Show  namespacesShowCommand  `cmd:"" help:"Print the name rules that hold, as a file that can be edited."`
	Plan  namespacesPlanCommand  `cmd:"" help:"Show which datasets a file of name rules would merge, split and rename."`
	Apply namespacesApplyCommand `cmd:"" help:"Register a file of name rules, and build a projection under it."`
}

// Help is shown by --help.
func (*namespacesCommand) Help() string {
	return `Rules say for each namespace what its names look like, and what in them is noise. For example, rules.yaml:

  namespaces:
    - preset: s3
    - preset: postgres
      namespace: postgres://db-test:5432
      environment: test

docs/names.md explains all of it. Try and apply them:

  headwater namespaces plan rules.yaml
  headwater namespaces apply rules.yaml --reason "one name for each table"`
}

type namespacesListCommand struct {
	apiClient
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*namespacesListCommand) Help() string {
	return `For example:

  headwater namespaces list`
}

// Run prints one line for each namespace.
func (c *namespacesListCommand) Run(ctx context.Context) error {
	admin, err := c.admin()
	if err != nil {
		return err
	}
	answer, err := admin.ListNamespaces(ctx, &headwaterv1.ListNamespacesRequest{})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Namespaces)
}

type namespacesShowCommand struct {
	apiClient
	JSON bool `help:"Print the answer of the API, which also lists the sets that were registered."`
}

// Help is shown by --help.
func (*namespacesShowCommand) Help() string {
	return `For example, to edit them:

  headwater namespaces show > rules.yaml`
}

// Run prints the rules that hold, and to the standard error which those are.
func (c *namespacesShowCommand) Run(ctx context.Context) error {
	admin, err := c.admin()
	if err != nil {
		return err
	}
	answer, err := admin.GetNameRules(ctx, &headwaterv1.GetNameRulesRequest{})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, func(answer *headwaterv1.GetNameRulesResponse, _ render.Style) string {
		fmt.Fprint(os.Stderr, standing(answer))
		return nameRulesFile(answer.GetRules())
	})
}

// standing says which rules hold and which others were registered.
func standing(answer *headwaterv1.GetNameRulesResponse) string {
	text := "# no name rules hold: names are taken as they come\n"
	if answer.GetRevision() != "" {
		text = fmt.Sprintf("# revision %s holds in projection %s\n", answer.GetRevision(), answer.GetProjection().GetName())
	}
	for _, r := range answer.GetRegistered() {
		text += fmt.Sprintf("# revision %s was registered by %s, with %d rules: %s\n", r.GetRevision(), r.GetBy(), r.GetRules(), r.GetReason())
	}
	return text
}

type namespacesPlanCommand struct {
	apiClient
	rulesFile
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*namespacesPlanCommand) Help() string {
	return `Nothing changes by it. For example:

  headwater namespaces plan rules.yaml`
}

// Run prints what would change. Nothing does.
func (c *namespacesPlanCommand) Run(ctx context.Context) error {
	rules, err := c.read()
	if err != nil {
		return err
	}
	admin, err := c.admin()
	if err != nil {
		return err
	}
	message, err := nameRuleMessage(rules.Set())
	if err != nil {
		return err
	}
	answer, err := admin.PlanNameRules(ctx, &headwaterv1.PlanNameRulesRequest{Rules: message})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.NamePlan)
}

// rulesFile is embedded by commands that take name rules.
type rulesFile struct {
	File string `arg:"" type:"existingfile" placeholder:"rules.yaml" help:"File of name rules; docs/names.md explains it."`
}

// read checks the file. Errors say the line.
func (f rulesFile) read() (*lineage.NameRules, error) {
	text, err := os.ReadFile(f.File)
	if err != nil {
		return nil, err
	}
	rules, err := rulesfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.File, err)
	}
	return rules, nil
}

// admin prepares calls to the service of what people state.
func (c apiClient) admin() (headwaterv1connect.AdminServiceClient, error) {
	client, err := c.dial()
	if err != nil {
		return nil, err
	}
	return headwaterv1connect.NewAdminServiceClient(client), nil
}
