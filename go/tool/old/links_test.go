// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/pages"
	"net/http/httptest"
	"strings"
	"testing"
)

// The main page links to the pages if they are there.
func TestMainPage(t *testing.T) {
	w := httptest.NewRecorder()
	httpMain(w, httptest.NewRequest("GET", "/", nil))
	for _, link := range []string{`<a href="/slices">`, `<a href="/stw">`, `<a href="/waits">`, `<a href="/blocks">`, `<a href="/paths">`} {
		if strings.Contains(w.Body.String(), link) != pages.Available {
			t.Errorf("%s is on the page, or should be", link)
		}
	}
}
