/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter.h - which slices, stop-the-world pauses and events a report covers.
 *
 * Tests of functions are made on stacks, and their results are cached by the
 * handle of the stack, so that a stack is not read for each slice. Slices and
 * stops are tested after their lengths have been, because most are too short to
 * be reported.
 */
#ifndef GTRACE_ANALYSIS_FILTER_H_
#define GTRACE_ANALYSIS_FILTER_H_

#include <regex.h>
#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/times.h"
#include "model/event.h"
#include "model/format.h"

struct long_requests;
struct slice;
struct stop;
struct wait;

struct filter {
	const struct gtrace_allocator *memory;
	const struct format *format;
	void *trace;                    /* as the format opened it */
	const struct event_kind *kinds; /* by type of event */
	struct gtrace_filter asked;
	bool by_names;      /* `function` or `user` is set */
	bool by_goroutines; /* these, `g`, `p` or `long_requests` */
	/* NULL: what is in no long request passes, too. */
	const struct long_requests *long_requests;
	regex_t function;  /* if asked.function is set */
	struct map stacks; /* handle to answers */
	struct map names;  /* address of a name to whether `function` fits */
	struct gtrace_frame *frames; /* a buffer for those of one stack */
	char *name;                  /* a buffer for one name */
	bool failed;                 /* there was no memory */
};

/* Whether NUMBER is one of the COUNT in LIST. An empty list has all. */
static inline bool filter_lists(const int64_t *list, size_t count,
				int64_t number)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i] == number)
			return true;
	return count == 0;
}

/* Whether ASKED lets pass what lasts from FIRST to LAST, by a moment of it. */
static inline bool filter_overlaps(const struct gtrace_filter *asked,
				   int64_t first, int64_t last)
{
	return last >= asked->from && (asked->to == 0 || first < asked->to);
}

/* The same, and by the LENGTH, of what begins at START. */
static inline bool filter_lasts(const struct gtrace_filter *asked,
				int64_t start, int64_t length)
{
	return length >= asked->min &&
	       filter_overlaps(asked, start, add_ns(start, length));
}

/* Whether ASKED lets pass what lasts FROM one time TO another, by these. */
static inline bool filter_chooses(const struct gtrace_filter *asked,
				  int64_t from, int64_t to)
{
	return (asked->from == 0 || to > asked->from) &&
	       (asked->to == 0 || from < asked->to);
}

/*
 * Whether a goroutine that begins in the function of FIRST is of the runtime or
 * of the tracer.
 */
bool gti_is_system(const struct gtrace_frame *first);

/*
 * Prepares a filter for the trace that FORMAT opened, with its KINDS of events.
 * ASKED, and what it points to, must outlive it. The caller frees it on
 * success. Errors: GTRACE_ERROR_ARGUMENT, _MEMORY.
 */
enum gtrace_status gti_filter_init(struct filter *filter,
				   const struct gtrace_filter *asked,
				   const struct format *format, void *trace,
				   const struct event_kind *kinds,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error);

/* Whether NAME, of a function, fits asked.function, which is set. */
bool gti_filter_fits(struct filter *filter, struct gtrace_string name);

/* Zero: does nothing. */
void gti_filter_free(struct filter *filter);

/*
 * Returns whether SLICE passes. Like the functions below it can find that there
 * is no memory, which filter->failed tells; then the result means nothing.
 */
bool gti_filter_slice(struct filter *filter, const struct clock *clock,
		      const struct slice *slice);

/* Returns whether STOP passes, with its late processors. */
bool gti_filter_stop(struct filter *filter, const struct stop *stop);

/* Returns whether WAIT passes, which ends at present in a pass. */
bool gti_filter_wait(struct filter *filter, const struct clock *clock,
		     const struct wait *wait);

/*
 * What gti_filter_block() needs of the STACK at which a block or a mark assist
 * begins, or at which its goroutine began, which may be forgotten when it ends.
 * Not 0, unless STACK is, or no filter needs it.
 */
uint8_t gti_filter_place(struct filter *filter, uint64_t stack);

/* The same for the stack at which goroutine G of the present pass began. */
uint8_t gti_filter_first(struct filter *filter, uint64_t g);

/*
 * Returns whether a block or a mark assist of G passes, which began at START
 * and took LENGTH, both in nanoseconds. It is on no processor: it passes no
 * `p`. FIRST, OWN: what gti_filter_place() said of where the goroutine began
 * and where it was.
 */
bool gti_filter_block(struct filter *filter, uint64_t g, int64_t start,
		      int64_t length, uint8_t first, uint8_t own);

/*
 * Whether what lasts FROM one time TO another is in a long request of G, if
 * that is asked.
 */
bool gti_filter_is_long(const struct filter *filter, uint64_t g, int64_t from,
			int64_t to);

/* Returns whether EVENT of a pass passes. TS: its time in nanoseconds. */
bool gti_filter_event(struct filter *filter, const struct event *event,
		      int64_t ts);

#endif /* GTRACE_ANALYSIS_FILTER_H_ */
