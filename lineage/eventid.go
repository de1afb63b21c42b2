package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"slices"
)

// ContentHash hashes a JSON document without regard to white space and the order of members. Numbers are compared
// as they are written, so that none loses digits. Members named in ignored are left out at the top level, and with
// them those that are null. An error is an *InvalidError.
func ContentHash(document []byte, ignored ...string) (Hash, error) {
	canonical := jsontext.Value(bytes.TrimPrefix(bytes.Clone(document), byteOrderMark))
	if len(ignored) > 0 {
		var err error
		if canonical, err = withoutMembers(canonical, ignored); err != nil {
			return Hash{}, err
		}
	}
	err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return Hash{}, SyntaxError(err)
	}
	return HashOf(canonical), nil
}

// DerivedEventID is the event id of an OpenLineage document that came without an idempotency key. The document
// names its run, type and event time, so a resend has the id of the first and a progress event has its own.
func DerivedEventID(content Hash) string { return "ol-" + content.String() }

func withoutMembers(document jsontext.Value, ignored []string) (jsontext.Value, error) {
	members, err := decodeObject(document)
	if err != nil {
		return nil, err
	}
	for name := range members {
		if slices.Contains(ignored, name) {
			delete(members, name)
		}
	}
	return encodeObject(members)
}
