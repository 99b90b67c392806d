// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	testdata    = "../../testdata"
	headerError = 6 // GTRACE_ERROR_HEADER
)

// report returns what Print writes.
func report(r Request) (string, error) {
	f, err := ioutil.TempFile("", "gtrace")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	printed := Print(f, r)
	text, err := ioutil.ReadFile(f.Name())
	if err != nil {
		return "", err
	}
	return string(text), printed
}

// needCgo skips a test where there is no library.
func needCgo(t *testing.T) {
	_, err := report(Request{})
	if _, ok := err.(*Error); !ok {
		t.Skip(err)
	}
}

// small lists the small traces, with -short those of at most 16 KiB.
func small(t *testing.T) []string {
	traces, err := filepath.Glob(filepath.Join(testdata, "*-small", "*.trace"))
	if err != nil || len(traces) == 0 {
		t.Fatalf("no traces in %s: %v", testdata, err)
	}
	if !testing.Short() {
		return traces
	}
	var short []string
	for _, trace := range traces {
		if info, err := os.Stat(trace); err == nil && info.Size() <= 16<<10 {
			short = append(short, trace)
		}
	}
	return short
}

func TestGreedyGolden(t *testing.T) {
	needCgo(t)
	for _, trace := range small(t) {
		want, err := ioutil.ReadFile(strings.TrimSuffix(trace, ".trace") + ".diagreedy10")
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := report(Request{Path: trace, Greedy: 10})
		if err != nil {
			t.Errorf("%s: %v", trace, err)
		} else if got != string(want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", trace, got, want)
		}
	}
}

// Both reports are what each is alone, and several at once disturb nothing.
func TestBoth(t *testing.T) {
	needCgo(t)
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, trace := range small(t) {
		greedy, err := report(Request{Path: trace, Greedy: 3})
		if err != nil {
			t.Fatalf("%s: %v", trace, err)
		}
		dump, err := report(Request{Path: trace, Dump: true})
		if err != nil {
			t.Fatalf("%s: %v", trace, err)
		}
		wg.Add(1)
		go func(trace string) {
			defer wg.Done()
			both, err := report(Request{Path: trace, Greedy: 3, Dump: true})
			if err != nil || both != greedy+dump {
				t.Errorf("%s: both reports at once differ from one after the other: %v", trace, err)
			}
		}(trace)
	}
}

func TestErrors(t *testing.T) {
	needCgo(t)
	dir, err := ioutil.TempDir("", "gtrace")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text := filepath.Join(dir, "text")
	if err := ioutil.WriteFile(text, bytes.Repeat([]byte("text"), 10), 0666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, message string
		status        Status
	}{
		{filepath.Join(dir, "none"), "open " + filepath.Join(dir, "none") + ": no such file or directory", OpenError},
		{text, "not a trace file", headerError},
	} {
		got, err := report(Request{Path: test.path, Greedy: 1, Dump: true})
		e, ok := err.(*Error)
		if !ok || e.Status != test.status || e.Message != test.message {
			t.Errorf("%s: got %#v, want status %d, %q", test.path, err, test.status, test.message)
		}
		if got != "" {
			t.Errorf("%s: wrote %q in spite of the error", test.path, got)
		}
	}
}

// A trace that is cut off before the first generation ends.
func TestUnfinished(t *testing.T) {
	needCgo(t)
	data, err := ioutil.ReadFile(filepath.Join(testdata, "go1.27-small", "http.trace"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ioutil.TempFile("", "gtrace")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write(data[:6000]); err != nil {
		t.Fatal(err)
	}
	good, err := Read(Request{Path: f.Name(), Greedy: 10, Partial: true})
	if _, ok := err.(*PartialError); !ok || len(good.Slices) != 0 {
		t.Errorf("Partial: %v", err)
	}
	all, err := Read(Request{Path: f.Name(), Greedy: 10, Unfinished: true})
	if _, ok := err.(*PartialError); !ok || len(all.Slices) != 10 {
		t.Errorf("Unfinished: %v", err)
	}
}

// A reader that goes away is an error here, and not the end of the process:
// which of the two it shall be is for the caller to know.
func TestClosedPipe(t *testing.T) {
	needCgo(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	err = Print(w, Request{Path: small(t)[0], Greedy: 1})
	e, ok := err.(*Error)
	if !ok || e.Status != WriteError || !e.BrokenPipe {
		t.Errorf("got %#v, want a WriteError with BrokenPipe", err)
	}
}

// Slices, stops and events are the same in each format.
func TestFormats(t *testing.T) {
	needCgo(t)
	path := small(t)[0]
	for _, test := range []struct {
		request Request
		key     string
	}{
		{Request{Greedy: 10}, "duration"},
		{Request{Stops: 10}, "kind"},
		{Request{Waits: 10}, "wait"},
		{Request{Delays: 10}, "delay"},
		{Request{Dump: true}, "name"},
	} {
		r := test.request
		r.Path, r.Format = path, FormatCSV
		text, err := report(r)
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		r.Format = FormatJSON
		text, err = report(r)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		if len(lines) != len(records) || len(lines) < 2 && r.Stops == 0 {
			t.Fatalf("%s: %d lines of JSON, %d records", test.key, len(lines)-1, len(records)-1)
		}
		column := make(map[string]int)
		for i, name := range records[0] {
			column[name] = i
		}
		for i, record := range records[1:] {
			var object map[string]interface{}
			d := json.NewDecoder(strings.NewReader(lines[i]))
			d.UseNumber()
			if err := d.Decode(&object); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"trace", test.key} {
				if got, want := fmt.Sprint(object[key]), record[column[key]]; got != want {
					t.Errorf("%s: %s in JSON, %s in CSV", key, got, want)
				}
			}
			if object["trace"] != path {
				t.Errorf("the trace is called %v, want %s", object["trace"], path)
			}
		}
	}
	for _, r := range []Request{
		{Greedy: 1, Stops: 1, Format: FormatCSV},
		{Greedy: 1, Dump: true, Format: FormatCSV},
		{Greedy: 1, Format: 3},
		{Dump: true, Format: -1},
	} {
		r.Path = path
		text, err := report(r)
		if e, ok := err.(*Error); !ok || e.Status != ArgumentError || text != "" {
			t.Errorf("%+v: %q, error %v", r, text, err)
		}
	}
}
