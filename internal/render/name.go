package render

import (
	"strings"
	"unicode"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// name is how people refer to a node: its namespace and name, as the commands take them.
func name(node *headwaterv1.Node) string { return strings.Join(names(node), " ") }

// names are the parts of a node's name.
func names(node *headwaterv1.Node) []string {
	switch of := node.GetNode().(type) {
	case *headwaterv1.Node_Dataset:
		return []string{printable(of.Dataset.GetNamespace()), printable(of.Dataset.GetName())}
	case *headwaterv1.Node_Job:
		return []string{"job " + printable(of.Job.GetNamespace()), printable(of.Job.GetName())}
	case *headwaterv1.Node_Field:
		return []string{printable(of.Field.GetNamespace()), printable(of.Field.GetName()), printable(of.Field.GetPath())}
	default:
		return []string{node.GetId()}
	}
}

func datasetName(dataset *headwaterv1.Dataset) string {
	return printable(dataset.GetNamespace()) + " " + printable(dataset.GetName())
}

func jobName(job *headwaterv1.Job) string {
	return printable(job.GetNamespace()) + " " + printable(job.GetName())
}

// printable replaces what a terminal would obey instead of showing: names come from producers.
func printable(text string) string { return strings.Map(printableRune, text) }

func printableRune(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return unicode.ReplacementChar
}
