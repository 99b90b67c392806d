// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"
)

// A trace that comes from a reader has the reports of the file.
func TestInput(t *testing.T) {
	needCgo(t)
	for _, trace := range small(t) {
		want, wantErr := Read(Request{Path: trace, Greedy: 5, Stops: 5, Waits: 5, Summary: true})
		f, err := os.Open(trace)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(Request{Path: trace, Input: iotest.HalfReader(f), Greedy: 5, Stops: 5, Waits: 5, Summary: true})
		f.Close()
		if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: another report of a reader, and %v", trace, err)
		}
	}
}

func TestPrintInput(t *testing.T) {
	needCgo(t)
	trace := filepath.Join(testdata, "go1.27-small", "idle.trace")
	want, err := report(Request{Path: trace, Greedy: 5, Dump: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := report(Request{Path: trace, Input: iotest.OneByteReader(f), Greedy: 5, Dump: true})
	if err != nil || got != want {
		t.Errorf("printed %q and %v, want %q", got, err, want)
	}
}

var errPlug = errors.New("somebody pulled the plug")

// plug is a reader that fails.
type plug struct{}

func (plug) Read([]byte) (int, error) { return 0, errPlug }

// What a reader fails with is the error of the call, at any place.
func TestInputFails(t *testing.T) {
	needCgo(t)
	trace := filepath.Join(testdata, "go1.27-small", "gens.trace")
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, n := range []int64{0, 10, 1000, 10000} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		input := io.MultiReader(io.LimitReader(f, n), plug{})
		_, err := Read(Request{Path: trace, Input: input, Greedy: 1})
		e, ok := err.(*Error)
		if !ok || e.Status != ReadError || e.Err != errPlug {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	if _, err := Read(Request{Path: "text", Input: bytes.NewReader(make([]byte, 1<<20)), Greedy: 1}); err == nil {
		t.Error("zeros are a trace")
	}
	if _, err := Read(Request{Path: trace, Input: bytes.NewReader(nil), Greedy: 1}); err == nil {
		t.Error("nothing is a trace")
	}
}
