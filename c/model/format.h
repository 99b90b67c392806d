/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - what a wire format offers to the rest of the library.
 *
 * These functions are called once a report or once a printed event, never once
 * for each event of a pass: within a pass the format calls the analysis.
 *
 * An event type is a number below EVENT_TYPES of the format's own. Stacks are
 * handles, which outlive the event that has them.
 */
#ifndef GTRACE_MODEL_FORMAT_H_
#define GTRACE_MODEL_FORMAT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "model/event.h"
#include "model/renaming.h"

struct observer;

/* In partial mode: why and where reading ended before the end of the file. */
struct left_out {
	struct gtrace_error reason; /* status GTRACE_OK: it did not */
	uint64_t offset;            /* nothing was read from here on */
	bool unfinished;            /* observer->known_until is set */
	uint64_t slices; /* that started before what is unfinished was read */
};

/* How to open a trace. Pointers must outlive the trace. */
struct format_options {
	const struct gtrace_allocator *memory;
	const char *binary;     /* the program traced, or NULL */
	const char *go_command; /* to look up program counters with */
	/* Not NULL: report the events before the first fault, and note it. */
	struct left_out *left_out;
	/* Report also what can be read of the generation with the fault. */
	bool unfinished;
	/* That the file ends early is the only fault that is left out. */
	bool cut_off;
	uint64_t first;    /* offset of the generation it begins with; 0: all */
	int64_t frequency; /* if the trace lacks it; 0: not known */
};

/* One pass over the events of a trace. */
struct pass {
	struct observer *observer; /* of each transition; never NULL */
	/*
	 * Called for each event. Returns false to end the pass early, which is
	 * no error. NULL: not wanted.
	 */
	bool (*visit)(void *context, const struct event *event);
	void *context;
	/*
	 * Events come in the order of the report, and the observer is not
	 * restarted, because output cannot be undone. A pass with `repeats` has
	 * come before it and found no fault.
	 */
	bool last;
	bool repeats; /* a pass with `last` follows this one */
};

/* What is needed of an event type to show it. */
struct event_kind {
	const char *name; /* NULL: there is no such type */
	unsigned number;  /* in the trace format */
	unsigned args;    /* number of arguments */
	unsigned strings; /* number of string arguments, at most */
	bool names_g;     /* the first argument is a goroutine */
};

/* An event has at most this many string arguments. */
#define EVENT_STRINGS 2

/*
 * A generation of a trace of Go 1.22 or later, which can be read without those
 * before it.
 */
struct generation_place {
	uint64_t begin; /* offset of its first byte */
	uint64_t end;   /* offset of the byte after it */
	uint64_t number;
	int64_t time;  /* ticks of the event that begins it */
	int64_t least; /* the same where nothing comes before it */
};

/* What is known of a trace once it is open. */
struct format_facts {
	unsigned version; /* in the header */
	/*
	 * Ticks per second of the whole trace, 0 if they are not known and
	 * times are in ticks.
	 */
	int64_t frequency;
	uint32_t processors; /* an estimate of how many run slices */
	/*
	 * How many bytes the texts of stacks may take in a dump, which limits
	 * what a hostile file can cost.
	 */
	size_t text_budget;
	/* The types of the events that tell the heap's size, and its goal. */
	uint32_t heap, goal;
	/* Up to Go 1.21, that of the events that preempt goroutines; or 0. */
	uint32_t preempt;
	/* A bit for each type of event that ends a block of a goroutine. */
	uint64_t unblocks;
	struct event_kind kinds[EVENT_TYPES];
};

/*
 * Errors are never NULL. A function that succeeds may have written to its
 * error.
 */
struct format {
	/*
	 * Returns GTRACE_OK if a file that begins with the SIZE bytes at DATA
	 * is of this format and of a version that is read. Errors:
	 * GTRACE_ERROR_HEADER, with the offset SIZE if the header is cut off
	 * there, and _VERSION.
	 */
	enum gtrace_status (*check)(const uint8_t *data, size_t size,
				    struct gtrace_error *error);
	/*
	 * Opens the trace in INPUT, which stays the caller's and must outlive
	 * it. On success, sets *SELF to what the other functions take, and
	 * FACTS, which are all zero before.
	 */
	enum gtrace_status (*open)(const struct format_options *options,
				   struct input *input, void **self,
				   struct format_facts *facts,
				   struct gtrace_error *error);
	void (*close)(void *self);
	/*
	 * Makes PASS over all events. The format may need to read the events
	 * several times, and then restarts the observer before each.
	 */
	enum gtrace_status (*follow)(void *self, const struct pass *pass,
				     struct gtrace_error *error);
	/*
	 * Called after follow() and before any of the functions below. NULL:
	 * there is nothing to prepare.
	 */
	enum gtrace_status (*prepare)(void *self, struct gtrace_error *error);
	/*
	 * Returns the id in the file of the stack with the handle STACK, 0 if
	 * it has none.
	 */
	uint64_t (*stack_id)(const void *self, uint64_t stack);
	/*
	 * Writes the frames of STACK, innermost first, at most frames_max.
	 * Returns their number.
	 */
	size_t (*frames)(void *self, uint64_t stack,
			 struct gtrace_frame *frames);
	size_t frames_max;
	bool has_threads; /* events have a thread */
	bool in_ns;       /* their times are nanoseconds, not ticks */
	/* Sets the arguments of an event whose offset and type are set. */
	void (*args)(void *self, struct event *event);
	/* Writes the string arguments of an event. Returns their number. */
	size_t (*strings)(void *self, const struct event *event,
			  struct gtrace_string strings[EVENT_STRINGS]);
	/*
	 * Returns whether frames or strings are missing since the last pass
	 * because there was no memory. NULL: they never are.
	 */
	bool (*lacks_memory)(const void *self);
	/*
	 * Returns the stack whose outermost function is the first function of
	 * goroutine G, which is that of EVENT, of the present pass, or one that
	 * EVENT names. 0: not known.
	 */
	uint64_t (*first_stack)(void *self, const struct event *event,
				uint64_t g);
	bool times_calls; /* events end system calls */
	/*
	 * Sets *OFFSET to what CLOCK_MONOTONIC is more than ticks. NULL: the
	 * two have nothing to do with each other. Errors:
	 * GTRACE_ERROR_ARGUMENT, and those of follow().
	 */
	enum gtrace_status (*monotonic)(void *self, int64_t *offset,
					struct gtrace_error *error);
	/*
	 * What the time since 1970 in UTC is more than ticks, in nanoseconds.
	 * INT64_MIN: the trace does not tell. NULL: none does.
	 */
	int64_t (*wall)(void *self);
	/*
	 * The generations that the last pass has begun, *COUNT of them, in the
	 * order of the file, until the next pass. Sets *LAST to the ticks of
	 * the last event. NULL: a trace has no such parts.
	 */
	const struct generation_place *(*generations)(const void *self,
						      size_t *count,
						      int64_t *last);
	/*
	 * Adds the complete generations of the file to PLACES, without their
	 * times. It reads only the headers of batches. Returns false if there
	 * is no memory. NULL: as above.
	 */
	bool (*walk)(void *self, struct array *places,
		     const struct gtrace_allocator *memory);
	/*
	 * Writes the bytes of PLACE, or of the whole file if there are no
	 * generations, to WRITER, with names that RENAMING gives. Errors:
	 * GTRACE_ERROR_MEMORY, and those of follow(), which has succeeded
	 * before, if the file was changed meanwhile.
	 */
	enum gtrace_status (*anonymise)(void *self,
					const struct generation_place *place,
					const struct renaming *renaming,
					struct writer *writer,
					struct gtrace_error *error);
	/* For tests: see gti_test_final_order(). NULL: there is one order. */
	void (*use_final_order)(void *self);
};

#endif /* GTRACE_MODEL_FORMAT_H_ */
