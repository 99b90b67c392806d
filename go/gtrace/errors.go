// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"errors"
	"fmt"
)

// A Status is the kind of an Error, with the library's numbers.
type Status int

// The kinds that a caller may want to tell from a bad trace.
const (
	ArgumentError Status = 1  // the Request is not valid
	MemoryError   Status = 2  // out of memory
	OpenError     Status = 3  // the trace cannot be opened
	ReadError     Status = 4  // the trace cannot be read, or was changed meanwhile
	WriteError    Status = 5  // the report cannot be written
	VersionError  Status = 7  // a trace of a version that is not read
	CutOffError   Status = 15 // the file ends before the trace does
)

// An Error is what the library found wrong.
type Error struct {
	Status     Status
	BrokenPipe bool   // a WriteError: the other end of the pipe is closed
	Path       string // the trace
	Offset     uint64 // where in the trace, or 0
	Message    string // what is wrong; of a damaged trace in the words of Go's own parser
	Err        error  // of the system call that failed, or nil
}

// Error returns the message, after the name of the trace if the trace is at
// fault.
func (e *Error) Error() string {
	switch e.Status {
	case ArgumentError, MemoryError, OpenError, WriteError:
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Unwrap returns e.Err, so that errors.Is(err, os.ErrNotExist) is true of a trace
// that does not exist.
func (e *Error) Unwrap() error { return e.Err }

// A PartialError says that a report, which has been printed or returned, covers
// only a part of its trace. Only Requests with Partial or Unfinished lead to it.
type PartialError struct {
	Fault  Error  // what ended the trace
	Offset uint64 // where reading ended
	Size   uint64 // the number of bytes from Offset to the end of the file
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("the trace is at fault at byte %d: %s; nothing was read from byte %d on (%d bytes)",
		e.Fault.Offset, e.Fault.Message, e.Offset, e.Size)
}

// Unwrap returns the fault, which is an *Error. A caller that uses the report in
// spite of it looks for a *PartialError first.
func (e *PartialError) Unwrap() error { return &e.Fault }

// ErrNoCgo is the error of every function in a build without the library, which
// is in C.
var ErrNoCgo = errors.New("reports on traces need cgo (on Unix, amd64 or arm64); this program was built without it")
