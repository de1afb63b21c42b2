package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// disk is a file system of its own, in memory, that can be filled at will.
type disk struct{ dir string }

// diskBytes is how large the disk is while it is not full; memory is taken only for what is on it.
const diskBytes = 4 << 30

// limitDisk makes a disk at dir, or returns nil where this process may not.
func limitDisk(dir string) (*disk, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	err := syscall.Mount("headwater-drill", dir, "tmpfs", 0, fmt.Sprintf("size=%d", diskBytes))
	if errors.Is(err, syscall.EPERM) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("mount a disk for the log: %w", err)
	}
	return &disk{dir}, nil
}

// fill leaves no room. It fails when what is on the disk grows faster than it can be measured.
func (d *disk) fill() (err error) {
	for range 20 {
		var stat syscall.Statfs_t
		if err := syscall.Statfs(d.dir, &stat); err != nil {
			return err
		}
		// A disk cannot be made smaller than what is on it by then.
		if err = d.resize((stat.Blocks - stat.Bfree) * uint64(stat.Bsize)); !errors.Is(err, syscall.EINVAL) {
			return err
		}
	}
	return err
}

// free makes room again.
func (d *disk) free() error { return d.resize(diskBytes) }

func (d *disk) resize(bytes uint64) error {
	err := syscall.Mount("headwater-drill", d.dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", bytes))
	if err != nil {
		return fmt.Errorf("resize the disk of the log: %w", err)
	}
	return nil
}

// release gives the disk up with all that is on it.
func (d *disk) release() error {
	if d == nil {
		return nil
	}
	return syscall.Unmount(d.dir, syscall.MNT_DETACH)
}

// hint says what to do with a disk that is kept.
func (d *disk) hint() string {
	if d == nil {
		return ""
	}
	return "; unmount " + d.dir + " before you remove it"
}
