/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - the event table as it stands for one version of the format. */
#ifndef GTRACE_V1_RULES_H_
#define GTRACE_V1_RULES_H_

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "v1/table.h"

#define VERSION_MIN 1005
#define VERSION_SEQUENCES                                                      \
	1007 /* from here on events are merged, not sorted                     \
	      */
#define VERSION_MANY_TIMERS  1009 /* from here on each TimerGoroutine counts */
#define VERSION_PDQSORT      1009 /* see frontier.h: the sort of Go 1.19 */
#define VERSION_STOP_REASONS 1009 /* from here on stops have a reason */
#define VERSION_STOP_KIND    1010 /* from here on it is an argument */
#define VERSION_STOP_WORDS   1021 /* from here on it is one of a long list */

/* What is in event_list.h under owner, order and text. */
enum owner {
	OWNER_CONTROL,
	OWNER_RUNNING,
	OWNER_STARTS,
	OWNER_LEAVES,
	OWNER_ARGUMENT,
	OWNER_NOBODY,
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
	ORDER_COLLECT
};

enum text { TEXT_NONE, TEXT_ARG1, TEXT_ARG2, TEXT_LOG, TEXT_STOP_REASON };

enum order_state { ORDER_DEAD, ORDER_RUNNABLE, ORDER_RUNNING, ORDER_WAITING };

/* What the merge has to do for an event beside changing a state, as bits. */
enum effect {
	EFFECT_NONE,
	EFFECT_UNBLOCK = 1, /* something, if a timer does it */
	EFFECT_OTHER = 2,
	EFFECT_SEQUENCE = 4 /* its sequence number stands for any */
};

/* What an event asks of its goroutine, and what it brings about. */
struct transition {
	uint8_t from;  /* enum order_state */
	uint8_t to;    /* likewise */
	uint8_t bump;  /* 1: the sequence number rises */
	uint8_t exact; /* 1: it from a certain sequence number */
};

struct rule {
	uint8_t known; /* the version has this type */
	uint8_t plain; /* an event the first pass need not look into */
	uint8_t args;
	uint8_t stack;
	uint8_t values; /* deltas, arguments and stack id together */
	uint8_t owner;
	uint8_t order;
	uint8_t text;
	uint8_t reported; /* the type: Local ones serve the order only */
	uint8_t effects;  /* enum effect */
	uint8_t skipped;  /* no event of the processor where it stands */
	uint8_t form;     /* enum form */
	struct transition transition;
};

/*
 * How an event is read: those that nearly all events are have a form of their
 * own, which tells their order and how many arguments and stacks they have.
 */
enum form {
	FORM_RARE,          /* anything else, or no event of the processor */
	FORM_START,         /* ORDER_START, 2 arguments */
	FORM_START_LOCAL,   /* ORDER_START_LOCAL, 1 */
	FORM_STOP,          /* ORDER_BLOCK or _YIELD, a stack */
	FORM_UNBLOCK,       /* ORDER_UNBLOCK, 2 and a stack */
	FORM_UNBLOCK_LOCAL, /* ORDER_UNBLOCK_LOCAL, 1 and a stack */
	FORM_CREATE,        /* ORDER_CREATE, 2 and a stack */
	FORM_END            /* ORDER_FREE, nothing */
};

#define FORM_MASK 7 /* there are no other numbers, as a compiler likes it */

_Static_assert(sizeof(struct rule) == 16, "a table of them is quick to index");

/* If a record's first byte is not below, the values' length in bytes follows.
 */
#define SIZED_FIRST_BYTE 0xc0

/* The most values an event has: two deltas, three arguments, a stack id. */
#define EVENT_VALUES_MAX 6

struct rules {
	unsigned version;
	/* Values before the arguments: a sequence delta (1005), a tick delta.
	 */
	unsigned deltas;
	/* The top two bits of a record's first byte, and this, are the number
	 * of its values. See SIZED_FIRST_BYTE. */
	unsigned inline_base;
	struct rule by_type[EVENT_TYPES];
	/*
	 * By a record's first byte: how many values follow, if it is a plain
	 * event without a length and if the number is right; otherwise 0.
	 */
	uint8_t plain_values[256];
};

/* The versions that are read, in rising order, ending with 0. */
extern const unsigned gti_versions[];

bool gti_version_is_read(unsigned version);

/* Fills RULES for VERSION, which is one of those. */
void gti_rules_init(struct rules *rules, unsigned version);

#endif /* GTRACE_V1_RULES_H_ */
