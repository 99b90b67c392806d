// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

// The reports that flags ask for, such as -diagreedy.

package main

import (
	"cmd/trace/internal/gtrace"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// howToBuild is printed by a tool that has the library, but was built without
// cgo.
const howToBuild = "with a C compiler installed, CGO_ENABLED=1 go tool trace ... builds the tool with cgo"

// reportFlags are the flags that ask for reports, as messages name them.
const reportFlags = "-diagreedy, -stw, -wait, -delay, -block, -goroutines, -requests, " +
	"-gctrace, -schedtrace, -dump"

var (
	greedyFlag = flag.Int("diagreedy", 0, "dump the top N greedy goroutines")
	stwFlag    = flag.Int("stw", 0, "who held up the stop-the-world pauses, the N that took longest")
	waitFlag   = flag.Int("wait", 0, "the N longest waits for a processor: behind whom")
	delayFlag  = flag.Int("delay", 0, "the N slices that made others wait longest")
	blockFlag  = flag.Int("block", 0, "the N places where goroutines were blocked longest")
	livesFlag  = flag.Int("goroutines", 0, "goroutines by function: where their time went")
	servedFlag = flag.Int("requests", 0, "requests, tasks and regions: where their time went")
	gcFlag     = flag.Bool("gctrace", false, "garbage collections, as GODEBUG=gctrace=1 prints them")
	schedFlag  = flag.Duration("schedtrace", 0, "the scheduler at these intervals")
	dumpFlag   = flag.Bool("dump", false, "dump all traced out as format text to stdout")
	formatFlag = flag.String("format", "", "print these as text, json or csv")
)

// wantReports is whether the flags ask for a report, or for its format.
func wantReports() bool {
	return *greedyFlag|*stwFlag|*waitFlag|*delayFlag|*blockFlag|*livesFlag|*servedFlag != 0 ||
		*gcFlag || *schedFlag != 0 || *dumpFlag || *formatFlag != ""
}

// reportsMain prints the reports that the flags ask for, and returns the exit
// status.
func reportsMain() int {
	err := checkReportFlags()
	if err == nil {
		err = printReports(os.Stdout)
	}
	if err == nil {
		return 0
	}
	if _, ok := err.(usageError); ok {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	// A program such as head closes the pipe once it has read enough. That
	// is not reported, and neither is the SIGPIPE that it would be
	// elsewhere, as the go command prints a message about a signal.
	if e, ok := err.(*gtrace.Error); !ok || !e.BrokenPipe {
		fmt.Fprintln(os.Stderr, err)
	}
	return 1
}

// A usageError says what is wrong with the flags.
type usageError string

func (e usageError) Error() string { return string(e) }

// formats has the values of -format.
var formats = map[string]gtrace.Format{
	"":     gtrace.FormatText,
	"text": gtrace.FormatText,
	"json": gtrace.FormatJSON,
	"csv":  gtrace.FormatCSV,
}

// checkReportFlags returns an error if the flags ask for what cannot be printed,
// or if there are flags that reports would ignore.
func checkReportFlags() error {
	var err error
	reports := 0
	flag.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "format":
		case "diagreedy", "stw", "wait", "delay", "block", "goroutines", "requests",
			"gctrace", "schedtrace", "dump":
			if f.Value.String() != f.DefValue {
				reports++
			}
		default:
			err = usageError(fmt.Sprintf("-%s cannot be combined with reports (%s)", f.Name, reportFlags))
		}
	})
	format, ok := formats[*formatFlag]
	switch {
	case !ok:
		return usageError(fmt.Sprintf("-format=%q: want text, json or csv", *formatFlag))
	case reports == 0:
		return usageError(fmt.Sprintf("-format is for reports (%s)", reportFlags))
	case reports > 1 && format == gtrace.FormatCSV:
		return usageError("-format=csv is for one report at a time")
	}
	return err
}

// printReports prints the reports to out. The gtrace library reads the trace
// by itself, one part at a time, so that the size of the trace does not matter.
func printReports(out *os.File) error {
	if *greedyFlag < 0 {
		return fmt.Errorf("diagreedyFlag N must be bigger than 0")
	}
	names := []string{"stw", "wait", "delay", "block", "goroutines", "requests"}
	for i, n := range []int{*stwFlag, *waitFlag, *delayFlag, *blockFlag, *livesFlag, *servedFlag} {
		if n < 0 {
			return fmt.Errorf("-%s=N: N must not be below 0", names[i])
		}
	}
	if *schedFlag < 0 {
		return fmt.Errorf("-schedtrace=TIME: TIME must be above 0")
	}
	err := gtrace.Print(out, gtrace.Request{
		Path:        traceFile,
		Binary:      programBinary,
		GoCommand:   goCommand(),
		Greedy:      *greedyFlag,
		Stops:       *stwFlag,
		Waits:       *waitFlag,
		Delays:      *delayFlag,
		Blocks:      *blockFlag,
		Goroutines:  *livesFlag,
		Requests:    *servedFlag,
		Collections: *gcFlag,
		Sched:       *schedFlag,
		Dump:        *dumpFlag,
		Format:      formats[*formatFlag],
	})
	if err == nil {
		return nil
	}
	if err == gtrace.ErrNoCgo {
		return fmt.Errorf("%v\n%s", err, howToBuild)
	}
	e, ok := err.(*gtrace.Error)
	if !ok {
		return err
	}
	switch e.Status {
	case gtrace.OpenError:
		return fmt.Errorf("failed to open trace file: %v", e)
	case gtrace.WriteError:
		return e
	case gtrace.VersionError:
		return fmt.Errorf("failed to parse trace: %s\nreports read traces of Go 1.5 to Go 1.27", e.Message)
	}
	return fmt.Errorf("failed to parse trace: %s", e.Message)
}

// goCommand returns the go command of this tree, or "" if it has none.
func goCommand() string {
	path := filepath.Join(runtime.GOROOT(), "bin", "go")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
