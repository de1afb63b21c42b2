package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leaves are the commands that do something, by their words, such as "run show".
func leaves(t *testing.T) map[string]*kong.Node {
	t.Helper()
	parser, err := kong.New(&cli{}, options(t.Context())...)
	require.NoError(t, err)
	found := map[string]*kong.Node{}
	for _, leaf := range parser.Model.Leaves(true) {
		found[strings.TrimPrefix(leaf.FullPath(), "headwater ")] = leaf
	}
	return found
}

func TestHelpOfEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	for words, leaf := range leaves(t) {
		assert.Contains(t, leaf.Detail, "headwater "+words, words)
		assert.True(t, strings.HasSuffix(leaf.Help, "."), words)
	}
}

func TestEveryAnswerIsAlsoGivenToPrograms(t *testing.T) {
	t.Parallel()
	answersNothing := map[string]string{
		"dev": "a server", "gateway": "a server", "worker": "a server",
		"migrate": "its exit status says all", "replay approve": "its exit status says all", "replay reject": "its exit status says all",
		"producer revoke": "its exit status says all", "user revoke": "its exit status says all",
		"producer add": "prints a token alone", "user add": "prints a token alone", "completion": "prints a script",
	}
	for words, leaf := range leaves(t) {
		hasJSON := false
		for _, flag := range leaf.Flags {
			hasJSON = hasJSON || flag.Name == "json"
		}
		_, exempt := answersNothing[words]
		assert.NotEqual(t, exempt, hasJSON, words)
	}
}
