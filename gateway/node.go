package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// GetNode implements headwater.v1.LineageService.
func (s *lineageService) GetNode(ctx context.Context, req *headwaterv1.GetNodeRequest) (*headwaterv1.GetNodeResponse, error) {
	node := jobIDOf(req.GetJob()).Node()
	if dataset := req.GetDataset(); dataset != nil {
		node = lineage.NewDatasetID(dataset.GetNamespace(), dataset.GetName()).Node()
	}
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return nil, unavailable(err)
	}
	request := projection.NodeRequest{Node: node, RecordedAt: lineage.Offset(req.GetRecordedAt()), Show: sight.Show, SeesAll: !sight.Restricted()}
	if req.ValidAt != nil {
		request.ValidAt = req.GetValidAt().AsTime()
	}
	answer, err := s.projections.GetNode(ctx, request)
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return nil, connect.Errorf(connect.CodeNotFound, "no %s is known in namespace %q", describe(node), node.Namespace)
	case err != nil:
		return nil, unavailable(fmt.Errorf("get a node: %w", err))
	}
	return nodeResponse(answer), nil
}

func nodeResponse(answer projection.NodeAnswer) *headwaterv1.GetNodeResponse {
	response := &headwaterv1.GetNodeResponse{
		Attributes: attributesOf(answer.Attributes), BeyondCursor: answer.BeyondCursor, Projection: viewOf(answer.View),
	}
	for _, source := range answer.Sources {
		response.AttributeSources = append(response.AttributeSources, attributeSourceOf(source))
	}
	if answer.Kind == lineage.NodeJob {
		response.Node = &headwaterv1.GetNodeResponse_Job{Job: &headwaterv1.Job{Namespace: answer.Namespace, Name: answer.Name}}
		return response
	}
	response.Node = &headwaterv1.GetNodeResponse_Dataset{Dataset: &headwaterv1.Dataset{Namespace: answer.Namespace, Name: answer.Name}}
	response.Life = &headwaterv1.DatasetLife{DroppedAt: timestampOf(answer.DroppedAt), CreatedAt: timestampOf(answer.CreatedAt)}
	holds := answer.Schemas.At(answer.ValidAt)
	if holds != nil {
		response.Schema = schemaVersionOf(holds, answer.Schemas.Since(holds))
		describeFields(response.Schema, holds.Columns, answer.Attributes.Descriptions)
	}
	for i := range answer.Schemas.Versions {
		response.SchemaVersions = append(response.SchemaVersions, schemaVersionOf(&answer.Schemas.Versions[i], nil))
	}
	for _, writer := range answer.Writers {
		response.Writers = append(response.Writers, &headwaterv1.Writer{
			Job: jobOf(writer.Job), Origin: headwaterv1.Origin(writer.Origin), LastObservedAt: timestamppb.New(writer.LastAt),
		})
	}
	for _, alias := range answer.Aliases {
		response.Aliases = append(response.Aliases, &headwaterv1.Dataset{Namespace: alias.Namespace, Name: alias.Name})
	}
	return response
}

func attributesOf(attributes lineage.Attributes) *headwaterv1.NodeAttributes {
	answered := &headwaterv1.NodeAttributes{Documentation: attributes.Documentation, DatasetType: attributes.Type}
	for _, owner := range attributes.Owners {
		answered.Owners = append(answered.Owners, &headwaterv1.Owner{Name: owner.Name, Type: owner.Type})
	}
	answered.Tags = tagsOf(attributes.Tags)
	return answered
}

// attributeSourceOf is a source as the contract has it. The numbers of the attributes are those of the contract.
func attributeSourceOf(source projection.AttributeSource) *headwaterv1.AttributeSource {
	answered := &headwaterv1.AttributeSource{
		Attribute: headwaterv1.NodeAttribute(source.Kind), Producer: source.Producer, SourceEvent: source.EventID,
		EventTime: timestamppb.New(source.EventTime),
	}
	if source.Job != nil {
		answered.Job = jobOf(*source.Job)
	}
	return answered
}

func tagsOf(tags []lineage.Tag) []*headwaterv1.Tag {
	var answered []*headwaterv1.Tag
	for _, tag := range tags {
		answered = append(answered, &headwaterv1.Tag{Key: tag.Key, Value: tag.Value, Source: tag.Source, Field: tag.Field})
	}
	return answered
}

// describeFields gives the fields of a schema what was said of them, whoever spells them how.
func describeFields(schema *headwaterv1.SchemaVersion, columns lineage.NameCase, descriptions []lineage.FieldDescription) {
	texts := make(map[lineage.FieldPath]string, len(descriptions))
	for _, d := range descriptions {
		texts[columns.Path(d.Path)] = d.Text
	}
	for _, field := range schema.GetFields() {
		field.Description = texts[columns.Path(lineage.FieldPath(field.GetPath()))]
	}
}

// schemaVersionOf is a version as the contract has it. since tells of its fields from when they have been there; nil: not
// asked.
func schemaVersionOf(version *lineage.SchemaVersion, since map[lineage.FieldPath]time.Time) *headwaterv1.SchemaVersion {
	answered := &headwaterv1.SchemaVersion{
		ValidFrom:   timestamppb.New(version.From),
		Source:      headwaterv1.SchemaSource(version.Source),
		Producer:    version.Producer,
		SourceEvent: version.EventID,
	}
	if version.To.Before(lineage.Forever) {
		answered.ValidTo = timestamppb.New(version.To)
	}
	version.Schema.Walk(func(path lineage.FieldPath, field lineage.Field) {
		answered.Fields = append(answered.Fields, &headwaterv1.FieldDescription{
			Path: string(path), Type: field.Type, Since: timestampOf(since[path]),
		})
	})
	return answered
}
