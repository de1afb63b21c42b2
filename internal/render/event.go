package render

import (
	"encoding/json/jsontext"
	"fmt"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// shownPayloadBytes bounds how much of a document people are shown.
const shownPayloadBytes = 64 << 10

// Event writes what is known of an event, and its document.
func Event(answer *headwaterv1.GetEventResponse, style Style) string {
	event := answer.GetEvent()
	p := page{style: style}
	p.printf("%s %s\n", style.strong(fmt.Sprintf("event at offset %d", event.GetOffset())), eventKind(event))
	p.printf("  sent by   %s\n", printable(event.GetProducer()))
	p.printf("  event id  %s\n", printable(event.GetEventId()))
	p.printf("  received  %s\n", p.moment(event.GetReceivedAt(), "–"))
	p.printf("  tells of  %s\n", p.moment(event.GetEventTime(), "no time that is understood"))
	if run := event.GetRun(); run != nil {
		p.printf("  run       %s\n  job       %s\n", printable(run.GetRunId()), jobName(run.GetJob()))
	}
	if job := event.GetJob(); job != nil {
		p.printf("  job       %s\n", jobName(job))
	}
	if dataset := event.GetDataset(); dataset != nil {
		p.printf("  dataset   %s\n", datasetName(dataset))
	}
	if trace := event.GetTraceParent(); trace != "" {
		p.printf("  trace     %s\n", printable(trace))
	}
	p.printf("  size      %s of %s\n", count(int(event.GetPayloadBytes()), "byte"), payloadFormat(event.GetFormat()))
	p.printf("  SHA-256   %s\n", event.GetPayloadSha256())
	p.printf("  content   %s, as in every repeat\n", event.GetContentHash())
	if event.GetArchived() {
		p.printf("  read in   the archive, since the log does not hold it any more\n")
	}
	p.warnings(event.GetWarnings())
	p.document(event.GetPayload(), event.GetRedacted())
	return p.text.String()
}

// eventKind says what an event is in a word or two.
func eventKind(event *headwaterv1.LoggedEvent) string {
	if event.GetKind() == "" {
		return "not understood under the limits of now"
	}
	return strings.TrimSpace(printable(event.GetKind() + " " + event.GetEventType()))
}

func payloadFormat(format headwaterv1.EventFormat) string {
	switch format {
	case headwaterv1.EventFormat_EVENT_FORMAT_OPEN_LINEAGE:
		return "OpenLineage"
	case headwaterv1.EventFormat_EVENT_FORMAT_ENVELOPE:
		return "an envelope"
	case headwaterv1.EventFormat_EVENT_FORMAT_PLATFORM:
		return "Headwater's own"
	default:
		return "an unknown format"
	}
}

// document writes a payload, indented where it is JSON, up to shownPayloadBytes.
func (p *page) document(payload string, redacted bool) {
	title := "document"
	if redacted {
		title += ", with *** in place of credentials"
	}
	p.section(title)
	document := jsontext.Value(strings.TrimPrefix(payload, "\uFEFF"))
	if err := document.Indent(jsontext.WithIndent("  ")); err != nil {
		document = jsontext.Value(payload)
	}
	text, rest := string(document), 0
	if len(text) > shownPayloadBytes {
		cut := text[:shownPayloadBytes]
		cut = cut[:strings.LastIndexByte(cut, '\n')+1]
		if cut == "" { // one long line
			cut = strings.ToValidUTF8(text[:shownPayloadBytes], "")
		}
		text, rest = cut, len(text)-len(cut)
	}
	p.printf("%s\n", strings.TrimSuffix(printableLines(text), "\n"))
	if rest > 0 {
		p.printf("%s\n", p.style.faint("… and "+count(rest, "byte")+" more: --raw prints all"))
	}
}

// printableLines is printable for a text of several lines.
func printableLines(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printableRune(r)
	}, text)
}
