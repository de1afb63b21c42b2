package principal

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// tokenPrefix lets secret scanners recognise a token that leaked.
const tokenPrefix = "hw_"

// Token is a bearer token in clear. It is shown once, when it is made; only its digest is kept.
type Token string

// NewToken makes a token of 256 random bits.
func NewToken() Token {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: the runtime aborts without randomness
	return Token(tokenPrefix + base64.RawURLEncoding.EncodeToString(secret[:]))
}

// Digest is what tokens are stored and looked up by. A plain hash is enough against 256 random bits, and a lookup by
// it tells nothing by its timing, since nobody can steer the digest of a guess.
type Digest [sha256.Size]byte

// Digest hashes the token.
func (t Token) Digest() Digest { return sha256.Sum256([]byte(t)) }

// String hides the token from logs.
func (t Token) String() string { return "(token)" }

// Reveal is the token in clear, for the one person who is to have it.
func (t Token) Reveal() string { return string(t) }
