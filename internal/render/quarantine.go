package render

import (
	"strconv"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Quarantine writes the events that were refused, a line each, and below it why.
func Quarantine(answer *headwaterv1.ListQuarantineResponse, style Style) string {
	p := page{style: style}
	for _, event := range answer.GetEvents() {
		p.refused(event)
	}
	if len(answer.GetEvents()) == 0 {
		p.printf("nothing was refused\n")
	}
	if token := answer.GetNextPageToken(); token != "" {
		p.printf("%s\n", style.faint("there are more: --page "+token))
	}
	return p.text.String()
}

// Quarantined writes one of them with its document.
func Quarantined(answer *headwaterv1.GetQuarantinedResponse, style Style) string {
	p := page{style: style}
	p.refused(answer.GetEvent())
	p.printf("  SHA-256 %s\n", answer.GetEvent().GetPayloadSha256())
	if answer.GetPayload() == "" {
		p.printf("\nthe document is no text, so that it is not shown; the archive has it\n")
		return p.text.String()
	}
	p.document(answer.GetPayload(), answer.GetRedacted())
	return p.text.String()
}

func (p *page) refused(event *headwaterv1.QuarantinedEvent) {
	p.printf("%s  %s  from %s, %s", p.style.strong(strconv.FormatInt(event.GetQuarantineId(), 10)), p.moment(event.GetReceivedAt(), "–"),
		printable(event.GetProducer()), count(int(event.GetPayloadBytes()), "byte"))
	if event.EventId != nil {
		p.printf(", id %s", printable(event.GetEventId()))
	}
	p.printf("\n  %s %s\n", p.style.warning(event.GetCode()+":"), printable(event.GetReason()))
	if event.ResubmittedOffset != nil {
		p.printf("  resubmitted, at offset %d\n", event.GetResubmittedOffset())
	}
}
