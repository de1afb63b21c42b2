package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestFieldPathsHaveOneSyntax(t *testing.T) {
	for text, want := range map[string]lineage.FieldPath{
		"id":                   "id",
		"First Name":           "First Name",
		"a.b.c":                "a.b.c",
		"a.b[].c":              "a.b[].c",
		"a[0].b[*][17]":        "a[].b[][]",
		"a._element.b":         "a[].b",
		"_element":             "_element",
		"`a`.b":                "a.b",
		"`a.b`.c":              "a.b.c",
		`"Order Id"`:           "Order Id",
		`a."b.c"[0]`:           "a.b.c[]",
		`"a""b"`:               `a"b`,
		`"a`:                   "`\"a`",
		`a"b`:                  `a"b`,
		"`a``b`":               "`a``b`",
		"count(1)":             "`count(1)`",
		"sum(o.amount)":        "`sum(o.amount)`",
		"`sum(o.amount)`":      "`sum(o.amount)`",
		"a..b":                 "`a..b`",
		".a":                   "`.a`",
		"a.":                   "`a.`",
		"a[b]":                 "`a[b]`",
		"a[0":                  "`a[0`",
		"a]":                   "`a]`",
		"a`b":                  "`a``b`",
		"`a":                   "```a`",
		"``":                   "``````",
		`""`:                   "`\"\"`",
		"größe.Straße":         "größe.Straße",
		"s3://u:hunter2@host/": "s3://u@host/",
	} {
		require.Equal(t, want, lineage.NewFieldPath(text), text)
	}
}

func TestFieldPathsAreBuiltFromNames(t *testing.T) {
	require.Equal(t, lineage.FieldPath("a.`b(c)`[].d"), lineage.FieldPath("").Child("a").Child("b(c)").Elements().Child("d"))
	require.Equal(t, lineage.FieldPath("a.b.c[].d"), lineage.FieldPath("a").Child("b.c").Child("_element").Child("`d`"))
}

func TestPartsAreWithinTheirWholes(t *testing.T) {
	const part = lineage.FieldPath("a.`b.[c`[].d")
	require.Equal(t, []lineage.FieldPath{"a", "a.`b.[c`", "a.`b.[c`[]"}, part.Wholes())
	for _, whole := range append(part.Wholes(), part, "") {
		require.True(t, part.Within(whole), whole)
	}
	require.False(t, lineage.FieldPath("ab").Within("a"))
	require.False(t, lineage.FieldPath("a").Within("a.b"))
	require.Empty(t, lineage.FieldPath("`a.b(`").Wholes())
}

// FuzzNewFieldPath requires that a path is its own canonical form, and that its wholes are paths around it.
func FuzzNewFieldPath(f *testing.F) {
	for _, text := range []string{"a.b[].c", "`a.b`.c", "count(1)", "a[0][*]", "``", "`a``", "a`.`b", "[]", "x=`", `"a"."b""c"`, "`\"`a`\"`"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := lineage.NewFieldPath(text)
		require.Equal(t, text == "", path == "")
		require.Equal(t, path, lineage.NewFieldPath(string(path)))
		for _, whole := range path.Wholes() {
			require.Equal(t, whole, lineage.NewFieldPath(string(whole)))
			require.True(t, path.Within(whole))
			require.False(t, whole.Within(path))
		}
	})
}
