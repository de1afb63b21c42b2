package main

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// label is a dataset or a job as a picture shows it.
func label(named interface {
	GetNamespace() string
	GetName() string
},
) string {
	return quote(named.GetNamespace()) + " " + quote(named.GetName())
}

// longest is how many bytes of a name a picture shows.
const longest = 60

// quote shows a name so that every character of it counts: what a person could not tell from something else is escaped,
// and what is too long to read is cut and known by its hash.
func quote(text string) string {
	if len(text) > longest {
		hash := sha256.Sum256([]byte(text))
		return fmt.Sprintf("%s…(%d bytes, %x)", quote(text[:20]), len(text), hash[:4])
	}
	if plain := strconv.QuoteToASCII(text); plain != `"`+text+`"` || strings.Contains(text, " ") || text == "" {
		return plain
	}
	return text
}

// word is an enum of the contract in words: PUBLICATION_ROLLED_BACK is "rolled back".
func word(value protoreflect.Enum) string {
	descriptor := value.Descriptor()
	text := string(descriptor.Values().ByNumber(value.Number()).Name())
	prefix := strings.TrimSuffix(string(descriptor.Values().ByNumber(0).Name()), "UNSPECIFIED")
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(text, prefix), "_", " "))
}
