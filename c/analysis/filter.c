/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - which slices, stop-the-world pauses and events a report covers. */
#include "analysis/filter.h"

#include <string.h>

#include "analysis/blocks.h"
#include "analysis/long_requests.h"
#include "analysis/slices.h"
#include "analysis/stops.h"
#include "analysis/waits.h"
#include "base/fail.h"
#include "base/naming.h"
#include "base/strings.h"
#include "base/times.h"

/* Bytes of a function's name that are looked at, and a NUL. */
#define NAME_MAX_SIZE ((size_t)64 << 10)

/* Answers are forgotten when there are more than this many, 24 bytes each. */
#define ANSWERS_MAX ((size_t)1 << 17)

/* What is known of a stack. */
enum answer {
	ANSWER_KNOWN = 1,
	ANSWER_FRAMES = 2,   /* it has some */
	ANSWER_FITS = 4,     /* `function` fits one of them */
	ANSWER_FIRST = 8,    /* it fits the outermost one */
	ANSWER_RUNTIME = 16, /* a goroutine that begins there is not a user's */
	ANSWER_TRACER = 32,  /* what runs there is the tracer */
	ANSWER_CREATOR = 64, /* it is called after its goroutine's creation */
	ANSWER_YOURS = 128   /* `function` fits the frame that is yours */
};

bool gti_is_system(const struct gtrace_frame *first)
{
	return gti_is_tracer(first, 1) ||
	       (string_begins(first->function, "runtime.") &&
		!string_equals(first->function, string_of("runtime.main")));
}

/* ---------------------------------------------------------------- set-up -- */

static enum gtrace_status check(const struct gtrace_filter *asked,
				struct gtrace_error *error)
{
	if (asked->from < 0 || asked->to < 0 || asked->min < 0 ||
	    asked->requests_over < 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a time of the filter is below 0");
	if (asked->to != 0 && asked->to <= asked->from)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the filter ends before it begins");
	return GTRACE_OK;
}

/* Compiles the expression. It is freed by gti_filter_free(). */
static enum gtrace_status compile(struct filter *filter, const char *expression,
				  struct gtrace_error *error)
{
	char text[256];
	int code = regcomp(&filter->function, expression,
			   REG_EXTENDED | REG_NOSUB);

	if (code == 0) {
		filter->asked.function = expression;
		return GTRACE_OK;
	}
	if (code == REG_ESPACE)
		return gti_fail_memory(error);
	regerror(code, &filter->function, text, sizeof(text));
	return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
			"bad regular expression %s: %s", expression, text);
}

static bool allocate(struct filter *filter)
{
	const struct gtrace_allocator *memory = filter->memory;

	if (!filter->by_names)
		return true;
	filter->frames = gti_allocate_zeroed(memory, filter->format->frames_max,
					     sizeof(*filter->frames));
	filter->name = gti_allocate(memory, NAME_MAX_SIZE + 1);
	return filter->frames != NULL && filter->name != NULL;
}

enum gtrace_status gti_filter_init(struct filter *filter,
				   const struct gtrace_filter *asked,
				   const struct format *format, void *trace,
				   const struct event_kind *kinds,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error)
{
	enum gtrace_status status = check(asked, error);

	*filter = (struct filter){
		.format = format, .trace = trace, .kinds = kinds};
	if (status != GTRACE_OK)
		return status;
	filter->memory = memory;
	filter->asked = *asked;
	filter->asked.function = NULL;
	filter->by_names = asked->function != NULL || asked->user != 0;
	filter->by_goroutines = filter->by_names || asked->g_count != 0 ||
				asked->p_count != 0 ||
				asked->requests_over != 0;
	if (asked->function != NULL)
		status = compile(filter, asked->function, error);
	if (status == GTRACE_OK && !allocate(filter))
		status = gti_fail_memory(error);
	if (status != GTRACE_OK)
		gti_filter_free(filter);
	return status;
}

void gti_filter_free(struct filter *filter)
{
	const struct gtrace_allocator *memory = filter->memory;

	if (memory == NULL)
		return;
	if (filter->asked.function != NULL)
		regfree(&filter->function);
	gti_map_free(&filter->stacks, memory);
	gti_map_free(&filter->names, memory);
	gti_release(memory, filter->frames,
		    filter->format->frames_max * sizeof(*filter->frames));
	gti_release(memory, filter->name, NAME_MAX_SIZE + 1);
	filter->memory = NULL;
}

/* --------------------------------------------------------------- stacks -- */

/* The answer for KEY in MAP, 0 if there is none yet. NULL: no memory. */
static uint64_t *answer_in(struct filter *filter, struct map *map, uint64_t key)
{
	uint64_t *answer;

	if (map_count(map) >= ANSWERS_MAX)
		gti_map_free(map, filter->memory);
	answer = gti_map_put(map, key, filter->memory);
	filter->failed |= answer == NULL;
	return answer;
}

bool gti_filter_fits(struct filter *filter, struct gtrace_string name)
{
	size_t size = name.size < NAME_MAX_SIZE ? name.size : NAME_MAX_SIZE;

	if (size != 0)
		memcpy(filter->name, name.data, size);
	filter->name[size] = '\0';
	return regexec(&filter->function, filter->name, 0, NULL, 0) == 0;
}

/* fits(), asked once a name: a trace has each in one place. */
static bool name_fits(struct filter *filter, struct gtrace_string name)
{
	uint64_t *answer;

	if (filter->asked.function == NULL || name.size == 0)
		return false;
	answer = answer_in(filter, &filter->names,
			   (uint64_t)(uintptr_t)name.data);
	if (answer == NULL)
		return false;
	if (*answer == 0)
		*answer = ANSWER_KNOWN |
			  (gti_filter_fits(filter, name) ? ANSWER_FITS : 0);
	return (*answer & ANSWER_FITS) != 0;
}

static uint64_t read_stack(struct filter *filter, uint64_t stack)
{
	const struct format *format = filter->format;
	size_t count = format->frames(filter->trace, stack, filter->frames);
	uint64_t answer = ANSWER_KNOWN;
	struct naming naming;
	size_t i;

	if (format->lacks_memory != NULL && format->lacks_memory(filter->trace))
		filter->failed = true;
	for (i = 0; i < count; i++)
		if (name_fits(filter, filter->frames[i].function))
			answer |= i == count - 1 ? ANSWER_FIRST | ANSWER_FITS
						 : ANSWER_FITS;
	if (count == 0)
		return answer;
	answer |= ANSWER_FRAMES;
	if (gti_is_system(&filter->frames[count - 1]))
		answer |= ANSWER_RUNTIME;
	if (gti_is_tracer(filter->frames, count))
		answer |= ANSWER_TRACER;
	naming = gti_name_stack(filter->frames, count);
	if (naming_needs_creator(&naming))
		answer |= ANSWER_CREATOR;
	if (naming_is_yours(&naming) &&
	    name_fits(filter, naming_own(&naming)->function))
		answer |= ANSWER_YOURS;
	return answer;
}

/* What is known of STACK. */
static uint64_t ask(struct filter *filter, uint64_t stack)
{
	uint64_t *answer, found;

	if (stack == 0 || !filter->by_names)
		return 0;
	answer = answer_in(filter, &filter->stacks, stack);
	if (answer == NULL)
		return 0;
	if (*answer != 0)
		return *answer;
	found = read_stack(filter, stack);
	*answer = found;
	return found;
}

/* ask() for what is shown of REF: its stack, or that of its walk back. */
static uint64_t ask_ref(struct filter *filter, const struct event_ref *ref)
{
	uint64_t answer = ask(filter, ref->stack);

	if ((answer & ANSWER_FRAMES) == 0 && origin_count(ref->origin) != 0)
		answer = ask(filter, ref->origin.stack);
	return answer;
}

/*
 * ask() for the stack that SLICE is named after. If it still runs it is of the
 * tracer by what it began with, not because that was called last.
 */
static uint64_t ask_end(struct filter *filter, const struct slice *slice)
{
	uint64_t last = slice->last.stacks.last, answer = 0;

	if (!slice->still_running)
		answer = ask(filter, slice->end.stack);
	if ((answer & ANSWER_FRAMES) != 0)
		return answer;
	answer = ask(filter, last);
	if (!slice->still_running)
		return answer;
	answer &= ~(uint64_t)ANSWER_TRACER;
	return answer | (ask_ref(filter, &slice->start) & ANSWER_TRACER);
}

/* The same, and for that of the creation of its goroutine if that names it. */
static uint64_t ask_slice(struct filter *filter, const struct slice *slice)
{
	uint64_t answer = ask_end(filter, slice);

	if ((answer & ANSWER_CREATOR) != 0 &&
	    (ask(filter, slice->last.stacks.creator) & ANSWER_YOURS) != 0)
		answer |= ANSWER_FITS;
	return answer;
}

/* ----------------------------------------------------------------- tests -- */

static bool has_ids(const struct filter *filter, uint64_t g, int64_t p)
{
	const struct gtrace_filter *asked = &filter->asked;

	return filter_lists(asked->g, asked->g_count, (int64_t)g) &&
	       filter_lists(asked->p, asked->p_count, p);
}

bool gti_filter_is_long(const struct filter *filter, uint64_t g, int64_t from,
			int64_t to)
{
	return filter->long_requests == NULL ||
	       gti_long_requests_have(filter->long_requests, g, from, to);
}

/* Whether what G does from START on, for LENGTH, passes the times. */
static bool lasts_of(const struct filter *filter, uint64_t g, int64_t start,
		     int64_t length)
{
	return filter_lasts(&filter->asked, start, length) &&
	       gti_filter_is_long(filter, g, start, add_ns(start, length));
}

/*
 * Whether what a goroutine does passes by the answers for the stack of its
 * FIRST function and for its OWN stack.
 */
static bool suits(const struct filter *filter, uint64_t first, uint64_t own)
{
	const struct gtrace_filter *asked = &filter->asked;

	if (asked->user &&
	    ((first & ANSWER_RUNTIME) | (own & ANSWER_TRACER)) != 0)
		return false;
	return asked->function == NULL || (first & ANSWER_FIRST) != 0 ||
	       (own & ANSWER_FITS) != 0;
}

/* suits() for goroutine G of EVENT, where OWN is what ask() says. */
static bool suits_of(struct filter *filter, const struct event *event,
		     uint64_t g, uint64_t own)
{
	uint64_t stack;

	if (!filter->by_names)
		return true;
	stack = filter->format->first_stack(filter->trace, event, g);
	return suits(filter, ask(filter, stack), own);
}

bool gti_filter_slice(struct filter *filter, const struct clock *clock,
		      const struct slice *slice)
{
	const struct event_ref *start = &slice->start;

	if (!lasts_of(filter, slice->g, clock_ns(clock, start->ticks),
		      slice->length) ||
	    !has_ids(filter, slice->g, slice->p))
		return false;
	return suits(filter, ask(filter, slice->first_stack),
		     ask_slice(filter, slice) |
			     (ask_ref(filter, start) & ANSWER_FITS));
}

bool gti_filter_wait(struct filter *filter, const struct clock *clock,
		     const struct wait *wait)
{
	const struct event other = {.g = ~wait->g};

	return lasts_of(filter, wait->g, clock_ns(clock, wait->start),
			wait->length) &&
	       has_ids(filter, wait->g, wait->over ? wait->ran_p : -1) &&
	       suits_of(filter, &other, wait->g,
			ask_ref(filter, &wait->ready) & ANSWER_FITS);
}

uint8_t gti_filter_place(struct filter *filter, uint64_t stack)
{
	return (uint8_t)ask(filter, stack);
}

uint8_t gti_filter_first(struct filter *filter, uint64_t g)
{
	const struct event other = {.g = ~g};

	if (!filter->by_names)
		return 0;
	return (uint8_t)ask(
		filter, filter->format->first_stack(filter->trace, &other, g));
}

bool gti_filter_block(struct filter *filter, uint64_t g, int64_t start,
		      int64_t length, uint8_t first, uint8_t own)
{
	return filter->asked.p_count == 0 &&
	       lasts_of(filter, g, start, length) && has_ids(filter, g, -1) &&
	       (!filter->by_names || suits(filter, first, own));
}

/* What lasts from FIRST to LAST. */
struct extent {
	int64_t first, last;
};

/*
 * Whether a goroutine with STACK that had a part in a stop, which lasts for
 * WHOLE, passes.
 */
static bool takes_part(struct filter *filter, struct extent whole, uint64_t g,
		       int64_t p, uint64_t stack)
{
	uint64_t answer;

	if (!has_ids(filter, g, p) ||
	    !gti_filter_is_long(filter, g, whole.first, whole.last))
		return false;
	answer = ask(filter, stack);
	return suits(filter, answer & ~(uint64_t)ANSWER_FIRST, answer);
}

/* The part of a stop that is known. */
static struct extent extent_of(const struct stop *stop)
{
	const int64_t times[] = {
		stop->requested,  stop->requested_min, stop->obtained,
		stop->restarting, stop->ended,
	};
	struct extent whole = {stop->ts, stop->ts};
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (times[i] == TIME_NONE)
			continue;
		if (times[i] < whole.first)
			whole.first = times[i];
		if (times[i] > whole.last)
			whole.last = times[i];
	}
	return whole;
}

bool gti_filter_stop(struct filter *filter, const struct stop *stop)
{
	const struct late *late = stop->late.items;
	struct extent whole = extent_of(stop);
	size_t i;

	if ((filter->asked.min > 0 &&
	     stop_length(stop) < (uint64_t)filter->asked.min) ||
	    !filter_overlaps(&filter->asked, whole.first, whole.last))
		return false;
	if (!filter->by_goroutines ||
	    takes_part(filter, whole, stop->g, stop->p, stop->stack))
		return true;
	for (i = 0; i < stop->late.count; i++)
		if (late[i].how != GTRACE_LATE_SCHEDULER &&
		    takes_part(filter, whole, late[i].g, late[i].p,
			       late[i].stack))
			return true;
	return false;
}

/* Whether EVENT at TS passes by goroutine G, its own or the one that it names.
 */
static bool passes_by(struct filter *filter, const struct event *event,
		      int64_t ts, uint64_t g)
{
	return has_ids(filter, g, event->p) &&
	       gti_filter_is_long(filter, g, ts, ts) &&
	       suits_of(filter, event, g, ask(filter, event->stack));
}

bool gti_filter_event(struct filter *filter, const struct event *event,
		      int64_t ts)
{
	bool names_g = filter->kinds[event->type].names_g;

	if (!filter_overlaps(&filter->asked, ts, ts))
		return false;
	if (names_g && passes_by(filter, event, ts, event->args[0]))
		return true;
	/* Without a goroutine, it is about the one that it names. */
	return !(names_g && (int64_t)event->g <= 0) &&
	       passes_by(filter, event, ts, event->g);
}
