// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import (
	"syscall"
	"unsafe"
)

const canReserve = true

var (
	kernel       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc = kernel.NewProc("VirtualAlloc")
	virtualFree  = kernel.NewProc("VirtualFree")
)

// Of VirtualAlloc() and VirtualFree().
const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memRelease    = 0x8000
	pageNoAccess  = 0x01
	pageReadWrite = 0x04
)

// reserve returns size bytes that cannot be used yet.
func reserve(size uint64) ([]byte, error) {
	at, _, err := virtualAlloc.Call(0, uintptr(size), memReserve, pageNoAccess)
	if at == 0 {
		return nil, err
	}
	// It is no memory of Go, which would move it.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
}

func commit(bytes []byte) error {
	at, _, err := virtualAlloc.Call(uintptr(unsafe.Pointer(unsafe.SliceData(bytes))),
		uintptr(len(bytes)), memCommit, pageReadWrite)
	if at == 0 {
		return err
	}
	return nil
}

func release(reserved []byte) {
	virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(reserved))), 0, memRelease)
}
