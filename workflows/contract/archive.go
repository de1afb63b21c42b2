package contract

import "github.com/headwater-data/headwater/lineage"

// ArchiveWorkflow moves what the log has gained into the archive. A schedule starts it.
const ArchiveWorkflow = "Archive"

// ArchiveID names the schedule and, with a time behind it, each workflow that the schedule starts.
const ArchiveID = "archive"

// Archive is the input of ArchiveWorkflow.
type Archive struct{}

// WriteSegmentsActivity writes the ranges of the log that the archive lacks. It takes nothing and gives an Archived.
const WriteSegmentsActivity = "WriteSegments"

// Archived is what one turn of archiving did.
type Archived struct {
	Segments int   `json:"segments"`
	Events   int64 `json:"events"`
	// Bytes is the size of the segments as they are stored.
	Bytes int64 `json:"bytes"`
	// Last is the offset up to which the archive is whole.
	Last lineage.Offset `json:"last"`
}
