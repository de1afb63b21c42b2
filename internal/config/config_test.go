package config_test

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/config"
)

type settings struct {
	Serve struct {
		Listen   string   `default:"default"`
		S3Bucket string   `name:"s3-bucket"`
		Scopes   []string `sep:","`
		Limit    int
	} `cmd:""`
	Other struct {
		Only string
	} `cmd:""`
	Ask struct {
		Limit  int
		Reason string
	} `cmd:""`
}

func parse(t *testing.T, file string, args ...string) (*settings, error) {
	t.Helper()
	resolver, err := config.Load(strings.NewReader(file))
	require.NoError(t, err)
	var parsed settings
	parser, err := kong.New(&parsed, config.Environment("serve", "other"), kong.Resolvers(resolver))
	require.NoError(t, err)
	if len(args) == 0 || args[0] != "ask" {
		args = append([]string{"serve"}, args...)
	}
	_, err = parser.Parse(args)
	return &parsed, err
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	parsed, err := parse(t, "")
	require.NoError(t, err)
	require.Equal(t, "default", parsed.Serve.Listen)

	parsed, err = parse(t, "listen: file")
	require.NoError(t, err)
	require.Equal(t, "file", parsed.Serve.Listen)

	t.Setenv("HEADWATER_LISTEN", "environment")
	parsed, err = parse(t, "listen: file")
	require.NoError(t, err)
	require.Equal(t, "environment", parsed.Serve.Listen)

	parsed, err = parse(t, "listen: file", "--listen=flag")
	require.NoError(t, err)
	require.Equal(t, "flag", parsed.Serve.Listen)
}

func TestEnvironmentKeepsDigitsInTheirWord(t *testing.T) {
	t.Setenv("HEADWATER_S3_BUCKET", "archive")
	parsed, err := parse(t, "")
	require.NoError(t, err)
	require.Equal(t, "archive", parsed.Serve.S3Bucket)
}

func TestFileMayNestNames(t *testing.T) {
	parsed, err := parse(t, "s3: {bucket: archive}\nscopes: [a, b]\nlimit: 3\nonly: for another command")
	require.NoError(t, err)
	require.Equal(t, "archive", parsed.Serve.S3Bucket)
	require.Equal(t, []string{"a", "b"}, parsed.Serve.Scopes)
	require.Equal(t, 3, parsed.Serve.Limit)
}

func TestWhatIsSaidAnewEachTimeIsNoSetting(t *testing.T) {
	t.Setenv("HEADWATER_REASON", "of another day")
	t.Setenv("HEADWATER_LIMIT", "7")
	parsed, err := parse(t, "", "ask")
	require.NoError(t, err)
	require.Empty(t, parsed.Ask.Reason)
	require.Equal(t, 7, parsed.Ask.Limit, "a setting of serve holds wherever it is a flag")
	_, err = parse(t, "reason: of another day", "ask")
	require.ErrorContains(t, err, `there is no setting "reason"`)
}

func TestUnknownNamesAreAllReported(t *testing.T) {
	_, err := parse(t, "lisen: x\ns3: {buckett: y}")
	require.ErrorContains(t, err, `"lisen"`)
	require.ErrorContains(t, err, `"s3-buckett"`)
}

func TestMalformedFileIsRefused(t *testing.T) {
	_, err := config.Load(strings.NewReader("listen: [unclosed"))
	require.ErrorContains(t, err, "read configuration")
}
