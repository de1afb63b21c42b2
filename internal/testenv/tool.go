package testenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// tool returns the path of a program that `make tools` built.
func tool(name string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, ".bin", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: run `make tools` first", err)
	}
	return path, nil
}

// moduleRoot is the nearest directory above the working directory that has a go.mod: tests run in their package's.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = parent
	}
}
