/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.h - what the files of the front end share. The front end is the only
 * layer that sees both formats and reports.
 */
#ifndef GTRACE_FRONT_H_
#define GTRACE_FRONT_H_

#include <gtrace/gtrace.h>

#include "analysis/observe.h"
#include "base/input.h"
#include "base/map.h"
#include "base/naming.h"
#include "base/output.h"
#include "model/format.h"
#include "report/lists.h"

struct gtrace {
	struct gtrace_allocator memory;
	struct input input;
	const struct format *format;
	void *self; /* the trace as the format opened it */
	struct gtrace_options options;
	struct arena texts;  /* of the options */
	struct oncpu *oncpu; /* NULL: there is no scheduling record */
	struct progress progress;
	struct left_out left_out;
	struct format_facts facts;
};

/*
 * Copies the struct at FROM, which begins with its size, to the SIZE bytes at
 * TO, with zeros for what it lacks. Fails with GTRACE_ERROR_ARGUMENT if the
 * struct's size is impossible, or if fields are set that this library does not
 * know.
 */
enum gtrace_status gti_copy_sized(void *to, size_t size, const void *from,
				  struct gtrace_error *error);

/* --------------------------------------------------------------- reports -- */

struct event_maker;

/*
 * Make the report of what was found, in the arena of MAKER. Return false if
 * there is no memory.
 */
bool gti_make_stops(struct event_maker *maker, struct stops *stops,
		    struct gtrace_stop_report *to);
bool gti_make_waits(struct event_maker *maker,
		    const struct wait_results *results,
		    struct gtrace_wait_report *to);
bool gti_make_delays(struct event_maker *maker,
		     const struct wait_results *results,
		     struct gtrace_delay_report *to);

/* A slice to be shown, and where in the report. */
struct chosen {
	const struct slice *slice;
	const struct gtrace_slice **place;
};

/* Makes the COUNT slices of CHOSEN, sorted. False: there is no memory. */
bool gti_make_chosen(struct event_maker *maker, struct chosen *chosen,
		     size_t count);

/* The allocator of SUMMARY. */
const struct gtrace_allocator *
gti_summary_memory(const struct gtrace_summary *summary);

/* Prints a report of TRACE to WRITER. */
typedef enum gtrace_status printer(struct gtrace *trace,
				   const struct gtrace_request *request,
				   struct writer *writer,
				   struct gtrace_error *error);

printer gti_print_longest, gti_print_dump, gti_print_summary, gti_print_profile,
	gti_print_block_profile, gti_print_timeline, gti_print_page;

struct html_report;

/* Writes the data of the pictures of a page, see struct html_report. */
void gti_html_data(struct writer *writer, const struct html_report *report);

/* ---------------------------------------------------------------- events -- */

/* Makes public events; what they point to is in the arena. */
struct event_maker {
	struct gtrace *trace;
	const struct gtrace_allocator *memory;
	struct clock clock;
	struct arena arena;
	struct map stacks;            /* handle to struct shared_frames */
	struct map texts;             /* address in the trace to the copy */
	struct gtrace_frame *frames;  /* a buffer for those of one stack */
	const struct insides *inside; /* the details of slices; NULL: none */
	bool owns_texts;              /* texts are copied */
};

/* Prepares MAKER. Returns false, with MAKER to be freed, without memory. */
bool gti_event_maker_init(struct event_maker *maker, struct gtrace *trace,
			  bool owns_texts);

/* Frees MAKER except for its arena. */
void gti_event_maker_free(struct event_maker *maker);

/* Forgets the frames of all stacks, if no text is owned. */
void gti_event_maker_forget(struct event_maker *maker);

/* Makes a public slice. Returns false if there is no memory. */
bool gti_make_slice(struct event_maker *maker, const struct slice *slice,
		    struct gtrace_slice *to);

/* Makes the naming of a slice. Returns false if there is no memory. */
bool gti_make_slice_naming(struct event_maker *maker, const struct slice *slice,
			   struct naming *to);

/*
 * Makes a public event of one that starts or ends a slice, with its walk back.
 * Returns false if there is no memory.
 */
bool gti_make_ref(struct event_maker *maker, const struct event_ref *ref,
		  struct gtrace_event *to);

/* Makes a public stop. Returns false if there is no memory. */
bool gti_make_stop(struct event_maker *maker, const struct stops *stops,
		   const struct stop *stop, struct gtrace_stop *to);

/* Samples of one stack, and when its first one was taken. */
struct sampled {
	uint64_t stack; /* handle */
	uint64_t count;
	size_t number;
};

/*
 * Makes the public samples of the GROUPS ones of SAMPLED, which it reorders.
 * Returns false if there is no memory.
 */
bool gti_make_samples(struct event_maker *maker, struct sampled *sampled,
		      size_t groups, const struct gtrace_samples **to,
		      size_t *to_count);

/* Sets *FRAMES and *COUNT to those of STACK. False: there is no memory. */
bool gti_make_frames(struct event_maker *maker, uint64_t stack,
		     const struct gtrace_frame **frames, size_t *count);

/*
 * Returns the naming of STACK, which lives as long as its frames. NULL: there
 * is no memory.
 */
const struct naming *gti_make_naming(struct event_maker *maker, uint64_t stack);

/*
 * gti_make_naming() for the stack of REF; if that has no frames, for the event
 * that a walk back from it leads to.
 */
const struct naming *gti_make_ref_naming(struct event_maker *maker,
					 const struct event_ref *ref);

/*
 * Replaces TEXT by a copy that the maker owns, if it owns texts. Returns false
 * if there is no memory.
 */
bool gti_own_text(struct event_maker *maker, struct gtrace_string *text);

/* Makes a public event without its link. False: there is no memory. */
bool gti_make_event(struct event_maker *maker, const struct event *event,
		    struct gtrace_event *to);

/* The part that needs no memory. The arguments stay those of EVENT. */
void gti_make_values(const struct event_maker *maker, const struct event *event,
		     struct gtrace_event *to);

#endif /* GTRACE_FRONT_H_ */
