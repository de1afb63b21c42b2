package main

import (
	"fmt"

	"github.com/headwater-data/headwater/internal/buildinfo"
)

// versionCommand says which build this is.
type versionCommand struct {
	JSON bool `help:"Print JSON."`
}

// Help is shown by --help.
func (*versionCommand) Help() string {
	return `It tells the commit where the binary was built with it. For example:

  headwater version
  headwater version --json`
}

// Run prints one line, or JSON.
func (c *versionCommand) Run() error {
	if c.JSON {
		return printJSON(buildinfo.Read())
	}
	fmt.Println(buildinfo.Read())
	return nil
}
