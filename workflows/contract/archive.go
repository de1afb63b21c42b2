package contract

import "github.com/headwater-data/headwater/lineage"

// ArchiveWorkflow archives what the log and the quarantine have gained. A schedule starts it.
const ArchiveWorkflow = "Archive"

// ArchiveID names the schedule and, with a time behind it, each workflow that the schedule starts.
const ArchiveID = "archive"

// Archive is the input of ArchiveWorkflow.
type Archive struct{}

// WriteSegmentsActivity writes the ranges of the log and the refused documents that the archive lacks. It takes nothing
// and gives an Archived.
const WriteSegmentsActivity = "WriteSegments"

// Archived is what one turn of archiving did.
type Archived struct {
	// Segments and Events are of the log.
	Segments int   `json:"segments"`
	Events   int64 `json:"events"`
	// Refused is the number of refused documents, which lie in segments of their own.
	Refused int64 `json:"refused,omitzero"`
	// Bytes is the size of all as it is stored.
	Bytes int64 `json:"bytes"`
	// Last is the offset up to which the archive is whole.
	Last lineage.Offset `json:"last"`
}
