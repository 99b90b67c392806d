/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - what the system has beyond standard C, files and a clock.
 *
 * Programs of the WebAssembly System Interface (WASI) have one thread, receive
 * no signals, map no files, start no programs, and have no terminal and no
 * temporary files.
 */
#ifndef GTRACE_BASE_PLATFORM_H_
#define GTRACE_BASE_PLATFORM_H_

#if defined(__wasi__)
#define HAS_SIGNALS         0
#define HAS_THREADS         0
#define HAS_MAPPED_FILES    0
#define HAS_PROCESSES       0
#define HAS_TERMINALS       0
#define HAS_TEMPORARY_FILES 0
#else
#define HAS_SIGNALS         1
#define HAS_THREADS         1
#define HAS_MAPPED_FILES    1
#define HAS_PROCESSES       1
#define HAS_TERMINALS       1
#define HAS_TEMPORARY_FILES 1
#endif

#endif /* GTRACE_BASE_PLATFORM_H_ */
