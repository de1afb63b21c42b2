package main

import (
	"context"
	"log/slog"

	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

// policyFlags are embedded by every command that asks policies.
type policyFlags struct {
	Policies string `type:"existingdir" placeholder:"DIR" help:"Directory of the policy set, which is watched for changes. The default is the set within the binary."`
}

// load refuses a set that does not compile or fails its own tests.
func (f policyFlags) load(ctx context.Context, logger *slog.Logger) (*policy.Engine, error) {
	return policy.Load(ctx, policy.Config{Dir: f.Policies, Default: policies.Files, Log: logger})
}
