package render

import (
	"fmt"
	"strconv"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Projections writes the projections, a line each.
func Projections(answer *headwaterv1.ListProjectionsResponse, style Style) string {
	p := page{style: style}
	rows := [][]string{{"NAME", "STATUS", "OFFSET", "RESOLVER", "NAME RULES", "CREATED"}}
	for _, projection := range answer.GetProjections() {
		rows = append(rows, []string{
			projection.GetName(), word(projection.GetStatus(), "PROJECTION_STATUS_"), strconv.FormatInt(projection.GetPosition().GetOffset(), 10),
			projection.GetResolver(), dash(projection.GetNameRules()), projection.GetCreatedAt().AsTime().Format(time.RFC3339),
		})
	}
	p.table(rows)
	return p.text.String()
}

// Digest writes both digests of a projection, and of which place in the log they are.
func Digest(answer *headwaterv1.GetDigestResponse, _ Style) string {
	position := answer.GetPosition()
	return fmt.Sprintf("projection  %s\nposition    offset %d, epoch %d\nhistory     %s\nstate       %s\n",
		answer.GetName(), position.GetOffset(), position.GetEpoch(), answer.GetHistoryDigest(), answer.GetStateDigest())
}
