// SPDX-License-Identifier: BSD-3-Clause

//go:build gtrace_native && cgo

// Gtrace says what stalls a Go program, from its execution trace. It is compiled
// from C: without the build tag gtrace_native it takes no C compiler.
package main

/*
#cgo CFLAGS: -std=c11 -O2 -I${SRCDIR}/native/c -I${SRCDIR}/native -I${SRCDIR}/native/c/include
#cgo LDFLAGS: -pthread
#include <stdlib.h>
int gtrace_main(int argc, char **argv);
*/
import "C"

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe"
)

func main() {
	// The signals are those of the C code.
	signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	argv := make([]*C.char, len(os.Args)+1)
	for i, arg := range os.Args {
		argv[i] = C.CString(arg)
	}
	array := C.malloc(C.size_t(len(argv)) * C.size_t(unsafe.Sizeof(argv[0])))
	copy(unsafe.Slice((**C.char)(array), len(argv)), argv)
	os.Exit(int(C.gtrace_main(C.int(len(os.Args)), (**C.char)(array))))
}
