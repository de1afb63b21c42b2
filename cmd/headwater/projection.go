package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

// projectionCommand looks at projections: what the fold of the log gives.
type projectionCommand struct {
	List   projectionListCommand   `cmd:"" help:"List the projections, the active one first."`
	Digest projectionDigestCommand `cmd:"" help:"Hash all that a projection holds. Equal digests at one offset mean equal answers."`
}

type projectionListCommand struct {
	apiClient
	JSON bool `help:"Print the answer of the API."`
}

// Run prints one line for each projection.
func (c *projectionListCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	answer, err := headwaterv1connect.NewProjectionServiceClient(client).ListProjections(ctx, &headwaterv1.ListProjectionsRequest{})
	if err != nil {
		return c.explain(err)
	}
	if c.JSON {
		text, err := render.JSON(answer)
		fmt.Print(text)
		return err
	}
	lines := []string{"NAME\tSTATUS\tOFFSET\tRESOLVER\tNAME RULES\tCREATED"}
	for _, p := range answer.GetProjections() {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%s", p.GetName(), statusWord(p.GetStatus()),
			p.GetPosition().GetOffset(), p.GetResolver(), cmp.Or(p.GetNameRules(), "–"), p.GetCreatedAt().AsTime().Format(time.RFC3339)))
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(table, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return table.Flush()
}

func statusWord(status headwaterv1.ProjectionStatus) string {
	word := strings.TrimPrefix(status.String(), "PROJECTION_STATUS_")
	return strings.ReplaceAll(strings.ToLower(word), "_", " ")
}

type projectionDigestCommand struct {
	apiClient
	Name string `placeholder:"NAME" help:"The projection; the active one unless set."`
	JSON bool   `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*projectionDigestCommand) Help() string {
	return `The history digest covers every row with its recorded times, the state digest what is believed now. For example:

  headwater projection digest
  headwater projection digest --name rebuilt`
}

// Run prints both digests and the offset at which they were taken.
func (c *projectionDigestCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	answer, err := headwaterv1connect.NewProjectionServiceClient(client).GetDigest(ctx, &headwaterv1.GetDigestRequest{Name: c.Name})
	if err != nil {
		return c.explain(err)
	}
	if c.JSON {
		text, err := render.JSON(answer)
		fmt.Print(text)
		return err
	}
	position := answer.GetPosition()
	fmt.Printf("projection  %s\nposition    offset %d, epoch %d\nhistory     %s\nstate       %s\n",
		answer.GetName(), position.GetOffset(), position.GetEpoch(), answer.GetHistoryDigest(), answer.GetStateDigest())
	return nil
}
