package gateway

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// withdrawnOf is nil where nothing was withdrawn.
func withdrawnOf(withdrawn *lineage.StatedWithdrawal) *headwaterv1.Withdrawal {
	if withdrawn == nil {
		return nil
	}
	return &headwaterv1.Withdrawal{By: withdrawn.By, Reason: withdrawn.Reason, EventTime: timestamppb.New(withdrawn.EventTime)}
}

// engineOf is nil where the run names none.
func engineOf(engine lineage.Engine) *headwaterv1.ProcessingEngine {
	if engine == (lineage.Engine{}) {
		return nil
	}
	return &headwaterv1.ProcessingEngine{Name: engine.Name, Version: engine.Version, AdapterVersion: engine.Adapter}
}

// subsetOf is nil where no condition was stated.
func subsetOf(subset lineage.Subset) *string {
	if subset == "" {
		return nil
	}
	return new(string(subset))
}

// statisticsOf is nil where none were reported.
func statisticsOf(s lineage.Statistics) *headwaterv1.DatasetStatistics {
	if s == (lineage.Statistics{}) {
		return nil
	}
	return &headwaterv1.DatasetStatistics{Rows: s.Rows, Bytes: s.Bytes, Files: s.Files}
}
