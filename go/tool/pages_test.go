// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"cmd/trace/internal/pages"
	"encoding/json"
	"html"
	"internal/trace/traceviewer"
	"internal/trace/traceviewer/format"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// body returns the page at an address, which must be there.
func body(t *testing.T, h http.Handler, address string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", address, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d: %s", address, w.Code, w.Body)
	}
	return w.Body.String()
}

// TestPages follows the links of the slices to the timeline, of a whole trace
// and of one that is split, and looks for the slices there.
func TestPages(t *testing.T) {
	if !pages.Available {
		t.Skip("built without the gtrace library")
	}
	data := recordTrace(t)
	file := writeTrace(t, data)
	defer os.Remove(file)
	parsed, err := parseTrace(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	// The size of the trace depends on the machine.
	var split []traceviewer.Range
	for size := 1 << 20; len(split) < 2 && size > 0; size /= 2 {
		splitter, c := traceviewer.SplittingTraceConsumer(size)
		if err := generateTrace(parsed, defaultGenOpts(), c); err != nil {
			t.Fatal(err)
		}
		split = splitter.Ranges
	}
	for _, ranges := range [][]traceviewer.Range{nil, split} {
		p := newPages(file, parsed, ranges)
		page := body(t, http.HandlerFunc(p.Slices), "/slices?n=1000")
		// Length with its link, goroutine with its link.
		rows := regexp.MustCompile(`<a href="([^"#]+)#[0-9.]+:([0-9.]+)">[^<]*</a></td>\n<td class="number"><a href="([^"]+)">([0-9]+)</a>`).FindAllStringSubmatch(page, -1)
		if len(rows) < 50 {
			t.Fatalf("%d slices, want more", len(rows))
		}
		missing, used := 0, make(map[string]bool)
		for _, row := range rows {
			address := html.UnescapeString(row[1])
			used[address] = true
			if !strings.HasPrefix(address, "/trace?") {
				t.Fatalf("a link to %s", address)
			}
			end, _ := strconv.ParseFloat(row[2], 64)
			if !inTimeline(t, body(t, JSONTraceHandler(parsed), "/json"+address[1:]), "G"+row[4], end) {
				missing++
			}
		}
		// A slice that ends when a range does can be in the next one.
		if missing > len(ranges) {
			t.Errorf("%d of %d slices are not in the timeline (%d ranges)", missing, len(rows), len(ranges))
		}
		if ranges != nil && len(used) < 2 {
			t.Errorf("links to %d of %d ranges", len(used), len(ranges))
		}
		group := body(t, GoroutineHandler(parsed.summary.Goroutines), html.UnescapeString(rows[0][3]))
		if !strings.Contains(group, ">"+rows[0][4]+"<") {
			t.Errorf("goroutine %s is not in its group %s", rows[0][4], rows[0][3])
		}
	}
}

// inTimeline looks for a slice of the goroutine that ends at end, in milliseconds.
// A system call divides a slice in the timeline. The name of the goroutine's function
// follows, if an event has told it.
func inTimeline(t *testing.T, text, goroutine string, end float64) bool {
	var data format.Data
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	const ns = 1e-3 // of a microsecond
	for _, e := range data.Events {
		if e.Phase == "X" && strings.HasPrefix(e.Name+" ", goroutine+" ") && math.Abs(e.Time+e.Dur-end*1000) < ns {
			return true
		}
	}
	return false
}

func TestRangeOf(t *testing.T) {
	ranges := []traceviewer.Range{{EndTime: 10}, {StartTime: 9, EndTime: 5}, {StartTime: 20, EndTime: 25}}
	for _, test := range []struct {
		ranges []traceviewer.Range
		end    time.Duration
		want   int
	}{{nil, 5, -1}, {ranges, 0, 0}, {ranges, 10, 0}, {ranges, 11, 1}, {ranges, 20, 1}, {ranges, 21, 2}, {ranges, 31, 2}} {
		if got := rangeOf(test.ranges, test.end); got != test.want {
			t.Errorf("%v: %d, want %d", test.end, got, test.want)
		}
	}
}

// The main page links to the pages if they are there.
func TestMainPage(t *testing.T) {
	without := body(t, traceviewer.MainHandler(nil, false), "/")
	with := body(t, traceviewer.MainHandler(nil, true), "/")
	for _, link := range []string{`<a href="/slices">`, `<a href="/stw">`, `<a href="/waits">`, `<a href="/blocks">`, `<a href="/paths">`} {
		if strings.Contains(without, link) || !strings.Contains(with, link) {
			t.Errorf("%s is on the wrong page", link)
		}
	}
}
