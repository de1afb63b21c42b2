// Package telemetry sets up what a process tells about itself: structured logs, Prometheus metrics and OpenTelemetry
// traces.
package telemetry

import (
	"fmt"
	"io"
	"log/slog"
)

// LogFormat is how log lines are written.
type LogFormat string

// The log formats.
const (
	LogText LogFormat = "text"
	LogJSON LogFormat = "json"
)

// NewLogger writes lines of at least the given level ("debug", "info", "warn" or "error") to w. Times are in UTC.
func NewLogger(w io.Writer, format LogFormat, level string) (*slog.Logger, error) {
	options := &slog.HandlerOptions{ReplaceAttr: utcTime}
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level %q is none of debug, info, warn and error", level)
	}
	options.Level = least
	switch format {
	case LogText:
		return slog.New(slog.NewTextHandler(w, options)), nil
	case LogJSON:
		return slog.New(slog.NewJSONHandler(w, options)), nil
	default:
		return nil, fmt.Errorf("log format %q is neither %s nor %s", format, LogText, LogJSON)
	}
}

func utcTime(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 && attr.Key == slog.TimeKey {
		attr.Value = slog.TimeValue(attr.Value.Time().UTC())
	}
	return attr
}
