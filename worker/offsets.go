package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

var (
	logOffset = prometheus.NewDesc("headwater_log_offset", "Last offset of the log.", nil, nil)

	projectionOffset = prometheus.NewDesc("headwater_projection_offset", "Last offset that the projection has folded.",
		[]string{"projection", "status"}, nil)
	projectionLagEvents = prometheus.NewDesc("headwater_projection_lag_events",
		"Entries of the log that a projection which follows it has not folded.", []string{"projection", "status"}, nil)
	projectionLagSeconds = prometheus.NewDesc("headwater_projection_lag_seconds",
		"How long before the log's last entry the last folded one was received; 0 when all is folded.",
		[]string{"projection", "status"}, nil)

	dispatchOffset = prometheus.NewDesc("headwater_dispatch_offset",
		"Offset up to which the workflows of runs were told of evidence.", nil, nil)
	dispatchBacklog = prometheus.NewDesc("headwater_dispatch_backlog_events",
		"Entries that the active projection has folded and the workflows of runs were not told of.", nil, nil)

	archiveOffset = prometheus.NewDesc("headwater_archive_offset", "Offset up to which the log is archived.", nil, nil)

	quarantineArchived = prometheus.NewDesc("headwater_quarantine_archived_documents",
		"Refused documents that rest in the archive.", nil, nil)
	quarantineWaiting = prometheus.NewDesc("headwater_quarantine_waiting_documents",
		"Refused documents that are not archived yet.", nil, nil)
)

// collectTimeout bounds how long a scrape waits for the database.
const collectTimeout = 2 * time.Second

// offsets measures, when asked, how far each cursor is behind the log, and the archive behind log and quarantine. All
// workers report the same.
type offsets struct {
	log         *eventlog.Log
	projections *projection.Store
	catalogue   *archive.Catalogue
	quarantine  *eventlog.Quarantine
	logger      *slog.Logger
}

// Describe implements prometheus.Collector.
func (o *offsets) Describe(descriptions chan<- *prometheus.Desc) {
	for _, description := range []*prometheus.Desc{
		logOffset, projectionOffset, projectionLagEvents, projectionLagSeconds, dispatchOffset, dispatchBacklog, archiveOffset,
		quarantineArchived, quarantineWaiting,
	} {
		descriptions <- description
	}
}

// Collect implements prometheus.Collector. What cannot be measured is left out.
func (o *offsets) Collect(collected chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectTimeout)
	defer cancel()
	gauge := func(what *prometheus.Desc, value float64, labels ...string) {
		collected <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value, labels...)
	}
	for _, collect := range []func(context.Context, gaugeFunc) error{
		o.collectProjections, o.collectDispatch, o.collectArchive, o.collectQuarantine,
	} {
		if err := collect(ctx, gauge); err != nil {
			o.logger.WarnContext(ctx, "some metrics are missing", "error", err)
		}
	}
}

type gaugeFunc func(what *prometheus.Desc, value float64, labels ...string)

func (o *offsets) collectProjections(ctx context.Context, gauge gaugeFunc) error {
	head, err := o.log.Head(ctx)
	if err != nil {
		return err
	}
	gauge(logOffset, float64(head.Offset))
	listed, err := o.projections.List(ctx)
	if err != nil {
		return err
	}
	for _, p := range listed {
		labels := []string{p.Name, string(p.Status)}
		gauge(projectionOffset, float64(p.Cursor.Offset), labels...)
		if p.Status != projection.Active && p.Status != projection.CatchingUp {
			continue
		}
		gauge(projectionLagEvents, float64(max(0, head.Offset-p.Cursor.Offset)), labels...)
		gauge(projectionLagSeconds, lag(head, p).Seconds(), labels...)
	}
	return nil
}

func lag(head eventlog.Head, p projection.Projection) time.Duration {
	if p.Cursor.Offset >= head.Offset || p.CursorReceivedAt.IsZero() {
		return 0
	}
	return head.ReceivedAt.Sub(p.CursorReceivedAt)
}

func (o *offsets) collectDispatch(ctx context.Context, gauge gaugeFunc) error {
	active, err := o.projections.Active(ctx)
	if err != nil {
		return err
	}
	dispatched, err := o.dispatched(ctx)
	if err != nil {
		return err
	}
	gauge(dispatchOffset, float64(dispatched))
	gauge(dispatchBacklog, float64(max(0, active.Cursor.Offset-dispatched)))
	return nil
}

// dispatched asks for no evidence, which tells where the cursor stands.
func (o *offsets) dispatched(ctx context.Context) (lineage.Offset, error) {
	evidence, err := o.projections.Evidence(ctx, 0)
	return evidence.From, err
}

func (o *offsets) collectArchive(ctx context.Context, gauge gaugeFunc) error {
	last, err := o.catalogue.Last(ctx)
	if err != nil {
		return err
	}
	gauge(archiveOffset, float64(last))
	return nil
}

func (o *offsets) collectQuarantine(ctx context.Context, gauge gaugeFunc) error {
	counts, err := o.quarantine.ArchivedCounts(ctx)
	if err != nil {
		return err
	}
	gauge(quarantineArchived, float64(counts.Archived))
	gauge(quarantineWaiting, float64(counts.Waiting))
	return nil
}
