/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synthetic_writer.h - the runtime's side of a synthetic trace: a clock, a
 * buffer a processor, and the dictionary at the end of the file.
 */
#ifndef GTRACE_TESTS_SYNTHETIC_WRITER_H_
#define GTRACE_TESTS_SYNTHETIC_WRITER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "builder.h"
#include "synthetic.h"

/* Strings that events refer to. They are written before their first use. */
enum synthetic_string {
	STRING_LABELS = 1, /* of collector goroutines */
	STRING_TASKS = 4,
	STRING_REGIONS = 8,
	STRING_KEYS = 12,
	STRING_FUNCTIONS = 16, /* from here on in the dictionary */
};
#define LABEL_COUNT  3
#define TASK_COUNT   4
#define REGION_COUNT 4
#define KEY_COUNT    4

/* What one processor has written and the file does not have yet. */
struct buffer {
	struct builder bytes;
	uint64_t ticks;    /* of the last event */
	uint64_t sequence; /* of the last event, before 1007 */
	bool batch;        /* has begun one */
};

struct writer {
	const struct synthetic_options *options;
	struct buffer *buffers; /* by processor, then the samples' */
	uint64_t now;           /* ticks */
	uint64_t step;          /* ticks between events, at most */
	uint64_t sequence;      /* of the last event, before 1007 */
	uint64_t events;
	uint64_t random;
	uint32_t strings; /* those written, bit by id */
};

void writer_open(struct writer *w, const struct synthetic_options *options);

/* Writes out all buffers and the tail. TIMERS: a goroutine's id, or 0. */
void writer_close(struct writer *w, uint64_t timers);

/* A number from 0 to LIMIT - 1. */
uint32_t writer_random(struct writer *w, uint32_t limit);

/* A stack's id. A few are much more frequent than the others. */
uint64_t writer_stack(struct writer *w);

/* The next event shall be later than all before it. */
void writer_strict(struct writer *w);

/* Whether events have sequence numbers and none has a Local form. */
static inline bool writer_is_old(const struct writer *w)
{
	return w->options->version < 1007;
}

/* Takes the next sequence number for an event that is written later. */
uint64_t writer_sequence(struct writer *w);

/*
 * Events of processor P with the arguments that the format has, stack id
 * included; the writer adds the timestamp.
 */
void writer_event0(struct writer *w, uint32_t p, unsigned type);
void writer_event1(struct writer *w, uint32_t p, unsigned type, uint64_t a);
void writer_event2(struct writer *w, uint32_t p, unsigned type, uint64_t a,
		   uint64_t b);
void writer_event3(struct writer *w, uint32_t p, unsigned type, uint64_t a,
		   uint64_t b, uint64_t c);
void writer_event4(struct writer *w, uint32_t p, unsigned type, uint64_t a,
		   uint64_t b, uint64_t c, uint64_t d);

/* A user log of processor P; KEY is a string's id. */
void writer_log(struct writer *w, uint32_t p, uint64_t task, unsigned key,
		const char *message);

/* A profiler's sample of goroutine G, which runs on processor P. */
void writer_sample(struct writer *w, uint32_t p, uint64_t g);

/* Makes string ID known, in P's buffer if it is not yet. Returns ID. */
uint64_t writer_string(struct writer *w, uint32_t p, unsigned id);

/* The strings and stacks of all events; see synthetic_stacks.c. */
void synthetic_stacks(struct builder *b, uint64_t seed);

#define SYNTHETIC_STACKS 300

#endif /* GTRACE_TESTS_SYNTHETIC_WRITER_H_ */
