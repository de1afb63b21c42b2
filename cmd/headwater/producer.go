package main

import (
	"context"
	"errors"

	"github.com/headwater-data/headwater/policy"
)

// producerCommand manages those who send events.
type producerCommand struct {
	Add    producerAddCommand    `cmd:"" help:"Register a producer and print its token, once."`
	List   producerListCommand   `cmd:"" help:"List the producers."`
	Revoke producerRevokeCommand `cmd:"" help:"End a producer's token."`
}

type producerAddCommand struct {
	database
	Name      string   `arg:"" help:"Name of the producer, such as spark-prod-eu."`
	Namespace []string `required:"" sep:"none" placeholder:"NAMESPACE" help:"Job namespace that it may write; one ending in * is a prefix. Repeatable."`
}

// Help is shown by --help.
func (*producerAddCommand) Help() string {
	return `For example:

  headwater producer add airflow-prod --namespace airflow-prod
  headwater producer add spark-prod-eu --namespace 'spark-*' --namespace dbt-prod > token`
}

// Validate refuses what no event could match.
func (c *producerAddCommand) Validate() error {
	for _, namespace := range c.Namespace {
		if namespace == "" {
			return errors.New("--namespace must not be empty; * stands for every namespace")
		}
	}
	return validName(c.Name)
}

// Run prints the token to standard output and nothing else.
func (c *producerAddCommand) Run(ctx context.Context) error {
	return c.addPrincipal(ctx, policy.Principal{Name: c.Name, Kind: policy.Producer, Namespaces: c.Namespace})
}

type producerListCommand struct{ principalLists }

// Help is shown by --help.
func (*producerListCommand) Help() string {
	return `Those that were revoked are listed too. For example:

  headwater producer list
  headwater producer list --json`
}

// Run prints the producers by name.
func (c *producerListCommand) Run(ctx context.Context) error {
	return c.list(ctx, policy.Producer, "NAMESPACES", func(p policy.Principal) []string { return p.Namespaces })
}

type producerRevokeCommand struct {
	database
	Name string `arg:"" help:"Name of the producer."`
}

// Help is shown by --help.
func (*producerRevokeCommand) Help() string {
	return `Its events stay. For example:

  headwater producer revoke spark-prod-eu`
}

// Run ends the token; the producer's events stay.
func (c *producerRevokeCommand) Run(ctx context.Context) error {
	return c.revokePrincipal(ctx, policy.Producer, c.Name)
}
