// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"fmt"
	tracereader "internal/trace"
	"io"
	"strings"
	"testing"
)

// A dumpedEvent is what both -dump and internal/trace tell about an event.
type dumpedEvent struct{ time, thread, proc, goroutine int64 }

// TestDump compares -dump with the events that internal/trace reads, in the
// same order. Times are relative to the first event. Sync events are left out,
// as how many of them there are depends on the release.
func TestDump(t *testing.T) {
	data := recordTrace(t)
	r, err := tracereader.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var want []dumpedEvent
	for {
		ev, err := r.ReadEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind() == tracereader.EventSync {
			continue
		}
		want = append(want, dumpedEvent{int64(ev.Time()), int64(ev.Thread()), int64(ev.Proc()), int64(ev.Goroutine())})
	}

	text, err := reports(t, data, "-dump")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "dump\n") {
		t.Errorf("the dump begins with %.80q, want dump", text)
	}
	var got []dumpedEvent
	for _, line := range strings.Split(text, "\n") {
		// A line about an event begins with a tab and an address.
		if !strings.HasPrefix(line, "\t0x") || strings.Contains(line, " Sync Ts: ") {
			continue
		}
		var e dumpedEvent
		fields := line[strings.Index(line, "Ts: "):]
		if _, err := fmt.Sscanf(fields, "Ts: %d M: %d P: %d G: %d", &e.time, &e.thread, &e.proc, &e.goroutine); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got = append(got, e)
	}
	if len(got) == 0 || len(got) != len(want) {
		t.Fatalf("%d events dumped, want %d", len(got), len(want))
	}
	gotStart, wantStart := got[0].time, want[0].time
	for i := range got {
		got[i].time -= gotStart
		want[i].time -= wantStart
		if got[i] != want[i] {
			t.Fatalf("event %d: got %v, want %v", i, got[i], want[i])
		}
	}
}
