package archive

import "unicode/utf8"

// payload is a document byte for byte, readable by a person where it is text: two members of a line, one of which is
// there.
type payload struct {
	// Text is the document where it is UTF-8, else Base64 is.
	Text   *string `json:"payload,omitzero"`
	Base64 []byte  `json:"payloadBase64,omitzero"`
}

func payloadOf(document []byte) payload {
	if !utf8.Valid(document) {
		return payload{Base64: document}
	}
	text := string(document)
	return payload{Text: &text}
}

func (p payload) document() []byte {
	if p.Text != nil {
		return []byte(*p.Text)
	}
	return p.Base64
}
