package main

import (
	"context"
	"fmt"

	"github.com/headwater-data/headwater/migrations"
)

type migrateCommand struct {
	database
}

// Help is shown by --help.
func (*migrateCommand) Help() string {
	return `Run it before gateways and workers of a new version start; a second run changes nothing. For example, with the database's
URL in the environment:

  export HEADWATER_DATABASE_URL=postgres://headwater:secret@db/headwater
  headwater migrate`
}

// Run applies what is pending and prints it. A second run changes nothing.
func (c *migrateCommand) Run(ctx context.Context) error {
	pool, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer pool.Close()
	applied, err := migrations.Up(ctx, pool)
	for _, file := range applied {
		fmt.Println("applied", file)
	}
	if err == nil && len(applied) == 0 {
		fmt.Println("nothing to apply")
	}
	return err
}
