// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gtrace_native && cgo)

package main

import "syscall"

func init() {
	for code, same := range map[syscall.Errno]syscall.Errno{
		39:                        syscall.ENOSPC, // ERROR_HANDLE_DISK_FULL
		112:                       syscall.ENOSPC, // ERROR_DISK_FULL
		123:                       syscall.ENOENT, // ERROR_INVALID_NAME
		161:                       syscall.ENOENT, // ERROR_BAD_PATHNAME
		206:                       syscall.ENAMETOOLONG,
		232:                       syscall.EPIPE,   // ERROR_NO_DATA
		267:                       syscall.ENOTDIR, // ERROR_DIRECTORY
		syscall.ERROR_BROKEN_PIPE: syscall.EPIPE,
	} {
		numbers[code] = numbers[same]
	}
}
