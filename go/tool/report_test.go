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

// reports returns what printReports prints about data, and its error.
func reports(t *testing.T, data []byte, greedy, stw int, dump bool) (string, error) {
	in := writeTrace(t, data)
	defer os.Remove(in)
	return reportsOf(t, in, greedy, stw, dump)
}

func reportsOf(t *testing.T, file string, greedy, stw int, dump bool) (string, error) {
	out, err := ioutil.TempFile("", "report")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(out.Name())
	defer out.Close()

	defer func(f string, g, s int, d bool) {
		traceFile, *greedyFlag, *stwFlag, *dumpFlag = f, g, s, d
	}(traceFile, *greedyFlag, *stwFlag, *dumpFlag)
	traceFile, *greedyFlag, *stwFlag, *dumpFlag = file, greedy, stw, dump

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

// TestGreedy checks the form and the order of the -diagreedy report.
func TestGreedy(t *testing.T) {
	const n = 5
	data := recordTrace(t)
	text, err := reports(t, data, n, 0, false)
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

	dump, err := reports(t, data, 0, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	stops, err := reports(t, data, 0, n, false)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := reports(t, data, n, n, true); err != nil || all != text+stops+dump {
		t.Errorf("all reports are not -diagreedy, -stw and then -dump (error %v)", err)
	}
}

// TestStops checks that -stw finds the stop-the-world pause.
func TestStops(t *testing.T) {
	text, err := reports(t, recordTrace(t), 0, 1000, false)
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

// TestFormat checks that JSON and CSV have the same slices, stops and events.
func TestFormat(t *testing.T) {
	defer func() { *formatFlag = "" }()
	data := recordTrace(t)
	for _, test := range []struct {
		greedy, stw int
		dump        bool
		key         string
	}{{5, 0, false, "duration"}, {0, 1000, false, "kind"}, {0, 0, true, "name"}} {
		*formatFlag = "csv"
		text, err := reports(t, data, test.greedy, test.stw, test.dump)
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
		*formatFlag = "json"
		text, err = reports(t, data, test.greedy, test.stw, test.dump)
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

	text, err := reportsOf(t, "no such file", 1, 1, true)
	check("no file", text, err, "failed to open trace file: open no such file: no such file or directory")

	junk := []byte("this text is no trace of a program")
	text, err = reports(t, junk, 1, 1, true)
	check("junk", text, err, "failed to parse trace: not a trace file")

	text, err = reports(t, recordTrace(t), -1, 0, true)
	check("-diagreedy=-1", text, err, "diagreedyFlag N must be bigger than 0")

	text, err = reports(t, recordTrace(t), 0, -1, true)
	check("-stw=-1", text, err, "-stw=N: N must not be below 0")
}

func TestReportFlags(t *testing.T) {
	defer func(f *flag.FlagSet) { flag.CommandLine, *formatFlag = f, "" }(flag.CommandLine)
	for _, test := range []struct{ args, want string }{
		{"-diagreedy=1 -dump", "<nil>"},
		{"-diagreedy=1 -stw=1", "<nil>"},
		{"-diagreedy=1 -http=:6060", "-http cannot be combined with -diagreedy, -stw or -dump"},
		{"-format=text -dump", "<nil>"},
		{"-format=json -dump -diagreedy=1 -stw=1", "<nil>"},
		{"-format=csv -dump -stw=0", "<nil>"},
		{"-format=csv -dump -stw=1", "-format=csv is for one report at a time"},
		{"-format=json", "-format is for -diagreedy, -stw and -dump"},
		{"-format=text -diagreedy=0", "-format is for -diagreedy, -stw and -dump"},
		{"-format=xml -dump", `-format="xml": want text, json or csv`},
	} {
		flag.CommandLine = flag.NewFlagSet("trace", flag.PanicOnError)
		flag.Int("diagreedy", 0, "")
		flag.Int("stw", 0, "")
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
