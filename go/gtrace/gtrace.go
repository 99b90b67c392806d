// SPDX-License-Identifier: BSD-3-Clause

// Package gtrace prints the reports of the gtrace C library about execution
// traces: the longest times that goroutines kept a processor, and all events.
//
// It hands a file name and a file descriptor to the library, which reads and
// writes them itself.
package gtrace

// A Request says which reports to print, and of what.
type Request struct {
	Path string // the trace

	// Binary is the program that wrote the trace. Only traces of Go 1.6
	// and earlier need it, for the names of their functions, and GoCommand
	// is the go command that finds these ("" for the one in PATH).
	Binary    string
	GoCommand string

	Greedy int  // how many of the longest slices to report; 0 for no such report
	Dump   bool // whether to print every event, after the other report
}

// A Status is the kind of an Error, with the library's numbers.
type Status int

// The kinds that a caller may want to tell from a bad trace.
const (
	OpenError  Status = 3 // the trace cannot be opened
	WriteError Status = 5 // the report cannot be written
)

// An Error is what the library found wrong.
type Error struct {
	Status     Status
	BrokenPipe bool   // a WriteError: nobody reads the pipe any more
	Offset     uint64 // where in the trace, or 0
	Message    string // in the words of Go's own parser
}

func (e *Error) Error() string { return e.Message }
