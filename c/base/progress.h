/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - reports to the caller of the library how much of a trace has
 * been read. The formats count bytes once for each batch, not for each event.
 */
#ifndef GTRACE_BASE_PROGRESS_H_
#define GTRACE_BASE_PROGRESS_H_

#include <stddef.h>
#include <stdint.h>

/* The caller is called when at least this many more bytes have been read. */
#define PROGRESS_STEP ((uint64_t)1 << 16)

struct progress {
	void (*report)(void *context, uint64_t read);
	void *context;
	uint64_t read; /* in all passes so far */
	uint64_t reported;
};

/* Adds BYTES that have been read. PROGRESS may be NULL. */
static inline void progress_add(struct progress *progress, uint64_t bytes)
{
	if (progress == NULL)
		return;
	progress->read += bytes;
	if (progress->read - progress->reported < PROGRESS_STEP)
		return;
	progress->reported = progress->read;
	progress->report(progress->context, progress->read);
}

#endif /* GTRACE_BASE_PROGRESS_H_ */
