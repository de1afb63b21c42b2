package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exampleCommand is a command in a line of an example: by itself, behind variables, or in a substitution.
var exampleCommand = regexp.MustCompile(`(?:^\s*|^\s*\w+=\S+ |<\()(?:\.bin/)?headwater( .*)`)

// shellBlock is a block of commands in a document.
var shellBlock = regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```")

// examples are the command lines in a text, without the name of the command, as words.
func examples(text string) [][]string {
	var found [][]string
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if command := exampleCommand.FindStringSubmatch(strings.TrimRight(line, "\n")); command != nil && !strings.Contains(line, "--help") {
			found = append(found, shellWords(command[1]))
		}
	}
	return found
}

// shellWords are the words up to the end of a command. A placeholder such as <run id> is one word.
func shellWords(line string) []string {
	var words []string
	word := regexp.MustCompile(`^ +("[^"]*"|'[^']*'|<[^>]*>|[^ '"|>#)]+)`)
	for {
		match := word.FindStringSubmatch(line)
		if match == nil {
			return words
		}
		line = line[len(match[0]):]
		words = append(words, strings.Trim(match[1], `"'`))
	}
}

// requireRead holds that a command line is one that this binary takes.
func requireRead(t *testing.T, words []string, where string) {
	t.Helper()
	parser, err := kong.New(&cli{}, append(options(t.Context()), kong.Exit(func(int) {}))...)
	require.NoError(t, err)
	_, err = parser.Parse(words)
	assert.NoError(t, err, "%s: headwater %s", where, strings.Join(words, " "))
}

// inProject goes where the files are that examples name.
func inProject(t *testing.T) {
	t.Helper()
	t.Setenv("HEADWATER_DATABASE_URL", "postgres://localhost/headwater")
	t.Setenv("HEADWATER_S3_ACCESS_KEY", "key")
	t.Setenv("HEADWATER_S3_SECRET_KEY", "secret")
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("target", 0o700))
	for _, name := range []string{"rules.yaml", "headwater.yaml", "target/manifest.json", "target/catalog.json"} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
}

func TestExamplesInHelpAreCommandLinesThatThisBinaryTakes(t *testing.T) {
	commands := leaves(t)
	inProject(t)
	for words, leaf := range commands {
		for _, example := range examples(leaf.Detail) {
			requireRead(t, example, "help of "+words)
		}
	}
}

func TestExamplesInDocumentsAreCommandLinesThatThisBinaryTakes(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	texts := map[string]string{}
	for _, path := range append(documents, "../../README.md") {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[filepath.Base(path)] = string(text)
	}
	inProject(t)
	count := 0
	for name, text := range texts {
		for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
			for _, example := range examples(block[1]) {
				requireRead(t, example, name)
				count++
			}
		}
	}
	require.Greater(t, count, 50)
}
