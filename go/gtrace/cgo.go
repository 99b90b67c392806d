// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace

// Where the library is in this repository, once Bazel has built it. In a Go
// tree the library's sources are part of the package, and this file is not.

// #cgo CFLAGS: -I${SRCDIR}/../../c/include
// #cgo LDFLAGS: ${SRCDIR}/../../bazel-bin/c/libgtrace.a -pthread
import "C"
