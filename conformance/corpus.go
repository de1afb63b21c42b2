package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// corpus is the directory of a corpus; its README says what is in it.
type corpus string

func (c corpus) present() bool {
	_, err := os.Stat(filepath.Join(string(c), "synthetic"))
	return err == nil
}

// file is one document of a folder.
type file struct {
	name string
	body []byte
}

// folders lists the folders of a part of the corpus, such as "events", in order; none where it has no such part.
func (c corpus) folders(part string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(string(c), part))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var folders []string
	for _, entry := range entries {
		if entry.IsDir() {
			folders = append(folders, filepath.Join(part, entry.Name()))
		}
	}
	return folders, nil
}

// files reads the documents of a folder in the order of their names, which is that in which they were emitted.
func (c corpus) files(folder string) ([]file, error) {
	entries, err := os.ReadDir(filepath.Join(string(c), folder))
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		if extension := filepath.Ext(entry.Name()); extension != ".json" && extension != ".bin" {
			continue
		}
		body, err := os.ReadFile(filepath.Join(string(c), folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{entry.Name(), body})
	}
	return files, nil
}

// expected is a row of synthetic/EXPECT.tsv.
type expected struct {
	// name is that of the case and of its folder.
	name string
	// rule says what a consumer should do.
	rule string
}

// expected reads synthetic/EXPECT.tsv: a header, then case, number of documents and rule.
func (c corpus) expected() ([]expected, error) {
	table, err := os.ReadFile(filepath.Join(string(c), "synthetic", "EXPECT.tsv"))
	if err != nil {
		return nil, err
	}
	var rows []expected
	for i, line := range slices.DeleteFunc(strings.Split(string(table), "\n"), func(line string) bool { return line == "" })[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) != 3 {
			return nil, fmt.Errorf("EXPECT.tsv: row %d has %d columns, not 3", i+2, len(columns))
		}
		rows = append(rows, expected{columns[0], columns[2]})
	}
	return rows, nil
}
