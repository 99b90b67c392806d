/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * builder.h - writes traces, record by record, for tests and benchmarks.
 *
 * The builder knows the wire format as a writer only. It checks nothing, so
 * that wrong traces can be built as well as right ones: any number of values,
 * any top bits, any claimed length, any bytes.
 *
 *	struct builder b;
 *
 *	builder_open(&b, 1008);
 *	builder_header(&b);
 *	builder_batch(&b, 0, 1000);
 *	BUILDER_EVENT(&b, EV_GO_CREATE, 10, 1, 2, 0);
 *	builder_frequency(&b, 1000000000);
 *	... b.bytes, b.size ...
 *	builder_close(&b);
 */
#ifndef GTRACE_TESTS_BUILDER_H_
#define GTRACE_TESTS_BUILDER_H_

#include "bytes.h"
#include "v1/table.h"

/*
 * A record with COUNT values, all that the format has for the type: timestamp
 * and, before 1007, sequence deltas too. Top bits and length are as the
 * runtime writes them for that many values.
 */
uint64_t builder_record(struct builder *b, unsigned type,
			const uint64_t *values, size_t count);

/* The same with TOP (0 to 3) in the top bits; 3 puts the length in front. */
uint64_t builder_record_as(struct builder *b, unsigned type, unsigned top,
			   const uint64_t *values, size_t count);

/* The same with top bits 3, claiming that the values are LENGTH bytes. */
uint64_t builder_record_claiming(struct builder *b, unsigned type,
				 uint64_t length, const uint64_t *values,
				 size_t count);

/*
 * An event: the values begin with the timestamp delta. Before 1007 the
 * builder puts SEQUENCE_STEP in front of them.
 */
uint64_t builder_event(struct builder *b, unsigned type, const uint64_t *values,
		       size_t count);

/* builder_record() and builder_event() with their values listed. */
#define BUILDER_VALUES(...)                                                    \
	(const uint64_t[]){__VA_ARGS__},                                       \
		sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)
#define BUILDER_RECORD(b, type, ...)                                           \
	builder_record(b, type, BUILDER_VALUES(__VA_ARGS__))
#define BUILDER_EVENT(b, type, ...)                                            \
	builder_event(b, type, BUILDER_VALUES(__VA_ARGS__))

/* A batch of processor P's events; before 1007 with sequence number 0. */
uint64_t builder_batch(struct builder *b, uint64_t p, uint64_t ticks);

uint64_t builder_frequency(struct builder *b, uint64_t ticks_per_second);

/* A string of the dictionary: TEXT, or SIZE bytes that may be anything. */
uint64_t builder_string(struct builder *b, uint64_t id, const char *text);
uint64_t builder_string_of(struct builder *b, uint64_t id, const void *data,
			   size_t size);

/* A stack, innermost frame first. Before 1007 of program counters alone. */
uint64_t builder_stack(struct builder *b, uint64_t id,
		       const struct builder_frame *frames, size_t count);

/* A user log; DELTA is the timestamp's, KEY a string's id. */
uint64_t builder_user_log(struct builder *b, uint64_t delta, uint64_t task,
			  uint64_t key, uint64_t stack, const char *message);

#endif /* GTRACE_TESTS_BUILDER_H_ */
