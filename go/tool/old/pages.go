// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/gtrace"
	"cmd/trace/internal/pages"
	"fmt"
	"net/http"
)

func init() {
	if pages.Available {
		handle("/findings", (*pages.Trace).Findings)
		handle("/slices", (*pages.Trace).Slices)
		handle("/stw", (*pages.Trace).Stops)
		handle("/waits", (*pages.Trace).Waits)
		handle("/blocks", (*pages.Trace).Blocks)
		handle("/paths", (*pages.Trace).Paths)
	}
}

type page func(*pages.Trace, http.ResponseWriter, *http.Request)

// handle has a page served at an address.
func handle(address string, page page) {
	http.HandleFunc(address, func(w http.ResponseWriter, r *http.Request) { servePage(w, r, page) })
}

func servePage(w http.ResponseWriter, r *http.Request, page page) {
	events, err := parseEvents()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	analyzeGoroutines(events)
	p := &pages.Trace{
		Request: gtrace.Request{Path: traceFile, Binary: programBinary, GoCommand: goCommand()},
		Group: func(goroutine int64) string {
			g := gs[uint64(goroutine)]
			if g == nil {
				return ""
			}
			return fmt.Sprintf("/goroutine?id=%d", g.PC)
		},
	}
	if err := setTimeline(p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	page(p, w, r)
}
