package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/workflows/contract"
)

// renamed is a comparison of projections under different name rules.
func renamed(rawEqual bool) contract.Comparison {
	comparison := compared(false)
	comparison.Shadow.NameRules, comparison.Live.Raw, comparison.Shadow.Raw = "4e6f", "7a", "7a"
	if !rawEqual {
		comparison.Shadow.Raw = "00"
	}
	return comparison
}

func TestShadowUnderOtherNameRulesCanBeApprovedAlthoughItDiffers(t *testing.T) {
	b := setup(t)
	scriptReplay(b, renamed(true))
	b.after(time.Hour, func() {
		require.Contains(t, b.page(), "**The shadow folds under other name rules**")
		require.Contains(t, b.page(), "| raw digest | `7a` | `7a` | equal |")
		require.Contains(t, b.page(), "| name rules | `` | `4e6f` | **different** |")
		b.update(contract.ApproveUpdate, alice)
	})
	b.ExecuteWorkflow(contract.ReplayWorkflow, contract.Replay{Name: "fixed-mapping", NameRules: "4e6f"})
	require.Equal(t, contract.Switched, b.result().Outcome)
}

func TestShadowOfAnotherVersionOfTheCodeCanBeApprovedAlthoughItDiffers(t *testing.T) {
	b := setup(t)
	comparison := compared(false)
	comparison.Shadow.Resolver = comparison.Live.Resolver + " and more"
	scriptReplay(b, comparison)
	b.after(time.Hour, func() {
		require.Contains(t, b.page(), "**Another version of the code built the shadow**")
		b.update(contract.ApproveUpdate, alice)
	})
	b.ExecuteWorkflow(contract.ReplayWorkflow, contract.Replay{Name: "upgraded"})
	require.Equal(t, contract.Switched, b.result().Outcome)
}

func TestShadowThatDiffersInMoreThanNamesCannotBeApproved(t *testing.T) {
	b := setup(t)
	scriptReplay(b, renamed(false))
	var approval *answer
	b.after(time.Hour, func() { approval = b.update(contract.ApproveUpdate, alice) })
	b.after(2*time.Hour, func() {
		require.ErrorContains(t, approval.refusal, "in more than other name rules explain")
		b.update(contract.RejectUpdate, alice)
	})
	b.ExecuteWorkflow(contract.ReplayWorkflow, contract.Replay{Name: "fixed-mapping", NameRules: "4e6f"})
	require.Equal(t, contract.Rejected, b.result().Outcome)
}

func TestReplayTellsItsActivitiesWhichRulesToFoldUnder(t *testing.T) {
	b := setup(t)
	var told []string
	scriptReplay(b, compared(true))
	script(b, contract.CreateShadowActivity, func(shadow contract.Shadow) (struct{}, error) {
		told = append(told, shadow.NameRules)
		return struct{}{}, nil
	})
	b.after(time.Hour, func() { b.update(contract.ApproveUpdate, alice) })
	b.ExecuteWorkflow(contract.ReplayWorkflow, contract.Replay{Name: "fixed-mapping", NameRules: "4e6f"})
	b.result()
	require.Equal(t, []string{"4e6f"}, told)
}
