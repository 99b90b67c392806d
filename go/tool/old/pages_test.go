// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/pages"
	"encoding/json"
	"html"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// body returns the page at an address, which must be there.
func body(t *testing.T, address string) string {
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", address, nil))
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
	defer serve(writeTrace(t, timelineTrace(t)))()
	split := splitTimeline(t)
	for _, whole := range []bool{true, false} {
		ranges = nil
		if !whole {
			ranges = split
		}
		page := body(t, "/slices?n=200")
		// Length with its link, goroutine with its link.
		rows := regexp.MustCompile(`<a href="([^"#]+)#([0-9.]+):[0-9.]+">[^<]*</a></td>\n<td class="number"><a href="([^"]+)">([0-9]+)</a>`).FindAllStringSubmatch(page, -1)
		if len(rows) < 50 {
			t.Fatalf("%d slices, want more", len(rows))
		}
		missing, used := 0, make(map[string]bool)
		for _, row := range rows {
			address := html.UnescapeString(row[1])
			used[address] = true
			if !strings.HasPrefix(address, "/trace") {
				t.Fatalf("a link to %s", address)
			}
			start, _ := strconv.ParseFloat(row[2], 64)
			if !inTimeline(t, body(t, "/json"+address[1:]), start) {
				missing++
			}
		}
		// A slice that starts when a range ends can be in the next one.
		if missing > len(ranges) {
			t.Errorf("%d of %d slices are not in the timeline (%d ranges)", missing, len(rows), len(ranges))
		}
		if !whole && len(used) < 2 {
			t.Errorf("links to %d of %d ranges", len(used), len(ranges))
		}
		if group := body(t, html.UnescapeString(rows[0][3])); !strings.Contains(group, rows[0][4]) {
			t.Errorf("goroutine %s is not in its group %s", rows[0][4], rows[0][3])
		}
	}
}

// inTimeline looks for a slice that starts at start, in milliseconds.
func inTimeline(t *testing.T, text string, start float64) bool {
	var data struct {
		Events []struct {
			Phase string  `json:"ph"`
			Time  float64 `json:"ts"`
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	const ns = 1e-3 // of a microsecond
	for _, e := range data.Events {
		if e.Phase == "X" && math.Abs(e.Time-start*1000) < ns {
			return true
		}
	}
	return false
}
