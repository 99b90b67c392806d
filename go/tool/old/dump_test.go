// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"fmt"
	"internal/trace"
	"sort"
	"strings"
	"testing"
)

// TestDump compares -dump with the events that internal/trace reads. The order
// of events at the same time is not specified, and differs in internal/trace
// from run to run.
func TestDump(t *testing.T) {
	data := recordTrace(t)
	defer serve(writeTrace(t, data))()
	events, err := parseEvents()
	if err != nil {
		t.Skipf("cannot parse the trace: %v", err)
	}
	var want []string
	for _, ev := range events {
		want = append(want, fmt.Sprintf("Off: %d type: %d %s Ts: %d P: %d G: %d StkID: %d args0: %d args1: %d args2: %d",
			ev.Off, ev.Type, trace.EventDescriptions[ev.Type].Name, ev.Ts, ev.P, ev.G, ev.StkID, ev.Args[0], ev.Args[1], ev.Args[2]))
	}

	text, err := reports(t, data, "-dump")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	if lines[0] != "dump" {
		t.Errorf("the first line is %q, want dump", lines[0])
	}
	var got []string
	var last int64
	for _, line := range lines[1:] {
		// A line about an event begins with a tab and an address. Both
		// this address and the one after link are particular to -dump.
		if !strings.HasPrefix(line, "\t0x") {
			continue
		}
		event := line[strings.Index(line, " ")+1 : strings.Index(line, " link:")]
		got = append(got, event)
		var off, typ, ts int64
		var name string
		if _, err := fmt.Sscanf(event, "Off: %d type: %d %s Ts: %d", &off, &typ, &name, &ts); err != nil {
			t.Fatalf("%q: %v", event, err)
		}
		if ts < last {
			t.Errorf("%q after an event at %d", event, last)
		}
		last = ts
	}

	sort.Strings(got)
	sort.Strings(want)
	if len(got) != len(want) {
		t.Fatalf("%d events dumped, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("got  %s\nwant %s", got[i], want[i])
		}
	}
}
