package activities_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// registerRules puts rules into the log, as the door for facts does.
func (b *bundle) registerRules(rules *lineage.NameRules) {
	b.t.Helper()
	payload, err := lineage.EncodeFact(lineage.NameRuleRegistration{Rules: rules.Set()}, lineage.Attribution{EventTime: morning, By: "ana"})
	require.NoError(b.t, err)
	content, err := lineage.ContentHash(payload)
	require.NoError(b.t, err)
	_, err = b.log.Append(b.t.Context(), eventlog.Record{
		Producer: "ana", EventID: lineage.DerivedEventID(content), Format: lineage.FormatPlatform, ContentHash: content, Payload: payload,
	})
	require.NoError(b.t, err)
	b.fold()
}

func TestShadowFoldsUnderTheRulesThatTheReplayNames(t *testing.T) {
	b, replays := replayable(t)
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Namespace: "*", Case: lineage.CaseUpper}}})
	require.NoError(t, err)
	b.registerRules(rules)
	shadow := contract.Shadow{Name: "renamed", NameRules: rules.Revision(), Slice: time.Minute}

	_, err = execute[struct{}](b, replays.CreateShadow, shadow)
	require.NoError(t, err)
	_, err = execute[contract.Folded](b, replays.FoldTail, shadow)
	require.NoError(t, err)
	comparison, err := execute[contract.Comparison](b, replays.Compare, shadow)
	require.NoError(t, err)
	require.False(t, comparison.Equal())
	require.True(t, comparison.Approvable(), "%+v", comparison)
	require.Equal(t, rules.Revision(), comparison.Shadow.NameRules)
	_, err = execute[contract.Switch](b, replays.SwitchReaders, shadow)
	require.NoError(t, err)

	step[struct{}](b, replays.CreateShadow)
	next, err := b.projections.Get(t.Context(), rebuilt.Name)
	require.NoError(t, err)
	require.Equal(t, rules.Revision(), next.NameRules, "a replay for another reason keeps the rules")
	_, err = execute[struct{}](b, replays.CreateShadow, contract.Shadow{Name: rebuilt.Name, NameRules: "other"})
	require.ErrorContains(t, err, "no name rules of revision other are registered")
}

func TestShadowIsNotTakenOverUnderOtherRules(t *testing.T) {
	b, replays := replayable(t)
	step[struct{}](b, replays.CreateShadow)
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{})
	require.NoError(t, err)
	b.registerRules(rules)
	_, err = execute[struct{}](b, replays.CreateShadow, contract.Shadow{Name: rebuilt.Name, NameRules: rules.Revision()})
	require.ErrorContains(t, err, "choose another name")
}
