package lineage

import "strings"

// namePattern matches a whole text: * stands for any characters, also none, ? for one, and \ takes the next one as it is.
type namePattern struct {
	text string
	// runes are the pattern without escapes; wild tells which of them are wildcards.
	runes []rune
	wild  []bool
	// prefix is what stands before the first wildcard: most texts differ there, which is cheap to see.
	prefix string
}

func newNamePattern(text string) namePattern {
	p := namePattern{text: text}
	escaped := false
	for _, r := range text {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		p.runes = append(p.runes, r)
		p.wild = append(p.wild, !escaped && (r == '*' || r == '?'))
		escaped = false
	}
	for i := 0; i < len(p.runes) && !p.wild[i]; i++ {
		p.prefix += string(p.runes[i])
	}
	return p
}

// says reports whether the pattern holds any character of its own, without which it would match everything.
func (p namePattern) says() bool {
	for _, wild := range p.wild {
		if !wild {
			return true
		}
	}
	return false
}

// exact reports whether the pattern matches one text alone.
func (p namePattern) exact() bool { return !strings.ContainsAny(p.text, `*?\`) }

// star reports whether one of the runes stands for any characters.
func (p namePattern) star(at int) bool { return p.wild[at] && p.runes[at] == '*' }

func (p namePattern) matches(text string) bool {
	_, ok := p.match(text)
	return ok
}

// match gives what stands for the first *, as short as can be.
func (p namePattern) match(text string) (first string, ok bool) {
	if !strings.HasPrefix(text, p.prefix) {
		return "", false
	}
	runes := []rune(text)
	star := 0
	for star < len(p.runes) && !p.star(star) {
		star++
	}
	if star == len(p.runes) {
		return "", p.rest(0, runes)
	}
	if len(runes) < star || !(namePattern{runes: p.runes[:star], wild: p.wild[:star]}).rest(0, runes[:star]) {
		return "", false
	}
	for end := star; end <= len(runes); end++ {
		if p.rest(star+1, runes[end:]) {
			return string(runes[star:end]), true
		}
	}
	return "", false
}

// rest matches the pattern from one of its runes on, in time proportional to the product of both lengths.
func (p namePattern) rest(from int, text []rune) bool {
	at, i := from, 0
	star, resume := -1, 0 // the last * and where the text goes on if it takes one more
	for i < len(text) {
		switch {
		case at < len(p.runes) && p.star(at):
			star, resume = at, i
			at++
		case at < len(p.runes) && (p.wild[at] || p.runes[at] == text[i]):
			at++
			i++
		case star >= 0:
			resume++
			at, i = star+1, resume
		default:
			return false
		}
	}
	for at < len(p.runes) && p.star(at) {
		at++
	}
	return at == len(p.runes)
}
