package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows/contract"
)

// Archive archives what the log and the quarantine have gained, once. Its schedule lets no two run at a time.
func Archive(ctx workflow.Context, _ contract.Archive) (contract.Archived, error) {
	var archived contract.Archived
	ctx = long(ctx, "write segments")
	if err := workflow.ExecuteActivity(ctx, contract.WriteSegmentsActivity).Get(ctx, &archived); err != nil {
		return archived, err
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("%d events in %d segments, and %d refused documents (%d bytes in all). The archive is whole up to offset %d.",
		archived.Events, archived.Segments, archived.Refused, archived.Bytes, archived.Last))
	return archived, nil
}
