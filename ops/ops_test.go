package ops_test

import (
	"context"
	"encoding/json/v2"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.yaml.in/yaml/v3"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/internal/telemetry"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/worker"
)

type rules struct {
	Groups []struct {
		Rules []struct {
			Alert, Expr string
			Labels      map[string]string
			Annotations map[string]string
		}
	}
}

func readRules(t *testing.T) rules {
	t.Helper()
	content, err := os.ReadFile("alerts.yaml")
	require.NoError(t, err)
	var read rules
	require.NoError(t, yaml.Unmarshal(content, &read))
	require.NotEmpty(t, read.Groups)
	return read
}

// dashboard is what Grafana needs to load one; what is null or missing in its place shows as an empty panel.
type dashboard struct {
	UID, Title    string
	SchemaVersion int
	Panels        []struct {
		ID      int
		Type    string
		Title   string
		GridPos struct{ X, Y, W, H int }
		Targets []struct{ Expr, RefID string }
	}
}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	content, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	var read dashboard
	require.NoError(t, json.Unmarshal(content, &read, json.MatchCaseInsensitiveNames(true)))
	return read
}

// expressions are all that alerts and dashboard ask Prometheus for.
func expressions(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, group := range readRules(t).Groups {
		for _, rule := range group.Rules {
			found = append(found, rule.Expr)
		}
	}
	for _, panel := range readDashboard(t).Panels {
		for _, target := range panel.Targets {
			found = append(found, target.Expr)
		}
	}
	return found
}

func TestEveryMetricThatIsAskedForExists(t *testing.T) {
	t.Parallel()
	known := served(t)
	named := regexp.MustCompile(`\b(?:headwater|process|go)_[a-z0-9_]+\b`)
	asked := 0
	for _, expression := range expressions(t) {
		for _, name := range named.FindAllString(expression, -1) {
			asked++
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				if family, isPart := strings.CutSuffix(name, suffix); isPart && known[family] {
					name = family
				}
			}
			require.True(t, known[name], "no process serves %s, of %s", name, expression)
		}
	}
	require.Greater(t, asked, 30)
}

// served are the names of all metrics that gateway and worker serve. Neither has anything to work on here.
func served(t *testing.T) map[string]bool {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	pool, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	engine, err := policy.Load(t.Context(), policy.Config{Default: policies.Files, Log: quiet})
	require.NoError(t, err)

	doors, work := telemetry.NewRegistry(), telemetry.NewRegistry()
	_, err = gateway.New(gateway.Config{
		Log: eventlog.New(pool, eventlog.Options{Logger: quiet}), Quarantine: eventlog.NewQuarantine(pool), Projections: projection.NewStore(pool),
		Policy: engine, Principals: principal.NewStore(pool), Limits: gateway.DefaultLimits(), Logger: quiet, Metrics: doors,
	})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, worker.Run(ended, worker.Config{
		Database: pool, Policies: engine, ArchiveInterval: time.Minute, Temporal: client.Options{HostPort: "127.0.0.1:1"}, Listener: listener,
		OpenArchive: func(context.Context) (*archive.Archive, error) { return nil, errors.New("there is none") },
		Metrics:     work, Logger: quiet,
	}))

	names := map[string]bool{}
	name := regexp.MustCompile(`fqName: "([^"]+)"`)
	for _, registry := range []*prometheus.Registry{doors, work} {
		descriptions := make(chan *prometheus.Desc)
		go func() {
			registry.Describe(descriptions)
			close(descriptions)
		}()
		for description := range descriptions {
			names[name.FindStringSubmatch(description.String())[1]] = true
		}
	}
	return names
}

func TestEveryAlertIsExplained(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../docs/operations.md")
	require.NoError(t, err)
	for _, group := range readRules(t).Groups {
		for _, rule := range group.Rules {
			require.Contains(t, string(manual), "### "+rule.Alert+"\n")
			require.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
			require.Contains(t, []string{"page", "ticket"}, rule.Labels["severity"], rule.Alert)
		}
	}
}

func TestDashboardHasNoTwoPanelsInOnePlace(t *testing.T) {
	t.Parallel()
	read := readDashboard(t)
	require.NotEmpty(t, read.UID)
	require.Positive(t, read.SchemaVersion)
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, panel := range read.Panels {
		require.False(t, ids[panel.ID], "two panels have the id %d", panel.ID)
		ids[panel.ID] = true
		for x := panel.GridPos.X; x < panel.GridPos.X+panel.GridPos.W; x++ {
			for y := panel.GridPos.Y; y < panel.GridPos.Y+panel.GridPos.H; y++ {
				require.Empty(t, taken[[2]int{x, y}], "%s lies on it", panel.Title)
				taken[[2]int{x, y}] = panel.Title
			}
		}
		require.LessOrEqual(t, panel.GridPos.X+panel.GridPos.W, 24, panel.Title)
		require.True(t, panel.Type == "row" || len(panel.Targets) > 0, panel.Title)
	}
}

// TestPrometheusReadsEveryExpression has Prometheus's own parser read the rules, play their tests, and read what the
// dashboard asks for.
func TestPrometheusReadsEveryExpression(t *testing.T) {
	t.Parallel()
	promtool, err := filepath.Abs("../.bin/promtool")
	require.NoError(t, err)
	if _, err := os.Stat(promtool); err != nil {
		t.Skip("promtool is not built; make check-ops builds it")
	}
	asked := filepath.Join(t.TempDir(), "asked.yaml")
	var file strings.Builder
	file.WriteString("groups:\n  - name: asked\n    rules:\n")
	for i, expression := range expressions(t) {
		expression = strings.ReplaceAll(expression, "$__rate_interval", "5m") // as Grafana does
		rule, err := yaml.Marshal([]map[string]string{{"record": "asked:" + string(rune('a'+i/26)) + string(rune('a'+i%26)), "expr": expression}})
		require.NoError(t, err)
		for line := range strings.Lines(string(rule)) {
			file.WriteString("      " + line)
		}
	}
	require.NoError(t, os.WriteFile(asked, []byte(file.String()), 0o600))
	for _, arguments := range [][]string{
		{"check", "rules", "--lint-fatal", "alerts.yaml"}, {"test", "rules", "alerts_test.yaml"}, {"check", "rules", asked},
	} {
		output, err := exec.CommandContext(t.Context(), promtool, arguments...).CombinedOutput()
		require.NoError(t, err, "promtool %s\n%s", strings.Join(arguments, " "), output)
	}
}
