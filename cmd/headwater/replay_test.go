package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/workflows/contract"
)

func TestReplayShowGivesProgressToPrograms(t *testing.T) {
	stdout := redirected(t, &os.Stdout, func() {
		show := replayShowCommand{JSON: true}
		require.NoError(t, show.print(contract.ReplayProgress{Step: contract.AwaitingApproval, Tail: &contract.Folded{Cursor: 7, Goal: 9}}))
	})
	require.JSONEq(t, `{"step": "`+string(contract.AwaitingApproval)+`", "tail": {"cursor": 7, "goal": 9}}`, stdout)
}

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
