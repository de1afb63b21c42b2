package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionScripts let a shell ask completeCommand for what may follow.
var completionScripts = map[string]string{
	"bash": `_headwater() {
  local IFS=$'\n'
  COMPREPLY=($("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _headwater headwater
`,
	"zsh": `#compdef headwater
_headwater() {
  local -a found
  found=(${(f)"$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _headwater headwater
`,
	"fish": `complete -c headwater -a '((commandline -opc)[1] complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

// completionCommand teaches a shell the commands and flags.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Which shell: ${enum}."`
}

// Help is shown by --help.
func (*completionCommand) Help() string {
	return `For this shell, or for each new one in its start file:

  source <(headwater completion bash)
  source <(headwater completion zsh)           # after compinit
  headwater completion fish | source`
}

// Run prints the script.
func (c *completionCommand) Run() error {
	fmt.Print(completionScripts[c.Shell])
	return nil
}

// completeCommand is what the scripts ask.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words after the command's name, the one under the cursor last."`
}

// Run prints what the last word may be, a line each; nothing where anything may follow.
func (c *completeCommand) Run(parsed *kong.Context) error {
	for _, candidate := range candidates(parsed.Model.Node, c.Words) {
		fmt.Println(candidate)
	}
	return nil
}

// candidates are the commands, flags or values that the last of the words may become.
func candidates(command *kong.Node, words []string) []string {
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	var valued *kong.Flag // the flag whose value comes next
	for _, word := range words[:len(words)-1] {
		switch {
		case valued != nil:
			valued = nil
		case strings.HasPrefix(word, "-"):
			valued = valuedFlag(command, word)
		default:
			if i := slices.IndexFunc(command.Children, func(child *kong.Node) bool { return child.Name == word }); i >= 0 {
				command = command.Children[i]
			}
		}
	}
	var all []string
	switch {
	case valued != nil:
		all = valued.EnumSlice()
	case strings.HasPrefix(last, "-"):
		for _, flags := range command.AllFlags(true) {
			for _, flag := range flags {
				all = append(all, "--"+flag.Name)
			}
		}
	default:
		for _, child := range command.Children {
			if !child.Hidden {
				all = append(all, child.Name)
			}
		}
		if len(command.Positional) > 0 {
			all = append(all, command.Positional[0].EnumSlice()...)
		}
	}
	return slices.DeleteFunc(all, func(candidate string) bool { return !strings.HasPrefix(candidate, last) })
}

// valuedFlag is the flag of a word such as --origin, whose value is the next word; nil where none is.
func valuedFlag(command *kong.Node, word string) *kong.Flag {
	for _, flags := range command.AllFlags(true) {
		for _, flag := range flags {
			if word == "--"+flag.Name && !flag.IsBool() {
				return flag
			}
		}
	}
	return nil
}
