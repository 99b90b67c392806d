// SPDX-License-Identifier: BSD-3-Clause

//go:build !(cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64))
// +build !cgo !darwin,!dragonfly,!freebsd,!linux,!netbsd,!openbsd !amd64,!arm64

package gtrace

import "os"

// Available says whether this build has the library. Without it every function
// returns ErrNoCgo.
const Available = false

// Print returns ErrNoCgo.
func Print(out *os.File, r Request) error { return ErrNoCgo }

// Read returns ErrNoCgo.
func Read(r Request) (*Report, error) { return nil, ErrNoCgo }
