package gateway

import (
	"context"
	"fmt"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// declarationService takes what code declares.
type declarationService struct {
	intake      *intake
	projections *projection.Store
}

// DeclareSnapshot implements headwater.v1.DeclarationService. Who declares is who calls.
func (s *declarationService) DeclareSnapshot(ctx context.Context, req *headwaterv1.DeclareSnapshotRequest) (*headwaterv1.DeclareSnapshotResponse, error) {
	caller := callerOf(ctx)
	verdicts, err := s.intake.submit(ctx, doorDeclaration, caller, []submission{snapshotSubmission(caller, req)})
	if err != nil {
		return nil, unavailable(err)
	}
	return &headwaterv1.DeclareSnapshotResponse{Receipt: receiptOf(verdicts[0])}, nil
}

// snapshotSubmission writes a snapshot as the platform event that will be stored.
func snapshotSubmission(caller policy.Principal, req *headwaterv1.DeclareSnapshotRequest) submission {
	s := submission{format: lineage.FormatPlatform, producer: caller.Name, eventID: req.GetEventId()}
	attribution := lineage.Attribution{
		EventTime: req.GetSnapshot().GetEffectiveAt().AsTime(), By: caller.Name, Reason: req.GetReason(),
	}
	payload, err := lineage.EncodeFact(snapshotOf(req.GetSnapshot()), attribution)
	if err != nil { // a time out of range
		s.payload, _ = proto.Marshal(req) // to be looked at; it came as such
		s.refused = &refusal{code: "invalid_fact", reason: "cannot be written as JSON: " + err.Error()}
		return s
	}
	s.payload = payload
	return s
}

// snapshotOf is the domain's snapshot for the contract's.
func snapshotOf(declared *headwaterv1.DeclaredSnapshot) lineage.Snapshot {
	snapshot := lineage.Snapshot{
		Scope:    declared.GetScope(),
		Datasets: make([]lineage.SnapshotDataset, len(declared.GetDatasets())),
		Flows:    make([]lineage.SnapshotFlow, len(declared.GetFlows())),
	}
	for i, dataset := range declared.GetDatasets() {
		snapshot.Datasets[i] = lineage.SnapshotDataset{
			DatasetID: lineage.NewDatasetID(dataset.GetNamespace(), dataset.GetName()), Fields: fieldsOf(dataset.GetFields()),
			Attributes: statedAttributes(dataset.GetAttributes()),
		}
		snapshot.Datasets[i].Descriptions = describedFields(nil, "", dataset.GetFields())
	}
	places := func(list []int32) []int {
		converted := make([]int, len(list))
		for i, place := range list {
			converted[i] = int(place)
		}
		return converted
	}
	for i, flow := range declared.GetFlows() {
		snapshot.Flows[i] = lineage.SnapshotFlow{
			Job: jobIDOf(flow.GetJob()), JobVersion: flow.GetJobVersion(), Inputs: places(flow.GetInputs()), Outputs: places(flow.GetOutputs()),
			Attributes: statedAttributes(flow.GetAttributes()),
		}
	}
	return snapshot
}

func statedAttributes(declared *headwaterv1.NodeAttributes) lineage.Attributes {
	stated := lineage.Attributes{Documentation: declared.GetDocumentation(), Type: declared.GetDatasetType()}
	for _, owner := range declared.GetOwners() {
		stated.Owners = append(stated.Owners, lineage.Owner{Name: owner.GetName(), Type: owner.GetType()})
	}
	for _, tag := range declared.GetTags() {
		stated.Tags = append(stated.Tags, lineage.Tag{Key: tag.GetKey(), Value: tag.GetValue(), Source: tag.GetSource(), Field: tag.GetField()})
	}
	return stated
}

func fieldsOf(declared []*headwaterv1.SchemaField) []lineage.Field {
	var fields []lineage.Field
	for _, field := range declared {
		fields = append(fields, lineage.Field{Name: field.GetName(), Type: field.GetType(), Fields: fieldsOf(field.GetFields())})
	}
	return fields
}

// describedFields adds the descriptions of fields to a list.
func describedFields(described []lineage.FieldDescription, parent lineage.FieldPath, declared []*headwaterv1.SchemaField) []lineage.FieldDescription {
	for _, field := range declared {
		path := parent.Child(field.GetName())
		if text := field.GetDescription(); text != "" {
			described = append(described, lineage.FieldDescription{Path: path, Text: text})
		}
		described = describedFields(described, path, field.GetFields())
	}
	return described
}

// PreviewSnapshot implements headwater.v1.DeclarationService. A snapshot that would be refused is INVALID_ARGUMENT.
func (s *declarationService) PreviewSnapshot(ctx context.Context, req *headwaterv1.PreviewSnapshotRequest) (*headwaterv1.PreviewSnapshotResponse, error) {
	caller := callerOf(ctx)
	candidate := snapshotSubmission(caller, &headwaterv1.DeclareSnapshotRequest{Snapshot: req.GetSnapshot()})
	_, _, refused := s.intake.judge(ctx, caller, candidate)
	switch {
	case refused != nil && refused.forbidden():
		return nil, connect.NewError(connect.CodePermissionDenied, refused.Error())
	case refused != nil:
		return nil, connect.NewError(connect.CodeInvalidArgument, refused.Error())
	}
	preview, err := s.projections.PreviewSnapshot(ctx, caller.Name, snapshotOf(req.GetSnapshot()), req.GetSnapshot().GetEffectiveAt().AsTime())
	if err != nil {
		return nil, unavailable(fmt.Errorf("preview a snapshot: %w", err))
	}
	return previewResponse(preview), nil
}

func previewResponse(preview projection.SnapshotPreview) *headwaterv1.PreviewSnapshotResponse {
	response := &headwaterv1.PreviewSnapshotResponse{
		PreviousAt: timestampOf(preview.PreviousAt),
		NextAt:     timestampOf(preview.NextAt),
		Changes:    make([]*headwaterv1.SnapshotChange, len(preview.Changes)),
		Unchanged:  int32(preview.Unchanged),
		Projection: viewOf(preview.View),
	}
	for i, change := range preview.Changes {
		answered := &headwaterv1.SnapshotChange{
			Kind: changeKind(change), InputsAdded: contractDatasets(change.InputsAdded), InputsRemoved: contractDatasets(change.InputsRemoved),
		}
		if change.Job != nil {
			answered.Job = &headwaterv1.Job{Namespace: change.Job.Namespace, Name: change.Job.Name}
		}
		if change.Output.Kind == lineage.NodeDataset {
			answered.Output = &headwaterv1.Dataset{Namespace: change.Output.Namespace, Name: change.Output.Name}
		}
		response.Changes[i] = answered
	}
	return response
}

func contractDatasets(nodes []lineage.Node) []*headwaterv1.Dataset {
	var datasets []*headwaterv1.Dataset
	for _, node := range nodes {
		datasets = append(datasets, &headwaterv1.Dataset{Namespace: node.Namespace, Name: node.Name})
	}
	return datasets
}

func changeKind(change projection.SnapshotChange) headwaterv1.SnapshotChangeKind {
	flow := change.Level == lineage.FlowLevel
	switch {
	case change.Added && flow:
		return headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_FLOW_ADDED
	case change.Removed && flow:
		return headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_FLOW_REMOVED
	case flow:
		return headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_INPUTS_CHANGED
	case change.Added:
		return headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_COLUMNS_ADDED
	case change.Removed:
		return headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_COLUMNS_REMOVED
	default:
		return headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_COLUMNS_CHANGED
	}
}
