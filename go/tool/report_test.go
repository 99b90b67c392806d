// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io/ioutil"
	"os"
	"strings"
	"testing"
)

// reports returns what printReports prints about data, with args as flags, and its
// error.
func reports(t *testing.T, data []byte, args string) (string, error) {
	in := writeTrace(t, data)
	defer os.Remove(in)
	return reportsOf(t, in, args)
}

func reportsOf(t *testing.T, file, args string) (string, error) {
	out, err := ioutil.TempFile("", "report")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(out.Name())
	defer out.Close()

	defer func(file string) { traceFile = file }(traceFile)
	traceFile = file
	defer setFlags(t, args)()
	printErr := printReports(out)
	if printErr != nil && strings.Contains(printErr.Error(), "reports on traces need") {
		t.Skip(printErr)
	}
	text, err := ioutil.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), printErr
}

// setFlags sets the flags of this tool that args has. It returns a function that
// undoes this.
func setFlags(t *testing.T, args string) func() {
	var set []*flag.Flag
	for _, arg := range strings.Fields(args) {
		nameValue := strings.SplitN(arg[1:]+"=true", "=", 3)
		f := flag.Lookup(nameValue[0])
		if err := f.Value.Set(nameValue[1]); err != nil {
			t.Fatal(err)
		}
		set = append(set, f)
	}
	return func() {
		for _, f := range set {
			f.Value.Set(f.DefValue)
		}
	}
}

// TestGreedy checks the form and the order of the -diagreedy report.
func TestGreedy(t *testing.T) {
	const n = 5
	data := recordTrace(t)
	text, err := reports(t, data, "-diagreedy=5")
	if err != nil {
		t.Fatal(err)
	}
	header := fmt.Sprintf("finally the found toppest %d greedy goroutines info\n", n)
	if !strings.HasPrefix(text, header) {
		t.Errorf("the report begins with %.80q, want %q", text, header)
	}
	var slices int
	var last int64
	for _, line := range strings.Split(text, "\n") {
		var ns int64
		var s float64
		if strings.HasPrefix(line, "\t\t") {
			continue
		}
		if _, err := fmt.Sscanf(line, "\t%dns -> %fs", &ns, &s); err != nil {
			continue
		}
		if slices > 0 && ns > last {
			t.Errorf("a slice of %dns after one of %dns", ns, last)
		}
		slices++
		last = ns
	}
	if slices != n {
		t.Errorf("%d slices, want %d:\n%s", slices, n, text)
	}

	for _, args := range []string{"-stw=5", "-wait=5", "-delay=5", "-block=5", "-goroutines=5", "-requests=5",
		"-gctrace", "-schedtrace=1ms", "-dump"} {
		one, err := reports(t, data, args)
		if err != nil {
			t.Fatal(err)
		}
		text += one
	}
	if all, err := reports(t, data, "-dump -schedtrace=1ms -gctrace -requests=5 -goroutines=5 -block=5 -delay=5 -wait=5 -stw=5 -diagreedy=5"); err != nil || all != text {
		t.Errorf("all reports are not those of each flag in their order (error %v)", err)
	}
}

// TestStops checks that -stw finds the stop-the-world pause.
func TestStops(t *testing.T) {
	text, err := reports(t, recordTrace(t), "-stw=1000")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "stops of the world: ") {
		t.Errorf("the report begins with %.80q", text)
	}
	// Each stop is a line that ends with what it was for.
	if n := strings.Count(text, "us read mem stats\n"); n != 1 {
		t.Errorf("%d stops to read the memory statistics, want 1:\n%s", n, text)
	}
}

// TestWaits checks that -wait finds that goroutines are created and run.
func TestWaits(t *testing.T) {
	text, err := reports(t, recordTrace(t), "-wait=3 -delay=3")
	if err != nil {
		t.Fatal(err)
	}
	var whole, created int
	if _, err := fmt.Sscanf(text, "waits for a processor: %d whole", &whole); err != nil {
		t.Errorf("%v: the report begins with %.80q", err, text)
	}
	if i := strings.Index(text, "\nafter GoCreate "); i >= 0 {
		fmt.Sscanf(text[i+1:], "after GoCreate %d", &created)
	}
	// The tracer may create more.
	if created < 6 || whole < created {
		t.Errorf("%d waits, %d after GoCreate, want 6 at least:\n%s", whole, created, text)
	}
	if !strings.Contains(text, "\ndelay: goroutines waited ") {
		t.Errorf("no delays:\n%s", text)
	}
}

// TestBlocks checks that -block finds the channels of recordTrace. Of those who meet
// at one, a sender or a receiver is blocked.
func TestBlocks(t *testing.T) {
	text, err := reports(t, recordTrace(t), "-block=1000")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "blocked ") ||
		!strings.Contains(text, "channel receive") && !strings.Contains(text, "channel send") {
		t.Errorf("no channel:\n%s", text)
	}
}

// TestFormat checks that JSON and CSV have the same slices, stops and events.
func TestFormat(t *testing.T) {
	data := recordTrace(t)
	for _, test := range []struct{ args, key string }{
		{"-diagreedy=5", "duration"}, {"-stw=1000", "kind"}, {"-wait=5", "wait"}, {"-block=1000", "sum"}, {"-schedtrace=1ms", "ts"}, {"-dump", "name"},
	} {
		text, err := reports(t, data, test.args+" -format=csv")
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(records) < 2 {
			t.Fatalf("%d records, error %v", len(records), err)
		}
		column := 0
		for column < len(records[0])-1 && records[0][column] != test.key {
			column++
		}
		text, err = reports(t, data, test.args+" -format=json")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(text, "\n")
		if len(lines) != len(records) {
			t.Fatalf("%s: %d lines of JSON, %d records of CSV", test.key, len(lines)-1, len(records)-1)
		}
		for i, record := range records[1:] {
			var object map[string]interface{}
			d := json.NewDecoder(strings.NewReader(lines[i]))
			d.UseNumber()
			if err := d.Decode(&object); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(object[test.key]); got != record[column] {
				t.Errorf("%s: %s in JSON, %s in CSV", test.key, got, record[column])
			}
		}
	}
}

func TestReportErrors(t *testing.T) {
	check := func(what, text string, err error, want string) {
		if text != "" {
			t.Errorf("%s: printed %q", what, text)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", what, err, want)
		}
	}

	text, err := reportsOf(t, "no such file", "-diagreedy=1 -stw=1 -dump")
	check("no file", text, err, "failed to open trace file: open no such file: no such file or directory")

	junk := []byte("this text is no trace of a program")
	text, err = reports(t, junk, "-wait=1 -stw=1 -dump")
	check("junk", text, err, "failed to parse trace: not a trace file")

	text, err = reports(t, recordTrace(t), "-diagreedy=-1 -dump")
	check("-diagreedy=-1", text, err, "diagreedyFlag N must be bigger than 0")

	for _, name := range []string{"-stw", "-wait", "-delay", "-block", "-goroutines", "-requests"} {
		text, err = reports(t, recordTrace(t), name+"=-1 -dump")
		check(name, text, err, name+"=N: N must not be below 0")
	}
}

func TestReportFlags(t *testing.T) {
	defer func(f *flag.FlagSet) { flag.CommandLine, *formatFlag = f, "" }(flag.CommandLine)
	for _, test := range []struct{ args, want string }{
		{"-diagreedy=1 -dump", "<nil>"},
		{"-diagreedy=1 -stw=1 -wait=1 -delay=1 -block=1 -goroutines=1 -requests=1 -gctrace -schedtrace=1ms", "<nil>"},
		{"-diagreedy=1 -http=:6060", "-http cannot be combined with reports (-diagreedy, -stw, -wait, -delay, -block, -goroutines, -requests, -gctrace, -schedtrace, -dump)"},
		{"-format=text -dump", "<nil>"},
		{"-format=json -dump -diagreedy=1 -stw=1", "<nil>"},
		{"-format=csv -dump -stw=0", "<nil>"},
		{"-format=csv -wait=1 -delay=1", "-format=csv is for one report at a time"},
		{"-format=csv -dump -stw=1", "-format=csv is for one report at a time"},
		{"-format=json", "-format is for reports (-diagreedy, -stw, -wait, -delay, -block, -goroutines, -requests, -gctrace, -schedtrace, -dump)"},
		{"-format=text -diagreedy=0", "-format is for reports (-diagreedy, -stw, -wait, -delay, -block, -goroutines, -requests, -gctrace, -schedtrace, -dump)"},
		{"-format=xml -dump", `-format="xml": want text, json or csv`},
	} {
		flag.CommandLine = flag.NewFlagSet("trace", flag.PanicOnError)
		flag.Int("diagreedy", 0, "")
		flag.Int("stw", 0, "")
		flag.Int("wait", 0, "")
		flag.Int("delay", 0, "")
		flag.Int("block", 0, "")
		flag.Int("goroutines", 0, "")
		flag.Int("requests", 0, "")
		flag.Bool("gctrace", false, "")
		flag.Duration("schedtrace", 0, "")
		flag.Bool("dump", false, "")
		flag.String("http", "", "")
		flag.StringVar(formatFlag, "format", "", "")
		flag.CommandLine.Parse(strings.Fields(test.args))
		err := checkReportFlags()
		if fmt.Sprint(err) != test.want {
			t.Errorf("%s: error %v, want %s", test.args, err, test.want)
		}
		if _, ok := err.(usageError); ok != (err != nil) {
			t.Errorf("%s: %T is no error of usage", test.args, err)
		}
	}
}
