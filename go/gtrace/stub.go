// SPDX-License-Identifier: BSD-3-Clause

//go:build !(cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64))
// +build !cgo !darwin,!dragonfly,!freebsd,!linux,!netbsd,!openbsd !amd64,!arm64

package gtrace

import (
	"errors"
	"os"
)

// The library is C, and not in this build.
var errNoCgo = errors.New("reports on traces need cgo (on Unix, amd64 or arm64); this program was built without it")

// Print fails: it needs cgo.
func Print(out *os.File, r Request) error { return errNoCgo }

// Read fails: it needs cgo.
func Read(r Request) (*Report, error) { return nil, errNoCgo }
