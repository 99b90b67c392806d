// SPDX-License-Identifier: BSD-3-Clause

//go:build (darwin || linux) && !(gtrace_native && cgo)

package main

import "syscall"

const canReserve = true

// reserve returns size bytes that cannot be used yet.
func reserve(size uint64) ([]byte, error) {
	return syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func commit(bytes []byte) error {
	return syscall.Mprotect(bytes, syscall.PROT_READ|syscall.PROT_WRITE)
}

func release(reserved []byte) {
	syscall.Munmap(reserved)
}
