package stack

import (
	"bytes"
	"fmt"
	"os"
)

// OpenLog opens a log file for appending, so that the story of earlier starts is kept.
func OpenLog(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return file, nil
}

// WithLog adds the end of the log to an error, since that is where a service says what went wrong.
func WithLog(err error, path string) error {
	const lines = 5
	content, readErr := os.ReadFile(path)
	if readErr != nil || len(content) == 0 {
		return err
	}
	last := bytes.Split(bytes.TrimSpace(content), []byte("\n"))
	if len(last) > lines {
		last = last[len(last)-lines:]
	}
	return fmt.Errorf("%w\nthe end of %s:\n%s", err, path, bytes.Join(last, []byte("\n")))
}
