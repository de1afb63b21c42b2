package render

import (
	"fmt"
	"strings"
	"text/tabwriter"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Node writes the page of a dataset or a job: its life, its schema and versions, who writes it and who knows about it.
func Node(answer *headwaterv1.GetNodeResponse, style Style) string {
	p := page{style: style}
	if answer.GetJob() != nil {
		p.printf("%s\n", style.strong("job "+jobName(answer.GetJob())))
	} else {
		p.printf("%s\n", style.strong(datasetName(answer.GetDataset())))
	}
	for _, alias := range answer.GetAliases() {
		p.printf("  also %s\n", datasetName(alias))
	}
	p.attributes(answer)
	if answer.GetDataset() != nil {
		p.life(answer.GetLife())
		p.schema(answer)
		p.writers(answer.GetWriters())
	}
	if answer.GetBeyondCursor() {
		p.printf("%s\n", style.warning("! so much is not folded yet: the answer is as of the offset below"))
	}
	p.text.WriteByte('\n')
	p.text.WriteString(position(answer.GetProjection(), style))
	return p.text.String()
}

func (p *page) life(life *headwaterv1.DatasetLife) {
	if life.GetCreatedAt() != nil {
		p.printf("  created  %s\n", p.moment(life.GetCreatedAt(), ""))
	}
	if life.GetDroppedAt() != nil {
		p.printf("  %s\n", p.style.bad("dropped  "+clock(life.GetDroppedAt().AsTime())))
	}
}

func (p *page) attributes(answer *headwaterv1.GetNodeResponse) {
	attributes := answer.GetAttributes()
	if attributes.GetDatasetType() != "" {
		p.printf("  type     %s\n", printable(attributes.GetDatasetType()))
		p.source(answer, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DATASET_TYPE)
	}
	for _, owner := range attributes.GetOwners() {
		p.printf("  owner    %s", printable(owner.GetName()))
		if owner.GetType() != "" {
			p.printf(" (%s)", printable(owner.GetType()))
		}
		p.printf("\n")
	}
	p.source(answer, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_OWNERS)
	p.tags(attributes.GetTags())
	p.source(answer, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_TAGS)
	if attributes.GetDocumentation() != "" {
		p.printf("  about    %s\n", printable(strings.Join(strings.Fields(attributes.GetDocumentation()), " ")))
		p.source(answer, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DOCUMENTATION)
	}
}

// source tells below an attribute who said it, if the answer does.
func (p *page) source(answer *headwaterv1.GetNodeResponse, attribute headwaterv1.NodeAttribute) {
	for _, source := range answer.GetAttributeSources() {
		if source.GetAttribute() != attribute {
			continue
		}
		by := printable(source.GetProducer())
		if source.GetJob() != nil {
			by = fmt.Sprintf("job %s, reported by %s", jobName(source.GetJob()), by)
		}
		said := "           said"
		if attribute == headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DESCRIPTIONS {
			said = "  fields described"
		}
		p.printf("%s\n", p.style.faint(fmt.Sprintf("%s at %s by %s", said, clock(source.GetEventTime().AsTime()), by)))
	}
}

func (p *page) tags(tags []*headwaterv1.Tag) {
	for _, tag := range tags {
		p.printf("  tag      %s=%s", printable(tag.GetKey()), printable(tag.GetValue()))
		if tag.GetField() != "" {
			p.printf(" on %s", printable(tag.GetField()))
		}
		p.printf("\n")
	}
}

func (p *page) schema(answer *headwaterv1.GetNodeResponse) {
	schema := answer.GetSchema()
	p.section("schema")
	if schema == nil {
		p.printf("  none is known of that time\n")
	} else {
		p.printf("  by %s since %s\n", p.schemaSource(schema), clock(schema.GetValidFrom().AsTime()))
		table := tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', 0) // its errors are those of a strings.Builder, which has none
		for _, field := range schema.GetFields() {
			_, _ = table.Write([]byte("  " + printable(field.GetPath()) + "\t" + printable(field.GetType()) + "\tsince " + clock(field.GetSince().AsTime()) + describedAs(field) + "\n"))
		}
		_ = table.Flush()
		p.source(answer, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DESCRIPTIONS)
	}
	if len(answer.GetSchemaVersions()) < 2 {
		return
	}
	p.section("versions")
	for _, version := range answer.GetSchemaVersions() {
		to := "now"
		if version.GetValidTo() != nil {
			to = clock(version.GetValidTo().AsTime())
		}
		p.printf("  %s to %s: %s, by %s\n", clock(version.GetValidFrom().AsTime()), to, count(len(version.GetFields()), "field"), p.schemaSource(version))
	}
}

// maxDescription is how many characters of the description of a field show in its line.
const maxDescription = 100

func describedAs(field *headwaterv1.FieldDescription) string {
	text := []rune(strings.Join(strings.Fields(field.GetDescription()), " "))
	switch {
	case len(text) == 0:
		return ""
	case len(text) > maxDescription:
		text = append(text[:maxDescription], '…')
	}
	return "\t" + printable(string(text))
}

func (p *page) schemaSource(version *headwaterv1.SchemaVersion) string {
	return map[headwaterv1.SchemaSource]string{
		headwaterv1.SchemaSource_SCHEMA_SOURCE_WRITER:   "a run that wrote it",
		headwaterv1.SchemaSource_SCHEMA_SOURCE_DECLARED: "a declaration",
		headwaterv1.SchemaSource_SCHEMA_SOURCE_READER:   "a run that read it, perhaps in part",
	}[version.GetSource()] + " of " + printable(version.GetProducer())
}

func (p *page) writers(writers []*headwaterv1.Writer) {
	if len(writers) == 0 {
		return
	}
	p.section("written by")
	for _, writer := range writers {
		p.printf("  %s, %s, %s\n", jobName(writer.GetJob()), word(writer.GetOrigin(), "ORIGIN_"), p.style.ago(writer.GetLastObservedAt().AsTime()))
	}
}
