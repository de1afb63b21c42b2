package policy

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// announceChanges gives a channel that tells of changes below dir until ctx ends. It holds one announcement: several
// changes may be told as one. With an error the channel is nil and tells nothing.
func announceChanges(ctx context.Context, log *slog.Logger, dir string) (<-chan struct{}, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := watchTree(watcher, dir); err != nil {
		_ = watcher.Close()
		return nil, err
	}
	changes := make(chan struct{}, 1)
	go func() {
		defer func() { _ = watcher.Close() }()
		for {
			select {
			case <-ctx.Done():
				return
			case event := <-watcher.Events:
				if filepath.Dir(event.Name) == filepath.Dir(dir) && event.Name != dir {
					continue // a neighbour of dir
				}
				if event.Has(fsnotify.Create | fsnotify.Remove | fsnotify.Rename) {
					_ = watchTree(watcher, dir) // polling sees what a failure here leaves unwatched
				}
			case err := <-watcher.Errors:
				log.WarnContext(ctx, "changes of policies may have gone unannounced", "dir", dir, "error", err)
			}
			select {
			case changes <- struct{}{}:
			default:
			}
		}
	}()
	return changes, nil
}

// watchTree watches dir, its folders, and its parent, which tells when dir itself is replaced. Watches follow what a
// path led to when they were made, so they are made anew. A folder that is gone meanwhile was announced by the one
// above it.
func watchTree(watcher *fsnotify.Watcher, dir string) error {
	for _, watched := range watcher.WatchList() {
		_ = watcher.Remove(watched) // fails where the folder is gone, and the watch with it
	}
	if err := watcher.Add(filepath.Dir(dir)); err != nil {
		return err
	}
	// The separator makes the walk follow dir where it is a link.
	err := filepath.WalkDir(dir+string(filepath.Separator), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return watcher.Add(name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
