package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

type aliasCommand struct {
	Add  aliasAddCommand  `cmd:"" help:"Say that a name stands for a dataset that has another name."`
	End  aliasEndCommand  `cmd:"" help:"Say that it does so no longer, or that it never did."`
	List aliasListCommand `cmd:"" help:"List which names stand for which datasets, with conflicts."`
}

// aliasAddCommand registers an alias.
type aliasAddCommand struct {
	datasetArgs
	Of        datasetValue `required:"" placeholder:"NAMESPACE NAME" help:"The dataset that it stands for: two words."`
	From      moment       `placeholder:"TIME" help:"From when on, as 2026-07-19T00:00:00Z or 2026-07-19. It has always been so unless set."`
	Until     moment       `placeholder:"TIME" help:"Until when. It is so for good unless set."`
	Canonical bool         `help:"Show the dataset under this name; otherwise it shows under the smallest of its names."`
	stating
}

// Help is shown by --help.
func (*aliasAddCommand) Help() string {
	return `Nothing that was reported is changed by it, so it works backwards too, and can be taken back. A name stands for one
dataset at a time: giving it to another one ends the earlier alias from that time. For example:

  headwater alias add hive://metastore:9083 shop.orders --of s3://lake /warehouse/shop.db/orders --canonical --reason "Trino reads it by this name"
  headwater alias add bigquery shop.mart.sales --of bigquery shop.mart.daily_orders --from 2026-07-01 --reason "moved in the summer"`
}

// Run registers the alias.
func (c *aliasAddCommand) Run(ctx context.Context) error {
	registered := &headwaterv1.AliasRegistered{
		Alias: c.dataset(), Of: c.Of.dataset, ValidFrom: timestamp(c.From.Time), ValidTo: timestamp(c.Until.Time), Canonical: c.Canonical,
	}
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_AliasRegistered{AliasRegistered: registered}})
	if err != nil {
		return err
	}
	return c.recorded(accepted, fmt.Sprintf("headwater alias list %s %s shows it", shellWord(c.Namespace), shellWord(c.Name)))
}

// aliasEndCommand ends what was registered.
type aliasEndCommand struct {
	datasetArgs
	Of    datasetValue `required:"" placeholder:"NAMESPACE NAME" help:"The dataset that it stood for: two words."`
	Until moment       `xor:"end" placeholder:"TIME" help:"Until when it was so; until now unless set."`
	Never bool         `xor:"end" help:"Take it back: it was never so."`
	stating
}

// Help is shown by --help.
func (*aliasEndCommand) Help() string {
	return `It ends what was registered of the two names, in that order. What a producer says in a symlinks facet goes on to count, until a later
facet of that dataset leaves the name out. For example:

  headwater alias end bigquery shop.mart.sales --of bigquery shop.mart.daily_orders --until 2026-07-19 --reason "a table of its own since"
  headwater alias end hive://metastore:9083 shop.orders --of s3://lake /tmp/orders --never --reason "that was a copy"`
}

// Run ends the alias, and says so where none was registered: that is more often a slip than foresight.
func (c *aliasEndCommand) Run(ctx context.Context) error {
	c.warnOfNone(ctx)
	ended := &headwaterv1.AliasEnded{Alias: c.dataset(), Of: c.Of.dataset}
	switch {
	case c.Never:
		ended.End = &headwaterv1.AliasEnded_Never{Never: true}
	case c.Until.IsZero():
		ended.End = &headwaterv1.AliasEnded_ValidTo{ValidTo: timestamppb.New(time.Now())}
	default:
		ended.End = &headwaterv1.AliasEnded_ValidTo{ValidTo: timestamppb.New(c.Until.Time)}
	}
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_AliasEnded{AliasEnded: ended}})
	if err != nil {
		return err
	}
	return c.recorded(accepted, "")
}

// warnOfNone tells, beside the answer, where the two names are joined by no registration, as far as answers go by now.
func (c *aliasEndCommand) warnOfNone(ctx context.Context) {
	client, err := c.dial()
	if err != nil {
		return
	}
	answer, err := headwaterv1connect.NewLineageServiceClient(client).ListAliases(ctx, &headwaterv1.ListAliasesRequest{Dataset: c.dataset()})
	if err != nil && connect.CodeOf(err) != connect.CodeNotFound {
		return
	}
	joined := func(source headwaterv1.AliasSource) bool {
		return slices.ContainsFunc(answer.GetAliases(), func(listed *headwaterv1.ListedAlias) bool {
			alias := listed.GetAlias()
			return alias.GetSource() == source && proto.Equal(alias.GetName(), c.dataset()) && proto.Equal(alias.GetOf(), c.Of.dataset)
		})
	}
	var why string
	switch {
	case joined(headwaterv1.AliasSource_ALIAS_SOURCE_REGISTRATION):
		return
	case joined(headwaterv1.AliasSource_ALIAS_SOURCE_SYMLINK):
		why = "what joins the two names is a symlinks facet, which goes on to count"
	case joined(headwaterv1.AliasSource_ALIAS_SOURCE_RENAME):
		why = "what joins the two names is a renaming, which goes on to count"
	default:
		why = "no answer so far knows that the one name was registered for the other"
	}
	fmt.Fprintf(os.Stderr, "%s; headwater alias list %s %s shows what there is\n", why, shellWord(c.Namespace), shellWord(c.Name))
}

// timestamp is nil for a time that was not given.
func timestamp(at time.Time) *timestamppb.Timestamp {
	if at.IsZero() {
		return nil
	}
	return timestamppb.New(at)
}
