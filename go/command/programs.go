// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/tetratelabs/wazero/api"
)

// isTerminal says whether file, a device, is one. Of the devices that programs are
// given, only terminals cannot be sought in.
func isTerminal(file *os.File) bool {
	_, err := file.Seek(0, io.SeekCurrent)
	return err != nil
}

// A program is one that the command has started.
type program struct {
	command *exec.Cmd
	out     *os.File
	once    sync.Once
	code    int
}

// lost is the status of a program that a signal ended.
const lost = 255

// start starts a program that how describes: the descriptors of its input and of
// what it says of errors, and its arguments, see child.c. A descriptor of what it
// prints is written to at.
func (h *host) start(m api.Module, how string, at uint32) uint32 {
	parts := strings.SplitN(how, "/", 3)
	if len(parts) != 3 {
		return inval
	}
	arguments := strings.Split(parts[2], "\x01")
	command := exec.Command(arguments[0], arguments[1:]...)
	in, messages := h.given(parts[0]), h.given(parts[1])
	if in == nil || in.File == nil || messages == nil || messages.File == nil {
		return badFile
	}
	command.Stdin, command.Stderr = in.File, messages.File
	if len(in.peeked) != 0 {
		command.Stdin = io.MultiReader(bytes.NewReader(in.peeked), in.File)
		in.peeked = nil
	}
	out, to, err := os.Pipe()
	if err != nil {
		return number(err)
	}
	command.Stdout = to
	err = command.Start()
	to.Close()
	if err != nil {
		out.Close()
		if errors.Is(err, exec.ErrNotFound) {
			return noEntry
		}
		return number(err)
	}
	return h.add(m, &file{File: out, run: &program{command: command, out: out}}, at)
}

// given returns the file of the descriptor that text has, or nil.
func (h *host) given(text string) *file {
	fd, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return nil
	}
	return h.files[uint32(fd)]
}

func (p *program) stop() {
	if p.command.Process.Signal(syscall.SIGTERM) != nil {
		p.command.Process.Kill()
	}
}

// status closes the pipe, waits for the end, and returns the exit status.
func (p *program) status() int {
	p.once.Do(func() {
		p.out.Close()
		p.command.Wait()
		p.code = p.command.ProcessState.ExitCode()
		if p.code < 0 {
			p.code = lost
		}
	})
	return p.code
}

// An interrupt is Ctrl-C, or SIGTERM, while the input still comes: the first one
// ends the input, and the second one the program.
type interrupt struct {
	signals chan os.Signal
	pieces  chan piece
	left    []byte // of a piece
	failed  error
	came    bool
}

type piece struct {
	bytes []byte
	err   error
}

// ask carries out what the command says by a name, see interrupt.c.
func (i *interrupt) ask(what string) uint32 {
	switch {
	case what == "catch" && i.signals == nil:
		i.pieces, i.left, i.failed = nil, nil, nil
		i.signals = make(chan os.Signal, 1)
		signal.Notify(i.signals, os.Interrupt, syscall.SIGTERM)
	case what == "release" && i.signals != nil:
		signal.Stop(i.signals)
		i.signals = nil
	case what == "came" && i.came:
		return ok
	}
	return noEntry
}

func (i *interrupt) isCaught() bool {
	return i.signals != nil
}

// read reads from a file until a signal comes. What it waits for when that does is
// given up.
func (i *interrupt) read(from *os.File, to []byte) (int, error) {
	if i.came {
		return 0, syscall.EINTR
	}
	if i.pieces == nil {
		i.pieces = make(chan piece)
		go func() {
			for {
				buffer := make([]byte, 1<<16)
				n, err := from.Read(buffer)
				i.pieces <- piece{buffer[:n], err}
				if err != nil {
					close(i.pieces)
					return
				}
			}
		}()
	}
	if len(i.left) == 0 && i.failed == nil {
		select {
		case next := <-i.pieces:
			i.left, i.failed = next.bytes, next.err
		case <-i.signals:
			i.came = true
			signal.Stop(i.signals)
			return 0, syscall.EINTR
		}
	}
	if len(i.left) == 0 && i.failed != nil {
		return 0, i.failed
	}
	n := copy(to, i.left)
	i.left = i.left[n:]
	return n, nil
}
