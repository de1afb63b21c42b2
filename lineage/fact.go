package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"time"
)

// Fact is what a person, or a tool that speaks for one, states about the graph itself. Each kind is a platform event.
type Fact interface {
	// PlatformType names the event that carries the fact.
	PlatformType() PlatformType
	// checked gives the fact with its names in the form in which the stores key them, or an *InvalidError for what says
	// nothing or breaks a limit.
	checked(limits Limits) (Fact, error)
}

// Attribution says when a fact was so, who states it and why.
type Attribution struct {
	// EventTime orders the facts about one thing. It is the clock of who states it.
	EventTime time.Time `json:"eventTime"`
	By        string    `json:"by,omitzero"`
	Reason    string    `json:"reason,omitzero"`
}

// factReaders reads the facts of each type.
var factReaders = map[PlatformType]func(jsontext.Value, Limits) (Fact, error){
	EvidenceWithdrawn: readFact[Withdrawal],
	AliasRegistered:   readFact[AliasRegistration],
	AliasEnded:        readFact[AliasEnd],
	DeclaredSnapshot:  readFact[Snapshot],
	OwnerRegistered:   readFact[Ownership],
	EdgeStated:        readFact[ManualEdge],

	NameRulesRegistered: readFact[NameRuleRegistration],
	NameDismissed:       readFact[NameDismissal],
}

func readFact[F Fact](value jsontext.Value, limits Limits) (Fact, error) {
	var fact F
	if err := json.Unmarshal(value, &fact); err != nil {
		return nil, invalid("bad_platform_event", "fact", "cannot be read: %v", err)
	}
	return fact.checked(limits)
}

// EncodeFact gives the payload under which a fact stands in the log.
func EncodeFact(fact Fact, attribution Attribution) ([]byte, error) {
	stated, err := json.Marshal(fact)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", fact.PlatformType(), err)
	}
	return encodePlatform(platformEvent{Type: fact.PlatformType(), Attribution: attribution, Fact: stated})
}

// factEvent reads the fact that a platform event carries.
func factEvent(event platformEvent, read func(jsontext.Value, Limits) (Fact, error), limits Limits) (Event, error) {
	switch {
	case event.Attribution.EventTime.IsZero():
		return Event{}, invalid("missing_event_time", "attribution.eventTime", "is missing; send when it was so")
	case !usableText(event.Attribution.By) || !usableText(event.Attribution.Reason):
		return Event{}, invalid("bad_text", "attribution", "by and reason hold at most %d bytes and no U+0000", maxErrorBytes)
	}
	fact, err := read(event.Fact, limits)
	if err != nil {
		return Event{}, err
	}
	attribution := Attribution{
		EventTime: event.Attribution.EventTime.UTC().Truncate(time.Microsecond),
		By:        RedactText(event.Attribution.By),
		Reason:    RedactText(event.Attribution.Reason),
	}
	return Event{Kind: FactEvent, Type: EventType(event.Type), EventTime: attribution.EventTime, Attribution: attribution, Fact: fact}, nil
}
