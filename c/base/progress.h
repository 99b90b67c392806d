/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - tells the caller of the library how much of a trace has been
 * read. The formats add up once a batch; events cost nothing.
 */
#ifndef GTRACE_BASE_PROGRESS_H_
#define GTRACE_BASE_PROGRESS_H_

#include <stddef.h>
#include <stdint.h>

/* The caller is told each time that at least this many bytes were read. */
#define PROGRESS_STEP ((uint64_t)1 << 16)

struct progress {
	void (*report)(void *context, uint64_t read);
	void *context;
	uint64_t read; /* in all passes so far */
	uint64_t reported;
};

/* BYTES more have been read. PROGRESS may be NULL. */
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
