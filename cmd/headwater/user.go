package main

import (
	"context"
	"errors"
	"strings"

	"github.com/headwater-data/headwater/policy"
)

// userCommand manages those who ask questions.
type userCommand struct {
	Add    userAddCommand    `cmd:"" help:"Register a user and print the token, once."`
	List   userListCommand   `cmd:"" help:"List the users."`
	Revoke userRevokeCommand `cmd:"" help:"End a user's token."`
}

type userAddCommand struct {
	database
	Name string   `arg:"" help:"Name of the user."`
	Role []string `required:"" placeholder:"ROLE" help:"Role as the policies know it; the default set knows reader, operator and admin. Repeatable."`
}

// Help is shown by --help.
func (*userAddCommand) Help() string {
	return `For example:

  headwater user add ann --role reader
  headwater user add ines --role operator > token`
}

// Validate refuses a name that nobody could tell apart in a log.
func (c *userAddCommand) Validate() error { return validName(c.Name) }

// Run prints the token to standard output and nothing else.
func (c *userAddCommand) Run(ctx context.Context) error {
	return c.addPrincipal(ctx, policy.Principal{Name: c.Name, Kind: policy.User, Roles: c.Role})
}

type userListCommand struct{ principalLists }

// Help is shown by --help.
func (*userListCommand) Help() string {
	return `Those that were revoked are listed too. For example:

  headwater user list
  headwater user list --json`
}

// Run prints the users by name.
func (c *userListCommand) Run(ctx context.Context) error {
	return c.list(ctx, policy.User, "ROLES", func(p policy.Principal) []string { return p.Roles })
}

type userRevokeCommand struct {
	database
	Name string `arg:"" help:"Name of the user."`
}

// Help is shown by --help.
func (*userRevokeCommand) Help() string {
	return `For example:

  headwater user revoke ann`
}

// Run ends the token.
func (c *userRevokeCommand) Run(ctx context.Context) error {
	return c.revokePrincipal(ctx, policy.User, c.Name)
}

// validName keeps names to what stands apart in a line of a log.
func validName(name string) error {
	if name == "" || len(name) > 256 || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return errors.New("a name has 1 to 256 bytes, without spaces and control characters")
	}
	return nil
}
