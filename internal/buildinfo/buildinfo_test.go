package buildinfo

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuildIsToldByVersionAndCommit(t *testing.T) {
	t.Parallel()
	built := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "75bfa59"}, {Key: "vcs.time", Value: "2026-07-19T00:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	require.Contains(t, of(built).String(), "headwater v1.2.3 (revision 75bfa59 of 2026-07-19T00:00:00Z, modified, go")
	require.NotContains(t, of(&debug.BuildInfo{}).String(), "revision")
	require.Equal(t, "(devel)", of(nil).Version)
}
