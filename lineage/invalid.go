package lineage

import "fmt"

// InvalidError says why an event can never be accepted as it is. Its text is meant for the producer.
type InvalidError struct {
	// Code is stable and for programs, such as "missing_event_time".
	Code string
	// Path is where in the document, such as "inputs[2].name"; empty for the document as a whole.
	Path string
	// Reason says what is wrong and what to send instead.
	Reason string
}

func (e *InvalidError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

func invalid(code, path, format string, args ...any) *InvalidError {
	return &InvalidError{Code: code, Path: RedactText(path), Reason: RedactText(fmt.Sprintf(format, args...))}
}
