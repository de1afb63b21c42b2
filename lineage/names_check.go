package lineage

import (
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// compile checks a set and makes its rules ready.
func (r *NameRules) compile(set NameRuleSet) error {
	c := &nameRuleChecker{rules: r}
	setWhereEmpty(&set.Environment, DefaultEnvironment)
	c.word("/environment", set.Environment)
	r.set = NameRuleSet{Environment: set.Environment}
	for i, rule := range set.Namespaces {
		c.add(jsontext.Pointer("/namespaces/"+strconv.Itoa(i)), rule)
	}
	for i, rule := range r.set.Namespaces {
		c.addAlso(jsontext.Pointer("/namespaces/"+strconv.Itoa(i)+"/also"), rule)
	}
	return errors.Join(c.problems...)
}

// nameRuleChecker collects what is wrong with a set.
type nameRuleChecker struct {
	rules    *NameRules
	problems []error
}

func (c *nameRuleChecker) wrong(at jsontext.Pointer, format string, args ...any) {
	c.problems = append(c.problems, &NameRuleError{At: at, Reason: fmt.Sprintf(format, args...)})
}

// add checks one rule, fills in its preset and makes it ready.
func (c *nameRuleChecker) add(at jsontext.Pointer, written NamespaceRule) {
	rule, known := written.withPreset()
	if !known {
		c.wrong(at+"/preset", "there is no preset %q; there are %s", rule.Preset, strings.Join(NamespacePresets(), ", "))
		return
	}
	setWhereEmpty(&rule.Environment, c.rules.set.Environment)
	setWhereEmpty(&rule.Case, CasePreserve)
	setWhereEmpty(&rule.Shape, ShapeAny)
	c.rules.set.Namespaces = append(c.rules.set.Namespaces, rule)
	c.word(at+"/environment", rule.Environment)
	if rule.Platform != "" {
		c.word(at+"/platform", rule.Platform)
	}
	c.letters(at+"/case", rule.Case)
	if rule.Columns != "" {
		c.letters(at+"/columns", rule.Columns)
	}
	if !rule.Shape.valid() {
		c.wrong(at+"/shape", "%q is no shape; write any, path, key, topic, or parts with . or / between them, such as database.schema.table", rule.Shape)
		return
	}
	c.qualifier(at, rule)
	compiled := &compiledRule{NamespaceRule: rule, pattern: newNamePattern(rule.Namespace), fold: newNameFold(rule)}
	c.patterns(at, rule, compiled.fold)
	c.namespace(at, compiled)
}

func (c *nameRuleChecker) letters(at jsontext.Pointer, letters NameCase) {
	if letters != CasePreserve && letters != CaseLower && letters != CaseUpper {
		c.wrong(at, "%q is no case rule; write preserve, lower or upper", letters)
	}
}

func (c *nameRuleChecker) word(at jsontext.Pointer, word string) {
	if !environmentWord.MatchString(word) {
		c.wrong(at, "%q is no word for it; write a lower-case letter or digit and up to 62 letters, digits, dashes and underscores", word)
	}
}

// namespace checks what a rule is about, and keeps the rule.
func (c *nameRuleChecker) namespace(at jsontext.Pointer, rule *compiledRule) {
	at += "/namespace"
	switch spelling := spelled(rule.Namespace); {
	case rule.Namespace == "":
		c.wrong(at, "is missing; name the namespace, or a pattern with * such as s3://*")
	case !usable(rule.Namespace):
		c.wrong(at, "holds the character U+0000")
	case rule.pattern.exact() && spelling != rule.Namespace:
		c.wrong(at, "is spelled %s; write it so", spelling)
	case !rule.pattern.exact() && !spelledScheme(rule.Namespace):
		c.wrong(at, "matches nothing: the schemes that are known are written in lower case, and as in s3, gs, abfss, postgres, mssql, hive")
	case rule.pattern.exact() && c.rules.exact[rule.Namespace] != nil:
		c.wrong(at, "%s has a rule already; leave one of the two", rule.Namespace)
	case rule.pattern.exact():
		c.rules.exact[rule.Namespace] = rule
	default:
		c.rules.patterns = append(c.rules.patterns, rule)
	}
}

// spelledScheme reports whether a pattern has its scheme, if it is a known one, as it is written.
func spelledScheme(pattern string) bool {
	scheme, _, found := strings.Cut(pattern, ":")
	known, ok := namespaceSchemes[strings.ToLower(scheme)]
	return !found || !ok || known.name == scheme
}

// addAlso keeps the other names of a rule's namespace. All rules are known by then.
func (c *nameRuleChecker) addAlso(at jsontext.Pointer, rule NamespaceRule) {
	for i, other := range rule.Also {
		at := at + jsontext.Pointer("/"+strconv.Itoa(i))
		spelling := spelled(other)
		meant, taken := c.rules.also[spelling]
		switch {
		case c.rules.exact[rule.Namespace] == nil:
			c.wrong(at, "a pattern is no namespace that another one could mean; give %s a rule with an exact namespace", other)
		case !usable(other):
			c.wrong(at, "is empty or holds the character U+0000")
		case spelling == rule.Namespace:
			c.wrong(at, "%s means %s without being told; leave it out", other, rule.Namespace)
		case c.rules.exact[spelling] != nil:
			c.wrong(at, "%s has a rule of its own; leave one of the two", other)
		case taken && meant != rule.Namespace:
			c.wrong(at, "%s also means %s; leave one of the two", other, meant)
		default:
			c.rules.also[spelling] = rule.Namespace
		}
	}
}

func (c *nameRuleChecker) qualifier(at jsontext.Pointer, rule NamespaceRule) {
	if rule.Qualifier == "" {
		return
	}
	between := rule.Shape.between()
	parts, full := NameShape(strings.Repeat("p.", strings.Count(rule.Qualifier, ".")) + "p").split(rule.Qualifier)
	switch {
	case between == "" || strings.Trim(between, ".") != "":
		c.wrong(at+"/qualifier", "completes only names with dots between their parts, such as database.schema.table")
	case !full || len(parts) != len(between):
		c.wrong(at+"/qualifier", "must have the first %d parts of %s", len(between), rule.Shape)
	case !usable(rule.Qualifier):
		c.wrong(at+"/qualifier", "holds the character U+0000")
	}
}

// patterns checks the patterns of a rule, and that what they give is not folded again.
func (c *nameRuleChecker) patterns(at jsontext.Pointer, rule NamespaceRule, fold nameFold) {
	between := rule.Shape.between()
	if rule.Shape.isPath() {
		between = "/"
	}
	for _, list := range []struct {
		name     string
		patterns []string
	}{{"partitions", rule.Partitions}, {"staging", rule.Staging}, {"temporary", rule.Temporary}} {
		for _, text := range list.patterns {
			at := at + jsontext.Pointer("/"+list.name)
			pattern := newNamePattern(fold.letters.apply(text))
			owned := list.name != "temporary" && !rule.Shape.isPath()
			switch {
			case !usable(text) || !pattern.says():
				c.wrong(at, "%q matches everything or nothing; a pattern holds a character of its own", text)
			case strings.ContainsAny(text, between):
				c.wrong(at, "%q matches nothing: a pattern is held against one part of a name, in which there is no %q", text, between)
			case owned && !strings.Contains(text, "*"):
				c.wrong(at, "%q says not which dataset it belongs to; write * where that stands", text)
			case list.name == "temporary" && fold.refolds(pattern.text):
				c.wrong(at, "%q is itself folded by another pattern of the rule; leave one of the two", text)
			}
		}
	}
}

// refolds reports whether what a temporary name becomes would be folded again.
func (f nameFold) refolds(part string) bool {
	if f.shape.isPath() {
		return anyMatches(f.belongs, part) || f.steady(part) != part
	}
	return f.owner(part) != part || f.steady(part) != part
}
