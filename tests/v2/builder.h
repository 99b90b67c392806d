/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * builder.h - builds traces of Go 1.22 and later, batch by batch, for tests
 * with cmocka. The builder checks nothing. Only a test includes it, after
 * cmocka.h.
 *
 *	begin_file(26);
 *	put_clock(1000000000);
 *	begin_batch(7, 100);
 *	put(PROC_STATUS, 3, 1, 0, 1);
 *	end_batch();
 *	... put_stacks(), put_strings() ...
 *	end_generation();
 *	... built.data, built.size ...
 */
#ifndef GTRACE_TESTS_V2_BUILDER_H_
#define GTRACE_TESTS_V2_BUILDER_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/bytes.h"

#define NONE UINT64_MAX

/* Type bytes of batches and records. */
enum {
	BATCH = 1,
	STACKS,
	STACK,
	STRINGS,
	STRING,
	SAMPLES,
	SAMPLE,
	FREQUENCY,
	PROCS_CHANGE,
	PROC_START,
	PROC_STOP,
	PROC_STEAL,
	PROC_STATUS,
	GO_CREATE,
	GO_CREATE_SYSCALL,
	GO_START,
	GO_DESTROY,
	GO_DESTROY_SYSCALL,
	GO_STOP,
	GO_BLOCK,
	GO_UNBLOCK,
	GO_SYSCALL_BEGIN,
	GO_SYSCALL_END,
	GO_SYSCALL_END_BLOCKED,
	GO_STATUS,
	STW_BEGIN,
	STW_END,
	GC_ACTIVE,
	GC_BEGIN,
	GC_END,
	SWEEP_ACTIVE,
	SWEEP_BEGIN,
	SWEEP_END,
	ASSIST_ACTIVE,
	ASSIST_BEGIN,
	ASSIST_END,
	HEAP_ALLOC,
	TASK_BEGIN = 40,
	TASK_END,
	REGION_BEGIN,
	REGION_END,
	GO_SWITCH = 45,
	GO_SWITCH_DESTROY,
	GO_CREATE_BLOCKED,
	GO_STATUS_STACK,
	EXPERIMENT,
	SYNC,
	SNAPSHOT,
	END,
	SPAN = 128,
};

#ifndef BUILT_MAX
#define BUILT_MAX (1 << 18)
#endif

static struct {
	uint8_t data[BUILT_MAX];
	size_t size;
	size_t batch; /* where the data of the open batch begins */
	uint64_t generation;
	unsigned version;
} built;

static inline void put_byte(uint8_t byte)
{
	assert_true(built.size < sizeof(built.data));
	built.data[built.size++] = byte;
}

static inline void put_value(uint64_t value)
{
	assert_true(built.size + VALUE_BYTES <= sizeof(built.data));
	built.size = (size_t)(put_leb128(built.data + built.size, value) -
			      built.data);
}

/* A type byte and values; the first of LIST is how many follow it. */
static inline void put_list(uint8_t type, const uint64_t *list)
{
	uint64_t i;

	put_byte(type);
	for (i = 1; i <= list[0]; i++)
		put_value(list[i]);
}

/* A type byte, how many values follow, and the values. */
#define put(type, ...) put_list(type, (const uint64_t[]){__VA_ARGS__})

static inline void begin_file(unsigned version)
{
	char header[32];
	int size = snprintf(header, sizeof(header), "go 1.%u trace", version);

	memset(&built, 0, sizeof(built));
	memcpy(built.data, header, (size_t)size);
	built.size = (size_t)size + 3;
	built.version = version;
	built.generation = 1;
}

/* The size of a batch is written when it ends, in as many bytes as Go does. */
static inline void begin_batch(uint64_t m, uint64_t time)
{
	put(BATCH, 3, built.generation, m, time);
	built.batch = built.size + 10;
	built.size = built.batch;
}

static inline void end_batch(void)
{
	uint64_t size = built.size - built.batch;
	unsigned i;

	for (i = 0; i < 9; i++)
		built.data[built.batch - 10 + i] =
			(uint8_t)(size >> 7 * i | 0x80);
	built.data[built.batch - 1] = 0;
}

static inline void put_string(uint64_t id, const char *text)
{
	put(STRING, 2, id, strlen(text));
	while (*text != '\0')
		put_byte((uint8_t)*text++);
}

static inline void put_clock(uint64_t frequency)
{
	begin_batch(NONE, 90);
	if (built.version >= 25) {
		put_byte(SYNC);
		put(SNAPSHOT, 4, 1, 2, 3, 4);
	}
	put(FREQUENCY, 1, frequency);
	end_batch();
}

/* Four events of thread 7, on processor 0, with goroutine 1. */
static inline void put_events(void)
{
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 1, 1, 1);
	put(GO_START, 3, 1, 1, 1);
	end_batch();
}

/*
 * Begins a batch with the TYPE byte of a table in a new file. Returns the
 * offset of the record that follows.
 */
static inline size_t begin_table(uint8_t type)
{
	begin_file(26);
	put_clock(1000);
	begin_batch(NONE, 1);
	put_byte(type);
	return built.size;
}

static inline void put_stacks(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 6, 1, 1, 64, 2, 3, 5);
	end_batch();
}

static inline void put_strings(void)
{
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "main.f");
	put_string(3, "f.go");
	end_batch();
}

static inline void end_generation(void)
{
	if (built.version >= 26)
		put_byte(END);
	built.generation++;
}

static inline void put_generation(void)
{
	put_clock(1000000000);
	put_events();
	put_stacks();
	put_strings();
	end_generation();
}

#endif /* GTRACE_TESTS_V2_BUILDER_H_ */
