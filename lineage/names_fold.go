package lineage

import "strings"

// nameFold folds the names of one rule. Folding what is folded changes nothing.
type nameFold struct {
	letters   NameCase
	shape     NameShape
	qualifier []string
	// belongs match what belongs to a dataset without being one, and temporary what gets a new name each time.
	belongs   []namePattern
	temporary []namePattern
}

func newNameFold(rule NamespaceRule) nameFold {
	f := nameFold{letters: rule.Case, shape: rule.Shape}
	if rule.Qualifier != "" {
		f.qualifier = strings.Split(rule.Qualifier, ".")
	}
	for _, patterns := range [][]string{rule.Partitions, rule.Staging} {
		for _, text := range patterns {
			f.belongs = append(f.belongs, newNamePattern(f.letters.apply(text)))
		}
	}
	for _, text := range rule.Temporary {
		f.temporary = append(f.temporary, newNamePattern(f.letters.apply(text)))
	}
	return f
}

// fold gives the name of the dataset that a raw name means, or says why the name does not fit.
func (f nameFold) fold(raw string) (name, misfit string) {
	if f.shape.isPath() {
		if strings.Contains(raw, "://") {
			return raw, "has a namespace in it"
		}
		name = f.foldPath(f.letters.apply(raw))
	} else {
		name = f.foldLast(f.qualify(f.foldCase(raw)))
	}
	if misfit = f.shape.misfit(name); misfit != "" {
		return raw, misfit
	}
	return name, ""
}

// foldCase folds the case of each part of a name.
func (f nameFold) foldCase(name string) string {
	separators := f.shape.between()
	if separators == "" {
		return f.letters.apply(name)
	}
	var folded strings.Builder
	for i := 0; ; i++ {
		separator := separators[min(i, len(separators)-1)]
		part, rest, found := cutUnescaped(name, separator)
		folded.WriteString(f.foldPart(part))
		if !found {
			return folded.String()
		}
		folded.WriteByte(separator)
		name = rest
	}
}

// foldPart folds the case of one part. In quotes stands what the platform does not fold: they go where it means the same
// without them.
func (f nameFold) foldPart(part string) string {
	if !isQuoted(part) {
		return f.letters.apply(part)
	}
	bare := part[1 : len(part)-1]
	if bare == "" || strings.ContainsAny(bare, unquotable) || f.letters.apply(bare) != bare {
		return part
	}
	return bare
}

// unquotable are characters that a name has only in quotes.
const unquotable = " \t\n./\\\"'`[](){}:;,"

func isQuoted(part string) bool { return part != "" && quotedEnd(part) == len(part) }

// foldPath folds slashes, ends the path before what belongs to it, and writes temporary folders as their pattern. The
// first folder always stays: a path that ended before it would name all that the namespace has.
func (f nameFold) foldPath(path string) string {
	var folders []string
	for folder := range strings.SplitSeq(path, "/") {
		if folder == "" {
			continue
		}
		if len(folders) > 0 && anyMatches(f.belongs, folder) {
			break
		}
		folders = append(folders, f.steady(folder))
	}
	name := strings.Join(folders, "/")
	if name == "" || f.shape == ShapePath && strings.HasPrefix(path, "/") {
		return "/" + name
	}
	return name
}

// foldLast folds the last part of a name: first to the dataset that it belongs to, then to its pattern.
func (f nameFold) foldLast(name string) string {
	last := 0
	for _, separator := range []byte(f.shape.between()) {
		before, _, found := cutUnescaped(name[last:], separator)
		if !found {
			return name // it will not fit
		}
		last += len(before) + 1
	}
	if quotedEnd(name[last:]) > 0 {
		return name // what belongs to another table is not called so
	}
	return name[:last] + f.steady(f.owner(name[last:]))
}

// owner is the dataset to which a name belongs.
func (f nameFold) owner(name string) string {
	for i := 0; i < len(f.belongs); i++ {
		if first, ok := f.belongs[i].match(name); ok && first != "" {
			name, i = first, -1 // shorter than before, and other patterns may match it
		}
	}
	return name
}

// steady is the pattern of a temporary name.
func (f nameFold) steady(name string) string {
	for _, pattern := range f.temporary {
		if pattern.matches(name) {
			return pattern.text
		}
	}
	return name
}

// qualify completes a name that lacks its first parts.
func (f nameFold) qualify(name string) string {
	parts := 1
	for rest := name; ; parts++ {
		_, after, found := cutUnescaped(rest, '.')
		if !found {
			break
		}
		rest = after
	}
	if missing := len(f.qualifier) + 1 - parts; len(f.qualifier) > 0 && missing > 0 {
		return f.letters.apply(strings.Join(f.qualifier[:missing], ".")) + "." + name
	}
	return name
}

func anyMatches(patterns []namePattern, text string) bool {
	for _, pattern := range patterns {
		if pattern.matches(text) {
			return true
		}
	}
	return false
}
