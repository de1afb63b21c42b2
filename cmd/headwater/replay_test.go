package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/workflows/contract"
)

func TestReplayShowTellsWhyAShadowThatDiffersMayBeApproved(t *testing.T) {
	t.Parallel()
	of := func(resolver, nameRules, state string) contract.Digests {
		return contract.Digests{Resolver: resolver, NameRules: nameRules, State: state, Raw: "raw"}
	}
	live := of("2", "", "one")
	for want, shadow := range map[string]contract.Digests{
		"equal":                               live,
		"the resolvers, 2 live and 3 in the":  of("3", "", "other"),
		"as other name rules explain":         of("2", "rules", "other"),
		"different, so it cannot be approved": of("2", "", "other"),
	} {
		require.Contains(t, judgement(contract.Comparison{Live: live, Shadow: shadow}), want)
	}
}
