// SPDX-License-Identifier: BSD-3-Clause

//go:build !(cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64))
// +build !cgo !darwin,!dragonfly,!freebsd,!linux,!netbsd,!openbsd !amd64,!arm64

package gtrace

import (
	"errors"
	"os"
)

// Print fails: the library is C, and not in this build.
func Print(out *os.File, r Request) error {
	return errors.New("the -diagreedy and -dump reports need cgo (on Unix, amd64 or arm64); this tool was built without it")
}
