package render

import (
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Comparison writes where what is declared and what runs did agree, an input a line.
func Comparison(answer *headwaterv1.CompareDeclaredResponse, style Style) string {
	p := page{style: style}
	for _, output := range answer.GetOutputs() {
		p.printf("%s: %s\n", style.strong(datasetName(output.GetOutput())), p.agreement(output.GetAgreement()))
		for _, input := range output.GetInputs() {
			p.comparedInput(input)
		}
	}
	if len(answer.GetOutputs()) == 0 {
		p.printf("nothing is declared or observed of such an output\n")
	}
	if token := answer.GetNextPageToken(); token != "" {
		p.printf("%s\n", style.faint("there are more: --page "+token))
	}
	p.text.WriteByte('\n')
	p.text.WriteString(position(answer.GetProjection(), style))
	return p.text.String()
}

func (p *page) agreement(agreement headwaterv1.Agreement) string {
	text := word(agreement, "AGREEMENT_")
	switch agreement {
	case headwaterv1.Agreement_AGREEMENT_AGREES:
		return p.style.good(text)
	case headwaterv1.Agreement_AGREEMENT_DIFFERS:
		return p.style.bad(text)
	default:
		return p.style.warning(text)
	}
}

// comparedInput marks an input that is both declared and observed with =, else with who alone says so.
func (p *page) comparedInput(input *headwaterv1.ComparedInput) {
	sign := p.style.warning("?")
	switch declared, observed := len(input.GetDeclared()) > 0, len(input.GetObserved()) > 0; {
	case declared && observed:
		sign = p.style.good("=")
	case observed:
		sign = p.style.bad("+")
	case declared:
		sign = p.style.bad("-")
	}
	var said []string
	for _, claims := range []struct {
		word string
		list []*headwaterv1.Claim
	}{{"declared", input.GetDeclared()}, {"observed", input.GetObserved()}, {"stated", input.GetManual()}} {
		for _, claim := range claims.list {
			by := printable(claim.GetProducer())
			if claim.GetJob() != nil {
				by = jobName(claim.GetJob())
			}
			said = append(said, claims.word+" by "+by+" "+p.style.ago(claim.GetLastAt().AsTime()))
		}
	}
	p.printf("  %s %s %s\n", sign, datasetName(input.GetInput()), p.style.faint(strings.Join(said, " · ")))
}
