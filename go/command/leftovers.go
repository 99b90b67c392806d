// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// The leftovers of a command are files and folders that are not to stay when a
// signal ends the program: those that it is still writing.
type leftovers struct {
	sync.Mutex // also held while they are made, and no signal comes between
	names      map[string]bool
}

// Those of a process.
var left leftovers

var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// add makes what is called name, by make, and keeps it in mind.
func (l *leftovers) add(make func() (name string, err error)) error {
	l.Lock()
	defer l.Unlock()
	if l.names == nil {
		l.names = map[string]bool{}
		l.watch()
	}
	name, err := make()
	if err == nil {
		l.names[name] = true
	}
	return err
}

// done calls do, which removes name or gives it another one.
func (l *leftovers) done(name string, do func() error) error {
	l.Lock()
	defer l.Unlock()
	err := do()
	if err == nil {
		delete(l.names, name)
	}
	return err
}

// watch has signals that end the program remove what is left first.
func (l *leftovers) watch() {
	signals := make(chan os.Signal, 1)
	// Then a write to a closed pipe returns, see closedPipe().
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	for _, one := range ending {
		if !signal.Ignored(one) {
			signal.Notify(signals, one)
		}
	}
	go func() {
		came := <-signals
		l.remove()
		end(came)
	}()
}

// remove removes what is left, and lets nothing more be made.
func (l *leftovers) remove() {
	l.Lock()
	for name := range l.names {
		os.RemoveAll(name)
	}
}

// closedPipe ends the program as a write to out does, whose reader is gone.
func closedPipe(out *os.File) {
	left.remove()
	signal.Reset(syscall.SIGPIPE)
	out.Write([]byte{0})
	os.Exit(1)
}

// end ends the program by a signal, where that is possible.
func end(by os.Signal) {
	signal.Reset(by)
	self, err := os.FindProcess(os.Getpid())
	if err != nil || self.Signal(by) != nil {
		os.Exit(1)
	}
	select {}
}
