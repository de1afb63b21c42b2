package render

import (
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Aliases writes which names stand for which datasets, a line each, with conflicts below.
func Aliases(answer *headwaterv1.ListAliasesResponse, style Style) string {
	p := page{style: style}
	for _, listed := range answer.GetAliases() {
		alias := listed.GetAlias()
		sign := style.good("=")
		if !listed.GetHolds() {
			sign = style.faint("≠")
		}
		p.printf("%s %s %s\n", style.strong(datasetName(alias.GetName())), sign, datasetName(alias.GetOf()))
		p.printf("  %s\n", aliasLine(alias, style))
		for _, conflict := range listed.GetConflicts() {
			p.printf("  %s\n", style.warning("! also said to stand for "+datasetName(conflict)+"; what was said last rules"))
		}
	}
	if len(answer.GetAliases()) == 0 {
		p.printf("no alias\n")
	}
	if token := answer.GetNextPageToken(); token != "" {
		p.printf("%s\n", style.faint("there are more: --page "+token))
	}
	p.text.WriteString("\n" + position(answer.GetProjection(), style))
	return p.text.String()
}

// otherNames writes each other name of a node with what joins it.
func otherNames(node *headwaterv1.Node, style Style) []string {
	var lines []string
	known := map[string]bool{name(node): true}
	for _, alias := range node.GetAliases() {
		for _, other := range []*headwaterv1.Dataset{alias.GetName(), alias.GetOf()} {
			if text := datasetName(other); !known[text] {
				known[text] = true
				lines = append(lines, style.good("=")+" "+text+style.faint(" · ")+aliasLine(alias, style))
			}
		}
	}
	return lines
}

// aliasLine says when an alias holds and who says so.
func aliasLine(alias *headwaterv1.Alias, style Style) string {
	parts := []string{span(alias.GetValidFrom(), alias.GetValidTo()), word(alias.GetSource(), "ALIAS_SOURCE_") + " by " + printable(alias.GetProducer())}
	if alias.GetCanonical() {
		parts = append(parts, "shown under this name")
	}
	if alias.GetReason() != "" {
		parts = append(parts, printable(alias.GetReason()))
	}
	return strings.Join(parts, style.faint(" · "))
}

// span is a stretch of valid time; nil is an open end.
func span(from, to *timestamppb.Timestamp) string {
	const form = "2006-01-02T15:04:05Z"
	text := "always"
	if from != nil {
		text = "from " + from.AsTime().Format(form)
	}
	if to != nil {
		text += " until " + to.AsTime().Format(form)
	}
	return text
}
