package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

type lineageCommand struct {
	Upstream   upstreamCommand   `cmd:"" help:"Show where a dataset comes from."`
	Downstream downstreamCommand `cmd:"" help:"Show what is made of a dataset."`
	Compare    compareCommand    `cmd:"" help:"Tell where what is declared and what runs did agree."`
}

type upstreamCommand struct{ traversal }

func (c *upstreamCommand) Run(ctx context.Context) error {
	return c.show(ctx, headwaterv1.Direction_DIRECTION_UPSTREAM)
}

// Help is shown by --help.
func (*upstreamCommand) Help() string {
	return `Namespace and name are those that producers report. For example:

  headwater lineage upstream bigquery shop.mart.daily_orders
  headwater lineage upstream bigquery shop.mart.daily_orders --field revenue
  headwater lineage upstream bigquery shop.mart.daily_orders --at 2026-07-19T06:00:00Z
  headwater lineage upstream bigquery shop.mart.daily_orders --at 2026-07-19T06:00:00Z --recorded 48000
  headwater lineage upstream bigquery shop.mart.daily_orders --collapse
  headwater lineage upstream bigquery shop.mart.daily_orders --origin observed --publication published
  headwater lineage upstream bigquery shop.mart.daily_orders --lookback 720h
  headwater lineage upstream airflow daily_sales.load_orders --job
  headwater lineage upstream looker sales_overview --depth 10 --dot | dot -Tsvg > lineage.svg`
}

type downstreamCommand struct{ traversal }

func (c *downstreamCommand) Run(ctx context.Context) error {
	return c.show(ctx, headwaterv1.Direction_DIRECTION_DOWNSTREAM)
}

// Help is shown by --help.
func (*downstreamCommand) Help() string {
	return `Namespace and name are those that producers report. For example:

  headwater lineage downstream kafka://kafka:9092 clicks
  headwater lineage downstream kafka://kafka:9092 clicks --field 'items[].price' --direct
  headwater lineage downstream postgres://shop-db:5432 shop.public.orders --environment prod --without-dropped
  headwater lineage downstream postgres://shop-db:5432 shop.public.orders --depth 10 --json`
}

// traversal is what both directions have in common.
type traversal struct {
	apiClient
	Namespace string         `arg:"" help:"Namespace of the dataset or job, such as bigquery or postgres://shop-db:5432."`
	Name      string         `arg:"" help:"Name of the dataset or job, such as shop.mart.daily_orders."`
	Job       bool           `xor:"start" help:"Start at the job of this namespace and name instead of a dataset."`
	Field     string         `xor:"start" placeholder:"PATH" help:"Follow this field of the dataset instead of the whole. Parts are written as a.b[].c, and a name with a dot in it in backquotes."`
	Direct    bool           `xor:"kind" help:"With --field: follow only what values are made of."`
	Indirect  bool           `xor:"kind" help:"With --field: follow only what decides which values there are: filters, keys of joins, sorting."`
	Depth     int32          `default:"3" help:"Hops, at most: 1 to 100."`
	Collapse  bool           `help:"Show one edge where a job and one that ran within it say the same, such as an Airflow task and its Spark action."`
	At        moment         `placeholder:"TIME" help:"Show what was so at this time, such as 2026-07-19T06:00:00Z, or 2026-07-19 for its beginning in UTC. The default is now."`
	Recorded  *int64         `placeholder:"OFFSET" help:"Show what was known when the log stood at this offset."`
	Lookback  *time.Duration `placeholder:"DURATION" help:"Show also steps that ended within this time before, such as 720h, labelled as lapsed; 0s for none. The default is that of the gateway, a week."`

	Origin         []string `enum:"declared,observed,manual" placeholder:"ORIGIN" help:"Follow only steps that are ${enum}: as code or a catalogue says, as a run did, as a person says. Repeatable."`
	Publication    []string `enum:"published,suspect" placeholder:"PUBLICATION" help:"Of what runs did, follow only steps that are ${enum}."`
	Environment    string   `help:"Follow only steps within this environment, such as prod. See headwater namespaces list."`
	WithoutDropped bool     `help:"Leave out datasets that were dropped."`

	JSON    bool `xor:"form" help:"Print the answer of the API."`
	DOT     bool `xor:"form" help:"Print a diagram for Graphviz."`
	Mermaid bool `xor:"form" help:"Print a diagram for Markdown."`
}

// Validate implements kong's check of a command line.
func (c *traversal) Validate() error {
	if c.Field == "" && (c.Direct || c.Indirect) {
		return errors.New("--direct and --indirect say how to follow a field: name it with --field")
	}
	return nil
}

func (c *traversal) show(ctx context.Context, direction headwaterv1.Direction) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	request := &headwaterv1.TraverseRequest{
		Start:           c.start(),
		Direction:       direction,
		RecordedAt:      c.Recorded,
		Depth:           &c.Depth,
		Collapse:        c.Collapse,
		Transformations: c.kinds(),
		Environment:     c.Environment,
		WithoutDropped:  c.WithoutDropped,
	}
	for _, origin := range c.Origin {
		request.Origins = append(request.Origins, headwaterv1.Origin(render.Number("ORIGIN_", origin, headwaterv1.Origin_value)))
	}
	for _, publication := range c.Publication {
		request.Publications = append(request.Publications,
			headwaterv1.Publication(render.Number("PUBLICATION_", publication, headwaterv1.Publication_value)))
	}
	if c.Lookback != nil {
		request.Lookback = durationpb.New(*c.Lookback)
	}
	if !c.At.IsZero() {
		request.ValidAt = timestamppb.New(c.At.Time)
	}
	answer, err := headwaterv1connect.NewLineageServiceClient(client).Traverse(ctx, request)
	if connect.CodeOf(err) == connect.CodeNotFound {
		return fmt.Errorf("there is no %s %s in namespace %s that you may see: names are written as producers report them, and `headwater run show` lists those of a run",
			c.kind(), shellWord(c.Name), shellWord(c.Namespace))
	}
	if err != nil {
		return c.explain(err)
	}
	text, err := c.render(answer, direction)
	if err != nil {
		return err
	}
	fmt.Print(text)
	return nil
}

// kind is what the name names.
func (c *traversal) kind() string {
	if c.Job {
		return "job"
	}
	return "dataset"
}

// start is the dataset, a field of it, or the job.
func (c *traversal) start() *headwaterv1.NodeReference {
	if c.Job {
		job := &headwaterv1.Job{Namespace: c.Namespace, Name: c.Name}
		return &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Job{Job: job}}
	}
	if c.Field != "" {
		field := &headwaterv1.Field{Namespace: c.Namespace, Name: c.Name, Path: c.Field}
		return &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Field{Field: field}}
	}
	dataset := &headwaterv1.Dataset{Namespace: c.Namespace, Name: c.Name}
	return &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{Dataset: dataset}}
}

// kinds are the transformations to follow; none: all.
func (c *traversal) kinds() []headwaterv1.TransformationKind {
	switch {
	case c.Direct:
		return []headwaterv1.TransformationKind{headwaterv1.TransformationKind_TRANSFORMATION_KIND_DIRECT}
	case c.Indirect:
		return []headwaterv1.TransformationKind{headwaterv1.TransformationKind_TRANSFORMATION_KIND_INDIRECT}
	default:
		return nil
	}
}

func (c *traversal) render(answer *headwaterv1.TraverseResponse, direction headwaterv1.Direction) (string, error) {
	switch {
	case c.JSON:
		return render.JSON(answer)
	case c.DOT:
		return render.DOT(answer), nil
	case c.Mermaid:
		return render.Mermaid(answer), nil
	default:
		return render.Tree(answer, direction, terminal()), nil
	}
}

// moment is a time on the command line.
type moment struct{ time.Time }

// UnmarshalText reads RFC 3339, or a date as the beginning of that day in UTC.
func (m *moment) UnmarshalText(text []byte) (err error) {
	if m.Time, err = time.Parse(time.DateOnly, string(text)); err == nil {
		return nil
	}
	if m.Time, err = time.Parse(time.RFC3339, string(text)); err != nil {
		return fmt.Errorf("%q is no time: write it as 2026-07-19T06:00:00Z or 2026-07-19", text)
	}
	return nil
}
