package gateway

import (
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func datasetOf(id lineage.DatasetID) *headwaterv1.Dataset {
	return &headwaterv1.Dataset{Namespace: id.Namespace, Name: id.Name}
}

func jobOf(id lineage.JobID) *headwaterv1.Job {
	return &headwaterv1.Job{Namespace: id.Namespace, Name: id.Name}
}

func jobIDOf(job *headwaterv1.Job) lineage.JobID {
	return lineage.NewJobID(job.GetNamespace(), job.GetName())
}

func runReferenceOf(key lineage.RunKey) *headwaterv1.RunReference {
	return &headwaterv1.RunReference{RunId: key.RunID, Job: jobOf(key.Job)}
}

func positionOf(at lineage.Position) *headwaterv1.LogPosition {
	return &headwaterv1.LogPosition{Epoch: int32(at.Epoch), Offset: int64(at.Offset)}
}

// viewOf says what an answer was read from.
func viewOf(view projection.View) *headwaterv1.ProjectionPosition {
	position := &headwaterv1.ProjectionPosition{
		Name:                 view.Name,
		Position:             positionOf(view.Cursor),
		EventsBehind:         view.Behind,
		Lag:                  durationpb.New(view.Lag),
		RunsAwaitingDecision: view.AwaitingDecision,
		RunsAwaitingGates:    view.AwaitingGates,
	}
	if !view.CursorReceivedAt.IsZero() {
		position.ReceivedAt = timestamppb.New(view.CursorReceivedAt)
	}
	return position
}
