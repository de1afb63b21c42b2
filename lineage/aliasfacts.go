package lineage

import (
	"encoding/binary"
	"time"
)

// The facts with which people join and part names.
const (
	AliasRegistered PlatformType = "AliasRegistered"
	AliasEnded      PlatformType = "AliasEnded"
)

// AliasRegistration says that a name stands for a dataset that has a name of its own.
type AliasRegistration struct {
	Alias DatasetID `json:"alias"`
	Of    DatasetID `json:"of"`
	// ValidFrom is zero where it has always been so.
	ValidFrom time.Time `json:"validFrom,omitzero"`
	// ValidTo is zero where it is so for good.
	ValidTo time.Time `json:"validTo,omitzero"`
	// Canonical asks to show the dataset under Alias.
	Canonical bool `json:"canonical,omitzero"`
}

// PlatformType implements Fact.
func (AliasRegistration) PlatformType() PlatformType { return AliasRegistered }

func (a AliasRegistration) checked(limits Limits) (Fact, error) {
	var err error
	if a.Alias, a.Of, err = checkAlias(a.Alias, a.Of, limits); err != nil {
		return nil, err
	}
	a.ValidFrom, a.ValidTo = storedTime(a.ValidFrom), storedTime(a.ValidTo)
	if !a.ValidTo.IsZero() && !a.ValidTo.After(a.ValidFrom) {
		return nil, invalid("empty_validity", "fact.validTo", "must lie after validFrom; an alias that is wrong is ended")
	}
	return a, nil
}

// AliasEnd takes back what was registered of a name and a dataset until then.
type AliasEnd struct {
	Alias DatasetID `json:"alias"`
	Of    DatasetID `json:"of"`
	// ValidTo is from when on it is not so. Zero: it was never so.
	ValidTo time.Time `json:"validTo,omitzero"`
}

// PlatformType implements Fact.
func (AliasEnd) PlatformType() PlatformType { return AliasEnded }

func (a AliasEnd) checked(limits Limits) (Fact, error) {
	var err error
	if a.Alias, a.Of, err = checkAlias(a.Alias, a.Of, limits); err != nil {
		return nil, err
	}
	a.ValidTo = storedTime(a.ValidTo)
	return a, nil
}

func checkAlias(alias, of DatasetID, limits Limits) (checkedAlias, checkedOf DatasetID, err error) {
	alias, of = NewDatasetID(alias.Namespace, alias.Name), NewDatasetID(of.Namespace, of.Name)
	err = checkNames(limits, namedText{"fact.alias.namespace", alias.Namespace}, namedText{"fact.alias.name", alias.Name},
		namedText{"fact.of.namespace", of.Namespace}, namedText{"fact.of.name", of.Name})
	if err == nil && alias == of {
		err = invalid("alias_of_itself", "fact.of", "is the alias itself; name another dataset")
	}
	return alias, of, err
}

// storedTime is a time as PostgreSQL keeps it.
func storedTime(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// AliasKey is what registrations and their ends are about.
type AliasKey struct{ Alias, Of DatasetID }

// AliasKeyOf is the key of a fact, if it is about an alias.
func AliasKeyOf(fact Fact) (AliasKey, bool) {
	switch fact := fact.(type) {
	case AliasRegistration:
		return AliasKey{fact.Alias, fact.Of}, true
	case AliasEnd:
		return AliasKey{fact.Alias, fact.Of}, true
	default:
		return AliasKey{}, false
	}
}

// Hash is the key under which the stores keep it.
func (k AliasKey) Hash() Hash {
	return HashOf("alias", k.Alias.Namespace, k.Alias.Name, k.Of.Namespace, k.Of.Name)
}

// RegisteredAlias is all that people said of one name and dataset. It is a join of what each fact says.
type RegisteredAlias struct {
	Registered Latest[StatedAlias] `json:"registered,omitzero"`
	Ended      Latest[StatedAlias] `json:"ended,omitzero"`
}

// StatedAlias is a fact about an alias with who stated it. Canonical and ValidFrom belong to a registration.
type StatedAlias struct {
	AliasRegistration
	By      string `json:"by"`
	Reason  string `json:"reason,omitzero"`
	EventID string `json:"eventId"`
}

// Add takes in a fact, which AliasKeyOf knows.
func (r *RegisteredAlias) Add(event Event, arrival Arrival) {
	at := Moment{EffectiveAt(event.EventTime, arrival.ReceivedAt), arrival.Key()}
	stated := StatedAlias{By: event.Attribution.By, Reason: event.Attribution.Reason, EventID: arrival.EventID}
	switch fact := event.Fact.(type) {
	case AliasRegistration:
		stated.AliasRegistration = fact
		r.Registered.offer(at, stated)
	case AliasEnd:
		stated.AliasRegistration = AliasRegistration{Alias: fact.Alias, Of: fact.Of, ValidTo: fact.ValidTo}
		r.Ended.offer(at, stated)
	}
}

// Statements is what holds of it: the last registration, up to an end that was stated after it.
func (r *RegisteredAlias) Statements(names *NameRules) []Statement {
	if !r.Registered.said() {
		return nil
	}
	stated := r.Registered.Value
	until := Forever
	if !stated.ValidTo.IsZero() {
		until = stated.ValidTo
	}
	if end := r.Ended; end.said() && end.Compare(r.Registered.Moment) > 0 && end.Value.ValidTo.Before(until) {
		until = end.Value.ValidTo
	}
	if !until.After(stated.ValidFrom) {
		return nil
	}
	alias, of := names.Dataset(stated.Alias), names.Dataset(stated.Of)
	aliases := []Alias{{Name: alias, Of: of, Source: ByRegistration, Canonical: stated.Canonical, Reason: stated.Reason}}
	at := Moment{stated.ValidFrom, registrationKey(r.Registered.Moment)}
	key := AliasKey{stated.Alias, stated.Of}.Hash() // each pair is registered and ended by itself
	statement := namesStatement(of, aliases, at, Sender{stated.By, stated.EventID}, key.String())
	statement.Until, statement.Origin = until, Manual
	return []Statement{statement}
}

// registrationKey orders what holds from one time on, as most registrations do that have always held, by when it was stated.
func registrationKey(stated Moment) Hash {
	var key Hash
	binary.BigEndian.PutUint64(key[:8], uint64(stated.EffectiveAt.UnixMicro())^1<<63) // in the order of signed numbers
	copy(key[8:], stated.Key[:8])
	return key
}
