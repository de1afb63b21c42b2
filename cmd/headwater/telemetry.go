package main

import (
	"log/slog"
	"os"

	"github.com/headwater-data/headwater/internal/telemetry"
)

// telemetryFlags are embedded by every command that serves.
type telemetryFlags struct {
	LogLevel     string `default:"info" enum:"debug,info,warn,error" help:"Least level of the lines in the log: ${enum}."`
	LogFormat    string `default:"text" enum:"text,json" help:"Form of the lines in the log: ${enum}."`
	OTLPEndpoint string `name:"otlp-endpoint" placeholder:"URL" help:"OpenTelemetry collector (gRPC) that gets traces, such as http://127.0.0.1:4317. Without it none are made."`
}

// logger writes to standard error.
func (f telemetryFlags) logger() (*slog.Logger, error) {
	return telemetry.NewLogger(os.Stderr, telemetry.LogFormat(f.LogFormat), f.LogLevel)
}
