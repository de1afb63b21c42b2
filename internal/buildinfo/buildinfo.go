// Package buildinfo says which build of Headwater this process is, by what the Go toolchain wrote into it.
package buildinfo

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Info describes a build.
type Info struct {
	// Version is that of the module, such as v1.2.3, or (devel) where it was built in a working copy.
	Version string `json:"version"`
	// Revision and Time are of the commit. Both are empty where the build was made without version control.
	Revision string `json:"revision,omitzero"`
	Time     string `json:"time,omitzero"`
	// Modified reports that the working copy differed from the commit.
	Modified bool   `json:"modified,omitzero"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Read gives the build of this process.
func Read() Info {
	built, _ := debug.ReadBuildInfo() // nil only where modules were off
	return of(built)
}

func of(built *debug.BuildInfo) Info {
	info := Info{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if built == nil {
		return info
	}
	if built.Main.Version != "" {
		info.Version = built.Main.Version
	}
	for _, setting := range built.Settings {
		switch setting.Key {
		case "vcs.revision":
			info.Revision = setting.Value
		case "vcs.time":
			info.Time = setting.Value
		case "vcs.modified":
			info.Modified = setting.Value == "true"
		}
	}
	return info
}

// String is the build in a line.
func (i Info) String() string {
	var parts []string
	if i.Revision != "" {
		revision := "revision " + i.Revision
		if i.Time != "" {
			revision += " of " + i.Time
		}
		if i.Modified {
			revision += ", modified"
		}
		parts = append(parts, revision)
	}
	return "headwater " + i.Version + " (" + strings.Join(append(parts, i.Go, i.Platform), ", ") + ")"
}
