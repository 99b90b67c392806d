// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace

/*
#include <stdlib.h>

#include <gtrace/gtrace.h>

// One call for both reports, so that a trace that comes through a pipe is
// read once.
static struct gtrace_error print_reports(const char *path, const char *binary,
                                         const char *go_command, size_t greedy,
                                         int dump, int fd)
{
	const struct gtrace_options options = {
		.size = sizeof(options),
		.binary = binary,
		.go_command = go_command,
	};
	const struct gtrace_request request = {
		.size = sizeof(request),
		.n = greedy,
	};
	const struct gtrace_output output = {.size = sizeof(output), .fd = fd};
	struct gtrace_error error = {.status = GTRACE_OK};
	struct gtrace *trace;

	if (gtrace_open_path(path, &options, &trace, &error) != GTRACE_OK)
		return error;
	if (greedy != 0)
		gtrace_print_greedy(trace, &request, &output, &error);
	if (dump && error.status == GTRACE_OK)
		gtrace_print_dump(trace, &output, &error);
	gtrace_close(trace);
	return error;
}
*/
import "C"

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// An index out of range, which does not compile, where the library numbers a
// Status differently.
var (
	_ = [1]struct{}{}[OpenError-C.GTRACE_ERROR_OPEN]
	_ = [1]struct{}{}[WriteError-C.GTRACE_ERROR_WRITE]
)

// Print writes the reports that r asks for to out. If it fails with an *Error
// other than a WriteError, nothing has been written.
func Print(out *os.File, r Request) error {
	path := C.CString(r.Path)
	defer C.free(unsafe.Pointer(path))
	binary := optional(r.Binary)
	defer C.free(unsafe.Pointer(binary))
	goCommand := optional(r.GoCommand)
	defer C.free(unsafe.Pointer(goCommand))
	var dump C.int
	if r.Dump {
		dump = 1
	}

	e := C.print_reports(path, binary, goCommand, C.size_t(r.Greedy), dump, C.int(out.Fd()))
	runtime.KeepAlive(out)
	if e.status == C.GTRACE_OK {
		return nil
	}
	return &Error{
		Status:     Status(e.status),
		BrokenPipe: syscall.Errno(e.system_error) == syscall.EPIPE,
		Offset:     uint64(e.offset),
		Message:    C.GoString(&e.message[0]),
	}
}

// optional returns s for C, to be freed, and NULL for an empty s.
func optional(s string) *C.char {
	if s == "" {
		return nil
	}
	return C.CString(s)
}
