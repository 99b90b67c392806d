// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

// Package gtrace prints the reports of the gtrace library, which is written in
// C. This file takes the place of the library until the library is copied into
// this directory: its Print fails.
package gtrace

import (
	"errors"
	"os"
	"time"
)

// A Request says which trace to read, and which reports to print.
type Request struct {
	Path        string        // the trace
	Binary      string        // the program that wrote it, for traces of Go 1.6 and earlier
	GoCommand   string        // for the names of the functions in Binary
	Partial     bool          // whether to report the events before a fault of the trace
	Greedy      int           // how many of the longest slices to report; 0 for no such report
	Stops       int           // how many stop-the-world pauses to report; 0 for no such report
	Waits       int           // how many of the longest waits for a processor to report; 0 for no such report
	Delays      int           // how many of the slices that delayed others longest to report; 0 for no such report
	Blocks      int           // how many places where goroutines were blocked longest to report; 0 for no such report
	Goroutines  int           // how many functions that goroutines began in to report; 0 for no such report
	Requests    int           // how many requests of each kind to report; 0 for no such report
	Paths       int           // of how many kinds of requests to report so many critical paths; 0 for no such report
	Collections bool          // whether to report garbage collections
	Sched       time.Duration // at which intervals to report the scheduler; 0 for no such report
	Summary     bool          // whether to sum up the trace
	Dump        bool          // whether to print every event
	Format      Format        // how to print them
}

// A Format says how reports are printed.
type Format int

const (
	FormatText Format = 0
	FormatJSON Format = 1 // an object a line
	FormatCSV  Format = 2 // with a header
)

// A Status is the kind of an Error.
type Status int

// The kinds that differ from a trace that cannot be parsed.
const (
	OpenError    Status = 3 // the trace cannot be opened
	WriteError   Status = 5 // the report cannot be written
	VersionError Status = 7 // a trace of a version that is not read
)

// An Error is what the library reports.
type Error struct {
	Status     Status
	BrokenPipe bool // a WriteError: the other end of the pipe is closed
	Message    string
}

func (e *Error) Error() string { return e.Message }

// ErrNoCgo is the error of the library in a build without cgo.
var ErrNoCgo = errors.New("reports on traces need cgo")

// Print writes the reports that r asks for to out.
func Print(out *os.File, r Request) error {
	return errors.New("reports on traces need the gtrace library, which is not in the sources of this tool (patches/apply.sh of gtrace copies it there)")
}
