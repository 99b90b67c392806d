// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
)

// Of each input one of these is made, which its place in the folder decides.
var reports = [][]string{
	{"-format=text"},
	{"-format=json", "-max-output=8kB"},
	{"-dump"},
	{"-diagreedy=10"},
	{"-partial", "-format=text", "-stw=3", "-wait=3", "-delay=3", "-block=3"},
	{"-format=json", "-goroutines=5", "-requests=5"},
	{"-dump", "-format=csv", "-partial"},
	{"-critical-path=2", "-format=text"},
	{"-partial=unfinished", "-gctrace", "-schedtrace=1ms"},
	{"-html=-"},
	{"-pprof=block"},
	{"-timeline"},
	{"-max-slice=1ms", "-max-stop=1ms", "-max-wait=1ms", "-format=junit"},
	{"-anonymise", "-salt=a", "-o=-"},
	{"-func=main", "-diagreedy=5", "-format=csv"},
}

// What a command has printed, and its exit status.
type printed struct {
	out, errors []byte
	status      int
}

// A runner has the files that one command after the other prints to.
type runner struct {
	in, out, errors *os.File
}

func newRunner(t *testing.T) *runner {
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	files := [2]*os.File{}
	folder := t.TempDir()
	for i := range files {
		if files[i], err = os.CreateTemp(folder, ""); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { files[i].Close() })
	}
	return &runner{in, files[0], files[1]}
}

// take returns what the files have, and empties them.
func (r *runner) take(status int) (printed, error) {
	p := printed{status: status}
	for _, one := range []struct {
		file *os.File
		to   *[]byte
	}{{r.out, &p.out}, {r.errors, &p.errors}} {
		if _, err := one.file.Seek(0, io.SeekStart); err != nil {
			return p, err
		}
		var err error
		if *one.to, err = io.ReadAll(one.file); err != nil {
			return p, err
		}
		if err := one.file.Truncate(0); err != nil {
			return p, err
		}
		if _, err := one.file.Seek(0, io.SeekStart); err != nil {
			return p, err
		}
	}
	return p, nil
}

// asModule runs the command on e.
func (r *runner) asModule(e *engine, args []string) (printed, error) {
	h := newHost(append([]string{"gtrace"}, args...), r.in, r.out, r.errors)
	status, err := e.run(context.Background(), h)
	h.close()
	if err != nil {
		return printed{}, err
	}
	return r.take(status)
}

// asProgram runs the program called native.
func (r *runner) asProgram(native string, args []string) (printed, error) {
	command := exec.Command(native, args...)
	command.Stdout, command.Stderr = r.out, r.errors
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return printed{}, err
	}
	return r.take(command.ProcessState.ExitCode())
}

// same says what both print differently.
func (r *runner) same(e *engine, native string, args []string) (status int, err error) {
	want, err := r.asProgram(native, args)
	if err != nil {
		return 0, err
	}
	got, err := r.asModule(e, args)
	switch {
	case err != nil:
		return 0, err
	case got.status != want.status:
		return 0, fmt.Errorf("status %d, want %d: %s", got.status, want.status, got.errors)
	case !bytes.Equal(got.out, want.out):
		return 0, errors.New("another output")
	case !bytes.Equal(got.errors, want.errors):
		return 0, fmt.Errorf("says %q, want %q", got.errors, want.errors)
	}
	return got.status, nil
}

// TestInputs compares what the command prints, as WebAssembly, of all files of the
// folder GTRACE_INPUTS with what the program GTRACE_NATIVE does.
func TestInputs(t *testing.T) {
	folder, native := os.Getenv("GTRACE_INPUTS"), os.Getenv("GTRACE_NATIVE")
	if folder == "" || native == "" {
		t.Skip("GTRACE_INPUTS and GTRACE_NATIVE are not set")
	}
	ctx := context.Background()
	e, err := newEngine(ctx, wazero.NewCompilationCache())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(folder); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var mutex sync.Mutex
	statuses := map[int]int{}
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		r := newRunner(t)
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range next {
				args := append([]string{}, reports[i%len(reports)]...)
				args = append(args, files[i].Name())
				status, err := r.same(e, native, args)
				if err != nil {
					t.Errorf("gtrace %q: %v", args, err)
				}
				mutex.Lock()
				statuses[status]++
				mutex.Unlock()
			}
		}()
	}
	for i := range files {
		next <- i
	}
	close(next)
	workers.Wait()
	t.Logf("%d inputs, by exit status: %v", len(files), statuses)
}
