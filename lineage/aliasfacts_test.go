package lineage_test

import (
	"encoding/json/v2"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

var hiveOrders = lineage.DatasetID{Namespace: "hive://ms", Name: "db.orders"}

// registered is what holds after facts about hiveOrders, each stated a minute after the one before.
func registered(facts ...lineage.Fact) []string {
	var alias lineage.RegisteredAlias
	for i, fact := range facts {
		alias.Add(stated(fact, i))
	}
	return validities(alias)
}

func stated(fact lineage.Fact, minutes int) (lineage.Event, lineage.Arrival) {
	event := lineage.Event{
		Kind: lineage.FactEvent, EventTime: minute(minutes), Fact: fact,
		Attribution: lineage.Attribution{EventTime: minute(minutes), By: "ann", Reason: "looked it up"},
	}
	return event, lineage.Arrival{ReceivedAt: minute(100), EventID: fmt.Sprintf("%T at %d: %v", fact, minutes, fact)}
}

func validities(alias lineage.RegisteredAlias) []string {
	list := []string{}
	for _, statement := range alias.Statements(nil) {
		list = append(list, statement.EffectiveAt.Format("2006 15:04")+" to "+statement.Until.Format("2006 15:04"))
	}
	return list
}

func TestRegisteredAliasHoldsFromWhenItIsSaidToUntilItIsEnded(t *testing.T) {
	always := lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake}
	require.Equal(t, []string{"0001 00:00 to 9999 23:59"}, registered(always))
	dated := lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake, ValidFrom: minute(-60), ValidTo: minute(60)}
	require.Equal(t, []string{"2024 09:00 to 2024 11:00"}, registered(always, dated), "the last registration replaces the first")
	ended := lineage.AliasEnd{Alias: hiveOrders, Of: ordersLake, ValidTo: minute(30)}
	require.Equal(t, []string{"2024 09:00 to 2024 10:30"}, registered(dated, ended))
	require.Equal(t, []string{"2024 09:00 to 2024 11:00"}, registered(ended, dated), "a later registration begins anew")
	late := lineage.AliasEnd{Alias: hiveOrders, Of: ordersLake, ValidTo: minute(90)}
	require.Equal(t, []string{"2024 09:00 to 2024 11:00"}, registered(dated, late), "it had ended before")
	require.Equal(t, []string{"2024 09:00 to 2024 11:00"}, registered(dated, ended, late), "of two ends the last counts")
	require.Empty(t, registered(ended))
}

func TestAliasThatIsTakenBackWasNeverSo(t *testing.T) {
	require.Empty(t, registered(
		lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake, ValidFrom: minute(-60)},
		lineage.AliasEnd{Alias: hiveOrders, Of: ordersLake},
	))
}

func TestRegisteredAliasSaysWhoStatesItAndIsATimelineOfItsOwn(t *testing.T) {
	var alias lineage.RegisteredAlias
	alias.Add(stated(lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake, Canonical: true}, 0))
	statement := alias.Statements(nil)[0]
	require.Equal(t, lineage.Manual, statement.Origin)
	require.Equal(t, "ann", statement.Sender.Producer)
	require.Equal(t, ordersLake.Node(), statement.Output)
	require.Equal(t, []lineage.Alias{{Name: hiveOrders, Of: ordersLake, Source: lineage.ByRegistration, Canonical: true, Reason: "looked it up"}},
		statement.Content.(*lineage.Names).Aliases)

	var other lineage.RegisteredAlias
	other.Add(stated(lineage.AliasRegistration{Alias: orders, Of: ordersLake}, 0))
	require.NotEqual(t, statement.TimelineID(), other.Statements(nil)[0].TimelineID(), "one name does not replace the other")
}

func TestOfRegistrationsFromOneTimeOnTheOneStatedLastIsLast(t *testing.T) {
	at := func(minutes int, of lineage.DatasetID) lineage.Moment {
		var alias lineage.RegisteredAlias
		alias.Add(stated(lineage.AliasRegistration{Alias: hiveOrders, Of: of}, minutes))
		statement := alias.Statements(nil)[0]
		return lineage.Moment{EffectiveAt: statement.EffectiveAt, Key: statement.Key}
	}
	beforeEpoch := -60 * 24 * 365 * 100
	for _, of := range []lineage.DatasetID{orders, ordersLake} {
		for _, other := range []lineage.DatasetID{orders, ordersLake} {
			require.Negative(t, at(1, of).Compare(at(2, other)))
			require.Negative(t, at(beforeEpoch, of).Compare(at(2, other)))
		}
	}
}

func TestRegisteredAliasIsTheSameInAnyOrderAndWhereverItIsStored(t *testing.T) {
	drawnFacts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) lineage.Fact {
		at := func(label string) time.Time {
			return rapid.SampledFrom([]time.Time{{}, minute(1), minute(2), minute(3)}).Draw(t, label)
		}
		if rapid.Bool().Draw(t, "ends") {
			return lineage.AliasEnd{Alias: hiveOrders, Of: ordersLake, ValidTo: at("to")}
		}
		return lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake, ValidFrom: at("from")}
	}), 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		type said struct {
			fact lineage.Fact
			at   int
		}
		var facts []said
		for _, fact := range drawnFacts.Draw(t, "facts") {
			facts = append(facts, said{fact, rapid.IntRange(0, 3).Draw(t, "minute")})
		}
		var want, got lineage.RegisteredAlias
		for _, s := range facts {
			want.Add(stated(s.fact, s.at))
		}
		for _, s := range rapid.Permutation(facts).Draw(t, "order") {
			got.Add(stated(s.fact, s.at))
			body, err := json.Marshal(got)
			require.NoError(t, err)
			got = lineage.RegisteredAlias{}
			require.NoError(t, json.Unmarshal(body, &got))
		}
		require.Equal(t, want, got)
		require.Equal(t, validities(want), validities(got))
	})
}

func TestAliasFactSurvivesTheLog(t *testing.T) {
	for _, fact := range []lineage.Fact{
		lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake, ValidFrom: minute(1), ValidTo: minute(2), Canonical: true},
		lineage.AliasEnd{Alias: hiveOrders, Of: ordersLake, ValidTo: minute(1)},
	} {
		payload, err := lineage.EncodeFact(fact, lineage.Attribution{EventTime: minute(3), By: "ann"})
		require.NoError(t, err)
		event, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
		require.NoError(t, err)
		require.Equal(t, fact, event.Fact)
		key, about := lineage.AliasKeyOf(event.Fact)
		require.True(t, about)
		require.Equal(t, lineage.AliasKey{Alias: hiveOrders, Of: ordersLake}, key)
	}
}

func TestAliasThatSaysNothingIsRefused(t *testing.T) {
	for code, fact := range map[string]lineage.Fact{
		"alias_of_itself": lineage.AliasRegistration{Alias: ordersLake, Of: ordersLake},
		"missing_name":    lineage.AliasEnd{Alias: hiveOrders},
		"empty_validity":  lineage.AliasRegistration{Alias: hiveOrders, Of: ordersLake, ValidFrom: minute(1), ValidTo: minute(1)},
	} {
		payload, err := lineage.EncodeFact(fact, lineage.Attribution{EventTime: minute(3)})
		require.NoError(t, err)
		require.Equal(t, code, refusal(t, lineage.FormatPlatform, payload, lineage.DefaultLimits()).Code)
	}
}
