/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - the event table for one version of the format. */
#ifndef GTRACE_V1_RULES_H_
#define GTRACE_V1_RULES_H_

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "v1/table.h"

/* The columns owner, order and text of the table. */
enum owner {
	OWNER_CONTROL,
	OWNER_RUNNING,
	OWNER_STARTS,
	OWNER_LEAVES,
	OWNER_ARGUMENT,
	OWNER_ZERO,
	OWNER_SAMPLE
};

enum order {
	ORDER_FREE,
	ORDER_CREATE,
	ORDER_WAIT,
	ORDER_START,
	ORDER_START_LOCAL,
	ORDER_BLOCK,
	ORDER_YIELD,
	ORDER_UNBLOCK,
	ORDER_UNBLOCK_LOCAL,
	ORDER_GC
};

enum text_kind { TEXT_NONE, TEXT_ARG2, TEXT_LOG, TEXT_STW_REASON };

/* The state of a goroutine as the merge sees it. */
enum order_state {
	ORDER_DEAD,
	ORDER_RUNNABLE,
	ORDER_RUNNING,
	ORDER_WAITING,
	ORDER_NEVER /* no event requires it */
};

/*
 * The progress of a goroutine: its sequence number, and its state in the lowest
 * bits. So one comparison tests both, and one addition changes both.
 */
#define PROGRESS_STATE_BITS 3
#define PROGRESS_STATE_MASK ((1 << PROGRESS_STATE_BITS) - 1)

/* No goroutine's sequence number is as great: an event adds at most one. */
#define SEQUENCE_NEVER (UINT64_MAX >> PROGRESS_STATE_BITS)

static inline uint64_t progress_of(uint64_t sequence, unsigned state)
{
	return sequence << PROGRESS_STATE_BITS | state;
}

/* Effects of an event other than its goroutine's transition, as bits. */
enum effect {
	EFFECT_NONE,
	EFFECT_TIMER = 1,   /* the running goroutine is one of timers */
	EFFECT_TYPE = 2,    /* that of the type of event, see merge.c */
	EFFECT_SEQUENCE = 4 /* its sequence number is SEQUENCE_UNKNOWN */
};

/* What an event requires of a goroutine's progress, and what it changes. */
struct requirement {
	uint8_t from; /* enum order_state */
	/* Which bits are compared: TEST_NOTHING and so on. */
	int8_t mask;
	int8_t step;     /* added to the progress */
	uint8_t effects; /* enum effect */
};

/* Values of requirement.mask. Sign-extended, they are masks of a progress. */
enum {
	TEST_NOTHING = 0,
	TEST_STATE = PROGRESS_STATE_MASK,
	TEST_SEQUENCE = -1 /* and the state */
};

struct rule {
	uint8_t known; /* the version has this type */
	uint8_t args;
	uint8_t stack;
	uint8_t values; /* deltas, arguments and stack id together */
	uint8_t owner;
	uint8_t order;
	uint8_t text;
	uint8_t reported; /* type; a Local type is reported as the plain one */
	uint8_t form;     /* enum form */
	_Alignas(uint32_t) struct requirement transition; /* copied at once */
};

_Static_assert(sizeof(struct rule) == 16, "a shift indexes a table of rules");

/*
 * X(form, order, args, stack): the form of an event by its order and its
 * numbers of arguments and stack ids. Nearly all events have one of these
 * forms, and cursor_next() has code for each. YIELD has the form of BLOCK,
 * because only their transitions differ. Of the events of order FREE, system
 * calls have a stack, sizes of the heap an argument, and ends of sweeps two.
 */
#define FORM_LIST(X)                                                           \
	X(START, START, 2, 0)                                                  \
	X(START_LOCAL, START_LOCAL, 1, 0)                                      \
	X(BLOCK, BLOCK, 0, 1)                                                  \
	X(UNBLOCK, UNBLOCK, 2, 1)                                              \
	X(UNBLOCK_LOCAL, UNBLOCK_LOCAL, 1, 1)                                  \
	X(CREATE, CREATE, 2, 1)                                                \
	X(FREE, FREE, 0, 0)                                                    \
	X(FREE_STACK, FREE, 0, 1)                                              \
	X(FREE_ARG, FREE, 1, 0)                                                \
	X(FREE_ARGS, FREE, 2, 0)

enum form {
	FORM_RARE, /* any other event, and records that are no events */
#define FORM_ENUM(form, order, args, stack) FORM_##form,
	FORM_LIST(FORM_ENUM)
#undef FORM_ENUM
};

/*
 * A first byte below this has the number of values in its top two bits. After
 * any other a length in bytes follows.
 */
#define SIZED_FIRST_BYTE 0xc0

/* The most values of a record that Go writes without a length. */
#define UNSIZED_VALUES_MAX 3

/* The most values an event has: two deltas, three arguments, a stack id. */
#define EVENT_VALUES_MAX 6

struct rules {
	unsigned version;
	unsigned deltas; /* of an event: sequence number (1005) and ticks */
	/* Added to the number of values in a first byte. */
	unsigned inline_base;
	struct rule by_type[EVENT_TYPES];
	/*
	 * By first byte: the number of values of a plain event, which the first
	 * pass only counts, if it is written as Go writes it; otherwise 0.
	 */
	uint8_t plain[256];
};

/* Fills RULES for VERSION, one of VERSION_LIST. */
void gti_rules_init(struct rules *rules, unsigned version);

#endif /* GTRACE_V1_RULES_H_ */
