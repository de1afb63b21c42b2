package contract

import (
	"unicode/utf8"

	"go.temporal.io/sdk/temporal"
)

// The search attributes of a run's workflow. Each is an index that outgrows its rows, so they are few.
var (
	JobAttribute       = temporal.NewSearchAttributeKeyKeyword("HeadwaterJob")
	NamespaceAttribute = temporal.NewSearchAttributeKeyKeyword("HeadwaterNamespace")
	// RunStateAttribute holds the name of a run's state, such as COMPLETED.
	RunStateAttribute = temporal.NewSearchAttributeKeyKeyword("HeadwaterRunState")
	// PublicationAttribute holds the publication that a run's outputs share, or MixedPublication.
	PublicationAttribute = temporal.NewSearchAttributeKeyKeyword("HeadwaterPublication")
	// GatesAttribute holds the names of the gates that a run waits for. It is absent while the run waits for none.
	GatesAttribute = temporal.NewSearchAttributeKeyKeywordList("HeadwaterGates")
)

// MixedPublication stands for outputs of one run that differ in their publication.
const MixedPublication = "mixed"

// SearchAttributes are all that must be registered with the Temporal namespace.
func SearchAttributes() []temporal.SearchAttributeKey {
	return []temporal.SearchAttributeKey{
		JobAttribute, NamespaceAttribute, RunStateAttribute, PublicationAttribute, GatesAttribute,
	}
}

// Temporal refuses longer texts: a keyword because of the visibility store in SQL, a summary by its own limit.
const (
	maxKeywordBytes = 255
	maxSummaryBytes = 400
)

// Keyword shortens a name to what a search attribute holds.
func Keyword(name string) string { return shorten(name, maxKeywordBytes) }

// Summary shortens a text to what the summary of a workflow or an activity holds.
func Summary(text string) string { return shorten(text, maxSummaryBytes) }

func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const ellipsis = "…"
	end := limit - len(ellipsis)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}
