package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShellIsToldWhatMayFollow(t *testing.T) {
	for line, want := range map[string]string{
		"li":                              "lineage",
		"run ":                            "show list",
		"run show ":                       "",
		"lineage upstream ns name --with": "--without-dropped",
		"lineage upstream --origin ":      "declared observed manual",
		"lineage --server run upstream --origin d": "declared",
		"completion ": "bash zsh fish",
		"comp":        "completion",
		"lineage upstream ns name --depth 3 --json": "--json",
	} {
		stdout, _, err := printed(t, append([]string{"complete", "--"}, strings.Split(line, " ")...)...)
		require.NoError(t, err, line)
		require.Equal(t, want, strings.Join(strings.Fields(stdout), " "), line)
	}
}

func TestBashAsksTheCommandThatItCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	script, _, err := printed(t, "completion", "bash")
	require.NoError(t, err)
	asked := filepath.Join(t.TempDir(), "headwater")
	require.NoError(t, os.WriteFile(asked, []byte("#!/bin/sh\nfor word; do echo \"<$word>\"; done\n"), 0o700))
	told, err := exec.CommandContext(t.Context(), bash, "--norc", "-c", script+`
		COMP_WORDS=("$1" run "show " --js more); COMP_CWORD=3
		_headwater "$1"
		printf '%s\n' "${COMPREPLY[@]}"`, "bash", asked).Output()
	require.NoError(t, err)
	require.Equal(t, "<complete> <--> <run> <show > <--js>", strings.Join(strings.Split(strings.TrimSpace(string(told)), "\n"), " "))
}
