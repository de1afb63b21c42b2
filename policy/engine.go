// Package policy decides what callers may do, which nodes they see and what an output needs before it is published.
// The rules are Rego; they live in a policy set, which an operator edits while the system runs.
//
// A set that does not compile, lacks an entry point or fails its own tests never takes effect. A policy answers from
// its input and its data alone, so one revision gives one answer to one question. Where it gives none, nothing is
// allowed and nothing is shown.
package policy

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
)

// Config says where the policy set is.
type Config struct {
	// Dir is the directory of the set. Empty means Default.
	Dir string
	// Default is the set to use where no Dir is given. It never changes.
	Default fs.FS
	// Log is told of every changed set that takes effect or fails to. Nil means slog.Default().
	Log *slog.Logger
	// Reloaded, unless nil, is called after each attempt to take a changed set into use, with the set's revision and
	// the reason why it failed. It must not block.
	Reloaded func(revision string, err error)
}

// Engine answers from the last good policy set. It is safe for concurrent use.
type Engine struct {
	config Config
	files  fs.FS
	inUse  atomic.Pointer[set]
	last   atomic.Pointer[attempt]
}

// attempt is the outcome of taking files into use. The revision is empty where they could not be read.
type attempt struct {
	revision string
	err      error
}

// repeats reports whether the files are those of the attempt before.
func (a attempt) repeats(before *attempt) bool {
	if a.revision == "" {
		return before.revision == "" && a.err.Error() == before.err.Error()
	}
	return a.revision == before.revision
}

// Load compiles and tests the set that config names, and takes it into use. A bad set is an error. Changes to the
// files take effect while Watch runs.
func Load(ctx context.Context, config Config) (*Engine, error) {
	if config.Log == nil {
		config.Log = slog.Default()
	}
	engine := &Engine{config: config, files: config.Default}
	if config.Dir != "" {
		engine.files = os.DirFS(config.Dir)
	}
	files, err := readFiles(engine.files)
	if err != nil {
		return nil, fmt.Errorf("read policies%s: %w", engine.place(), err)
	}
	compiled, err := compile(ctx, files)
	if err != nil {
		return nil, fmt.Errorf("policies%s: %w", engine.place(), err)
	}
	engine.inUse.Store(compiled)
	engine.last.Store(&attempt{revision: compiled.revision})
	return engine, nil
}

// Revision names the set in use: a hash of its files, in 32 hexadecimal digits.
func (e *Engine) Revision() string { return e.inUse.Load().revision }

// Failure is why the files as they are now are not in use, or nil where they are.
func (e *Engine) Failure() error { return e.last.Load().err }

// reload takes the files as they are now into use, unless the last attempt was with the same.
func (e *Engine) reload(ctx context.Context) {
	var now attempt
	files, err := readFiles(e.files)
	if err != nil {
		now.err = err
	} else {
		now.revision = files.revision()
	}
	if now.repeats(e.last.Load()) {
		return
	}
	if now.err == nil && now.revision != e.Revision() {
		now.err = e.replace(ctx, files)
	}
	if ctx.Err() != nil {
		return // a shutdown says nothing about the files
	}
	e.last.Store(&now)
	e.report(ctx, now)
}

// replace takes files into use, or leaves everything as it is and says why.
func (e *Engine) replace(ctx context.Context, files source) error {
	compiled, err := compile(ctx, files)
	if err != nil {
		return err
	}
	e.inUse.Store(compiled)
	return nil
}

func (e *Engine) report(ctx context.Context, now attempt) {
	log := e.config.Log.With("dir", e.config.Dir, "revision", now.revision)
	if now.err != nil {
		log.ErrorContext(ctx, "changed policies are not in use, the last good ones stay",
			"in_use", e.Revision(), "error", now.err)
	} else {
		log.InfoContext(ctx, "changed policies are in use")
	}
	if e.config.Reloaded != nil {
		e.config.Reloaded(now.revision, now.err)
	}
}

// place is the directory of the set as an error names it.
func (e *Engine) place() string {
	if e.config.Dir == "" {
		return ""
	}
	return " in " + e.config.Dir
}
