//go:build !linux

package main

import "os"

// disk is a file system that can be filled at will. There is none here.
type disk struct{}

func limitDisk(dir string) (*disk, error) { return nil, os.Mkdir(dir, 0o755) }

func (*disk) fill() error    { return nil }
func (*disk) free() error    { return nil }
func (*disk) release() error { return nil }
func (*disk) hint() string   { return "" }
