// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"io/ioutil"
	"runtime"
	"runtime/trace"
	"sync"
	"testing"
)

// recordTrace returns the trace of some goroutines that block, unblock one
// another and yield, and of a stop-the-world pause.
func recordTrace(t *testing.T) []byte {
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Skipf("cannot record a trace: %v", err)
	}
	var wg sync.WaitGroup
	c := make(chan int)
	for i := 0; i < 3; i++ {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for i := 0; i < 10; i++ {
				c <- i
			}
		}()
		go func() {
			defer wg.Done()
			for i := 0; i < 10; i++ {
				<-c
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	trace.Stop()
	return buf.Bytes()
}

// writeTrace writes data to a temporary file, which the caller removes.
func writeTrace(t *testing.T, data []byte) string {
	f, err := ioutil.TempFile("", "trace")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
