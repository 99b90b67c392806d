/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * apart.h - several traces at a time where there are no threads: a host of WASI runs
 * copies of the command, each with a memory of its own.
 *
 * A copy reads one trace. What it finds lies at addresses that nothing else has, so
 * that the host can copy it to the same ones here.
 */
#ifndef GTRACE_TOOLS_APART_H_
#define GTRACE_TOOLS_APART_H_

#include <stddef.h>

#include "base/platform.h"

#if !HAS_THREADS
/*
 * Has a host that can do that read all traces that are files, COUNT at a time; 0: it
 * chooses. What is found of those is in jobs, and their `apart` is set. A trace for
 * which a copy has too little memory is not read.
 */
void apart_read(size_t count);
#endif

#endif /* GTRACE_TOOLS_APART_H_ */
