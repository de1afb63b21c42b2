package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/policy"
)

// What the commands for producers and for users have in common. They work on the database itself, so that the first
// principal needs no credentials but the operator's.

func (d database) addPrincipal(ctx context.Context, p policy.Principal) error {
	return d.withPrincipals(ctx, func(store *principal.Store) error {
		token, err := store.Add(ctx, p)
		if errors.Is(err, principal.ErrExists) {
			return fmt.Errorf("%w: revoke it first to give it a new token, or choose another name", err)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "This is the token of %s %q. It is shown only now:\n", p.Kind, p.Name)
		fmt.Println(token.Reveal())
		return nil
	})
}

func (d database) revokePrincipal(ctx context.Context, kind policy.PrincipalKind, name string) error {
	return d.withPrincipals(ctx, func(store *principal.Store) error {
		if err := store.Revoke(ctx, kind, name); err != nil {
			return err
		}
		fmt.Printf("revoked %s %q; gateways notice within %s\n", kind, name, principal.RevocationDelay)
		return nil
	})
}

// principalLists is embedded by the commands that list principals.
type principalLists struct {
	database
	JSON bool `help:"Print JSON."`
}

// listedPrincipal is a principal in JSON.
type listedPrincipal struct {
	Name       string    `json:"name"`
	Namespaces []string  `json:"namespaces,omitempty"`
	Roles      []string  `json:"roles,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	// RevokedAt is left out while the token is good.
	RevokedAt time.Time `json:"revokedAt,omitzero"`
}

// list prints one line each, with what distinguishes the kind under heading.
func (c principalLists) list(ctx context.Context, kind policy.PrincipalKind, heading string, distinct func(policy.Principal) []string) error {
	return c.withPrincipals(ctx, func(store *principal.Store) error {
		registrations, err := store.List(ctx, kind)
		if err != nil {
			return err
		}
		if c.JSON {
			listed := make([]listedPrincipal, len(registrations))
			for i, r := range registrations {
				listed[i] = listedPrincipal{r.Name, r.Namespaces, r.Roles, r.CreatedAt.UTC(), r.RevokedAt.UTC()}
			}
			return printJSON(listed)
		}
		lines := []string{"NAME\t" + heading + "\tSINCE\tREVOKED"}
		for _, r := range registrations {
			revoked := ""
			if !r.RevokedAt.IsZero() {
				revoked = r.RevokedAt.UTC().Format(time.RFC3339)
			}
			lines = append(lines, strings.Join([]string{
				r.Name, strings.Join(distinct(r.Principal), " "), r.CreatedAt.UTC().Format(time.RFC3339), revoked,
			}, "\t"))
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		if _, err := fmt.Fprintln(table, strings.Join(lines, "\n")); err != nil {
			return err
		}
		return table.Flush()
	})
}

func (d database) withPrincipals(ctx context.Context, use func(*principal.Store) error) error {
	pool, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer pool.Close()
	return use(principal.NewStore(pool))
}
