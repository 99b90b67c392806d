/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - one pass over a trace, for all that is wanted of it, and what makes
 * public structs of what it found.
 */
#ifndef GTRACE_RUN_H_
#define GTRACE_RUN_H_

#include "analysis/blocks.h"
#include "analysis/collections.h"
#include "analysis/holders.h"
#include "analysis/long_requests.h"
#include "analysis/observe.h"
#include "base/guard.h"
#include "base/reports.h"
#include "base/times.h"
#include "feed/sites.h"
#include "front.h"
#include "names.h"

struct run;
struct cause_work;

/*
 * What a pass calls for each thing as it ends, with the struct run as context.
 * A function returns false to end the pass, which is no error; blocks cannot
 * end it. NULL: not wanted.
 */
struct sinks {
	bool (*slice)(void *context, const struct slice *slice);
	void (*stop)(void *context, const struct stop *stop);
	bool (*collection)(void *context, int64_t begin, int64_t end);
	bool (*event)(void *context, const struct event *event);
	void (*block)(void *context, const struct ended_block *block);
	/* A mark assist of goroutine G begins or ends; with `block`. */
	void (*assist)(void *context, uint64_t g, bool begins, int64_t now);
};

/* What a pass is to find. Zero: nothing. */
struct wanted {
	/*
	 * What gtrace_analyse() makes of it, and the filter. What a printed
	 * report asks for beside that is not looked at.
	 */
	struct gtrace_request request;
	bool inside;    /* the details but for the time of their stops */
	bool machine;   /* trace->machine, and nothing else */
	bool judges;    /* what is known of the machine is used */
	bool all_waits; /* sums over all waits */
	/* Collections without how many goroutines were ready meanwhile. */
	bool brief;
	/* What is added up in run->profile, and stops in run->holders. */
	enum {
		SUMS_OF_NOTHING,
		SUMS_OF_SLICES,
		SUMS_OF_WAITS,
		SUMS_OF_ASSISTS
	} sums;
	bool holders;
	bool causes; /* for what goroutines could not go on */
	bool holds;  /* who held locks; with request.blocks */
	/* With request.paths: of all requests, added up in the flames. */
	bool flames;
	bool spans; /* with request.requests: all requests */
	/*
	 * Not NULL: sums are by stack and goroutine, and those of stops by
	 * phase; else they are by function. Returns the name of the COUNT
	 * frames at FRAMES, of SITE, or NO_TEXT without memory.
	 */
	uint32_t (*put_stack)(struct run *run, const struct named_site *site,
			      const struct gtrace_frame *frames, size_t count);
	/*
	 * Not NULL: each thing is given away, and no other field asks for a
	 * report. A pass that checks the trace comes before, unless
	 * `is_checked` says that the trace has been read.
	 */
	const struct sinks *sinks;
	bool is_checked;
	bool links; /* of the events that are given away */
	/*
	 * With `sinks`, and waits: called at the end of each generation, see
	 * struct observer. NULL: not wanted.
	 */
	bool (*generation)(void *run, const struct generation_place *place,
			   int64_t last);
	/* Where public structs are made. NULL: in the pass. */
	struct arena *arena;
	/* The pass begins again. NULL: not wanted. */
	void (*restart)(struct run *run);
	/*
	 * Called after a pass without an error, while what it found is there.
	 * NULL: not wanted.
	 */
	enum gtrace_status (*make)(struct run *run, struct gtrace_error *error);
	void *context; /* what the functions above need */
};

/* Whether GIVEN, which may be NULL, leaves anything out. */
bool gti_is_filtered(const struct gtrace_filter *given);

/* A pass, and what it has found. It must not be moved. */
struct run {
	struct gtrace *trace;
	const struct gtrace_allocator *memory;
	const struct wanted *wanted;
	struct observer observer;
	struct observer links; /* of events: found by the pass that checks */
	struct slices slices;
	struct stops stops;
	struct waits waits;
	struct wait_results wait_results;
	struct blocks blocks;
	struct sched sched;
	struct collections collections;
	struct cause_work *causes; /* of findings; NULL: not wanted */
	struct profile profile;
	struct holders holders;
	struct insides inside;
	struct feed *feed; /* NULL: not wanted */
	/* What is found for a list alone; NULL: not wanted. */
	void *found[LIST_COUNT];
	struct filter filter;
	struct long_requests long_requests; /* for the filter */
	struct filter root;                 /* names of requests */
	struct filter at;                   /* stacks of waits for requests */
	struct names names;
	struct guard guard;
	/* The public structs that are made, and what they point to. */
	struct arena *arena, own_arena;
	struct map stacks;           /* handle to struct shared_frames */
	struct map texts;            /* address in the trace to the copy */
	struct gtrace_frame *frames; /* a buffer for those of one stack */
	bool owns_texts;             /* texts are copied */
	bool failed;                 /* there was no memory for something */
};

/*
 * Makes the pass. Until it returns the input is guarded. Errors: those of
 * gtrace_analyse(), and of wanted->make().
 */
enum gtrace_status gti_run(struct gtrace *trace, const struct wanted *wanted,
			   struct gtrace_error *error);

/*
 * Makes the pass that finds the long requests which the filter of WANTED needs,
 * if any: *ALL, which is zero before, is to be freed on success. Errors: as
 * above.
 */
enum gtrace_status gti_find_long_requests(struct gtrace *trace,
					  const struct wanted *wanted,
					  struct long_requests *all,
					  struct gtrace_error *error);

/* Sets up the analyses of RUN. Returns false if there is no memory. */
bool gti_want(struct run *run);

/*
 * CONSUMER takes the stream of the pass of RUN, and ends with RUN. Returns
 * false if there is no memory; it has ended then.
 */
bool gti_consume(struct run *run, const struct consumer *consumer);

/*
 * Whether the filter lets pass what lasts FROM one time TO another, if only
 * that counts.
 */
static inline bool run_chooses(const struct run *run, int64_t from, int64_t to)
{
	return filter_chooses(&run->filter.asked, from, to);
}

/* The number of the event that EVENT links to; 0: none. */
static inline uint64_t run_link(const struct run *run,
				const struct event *event)
{
	return event->ordinal <= run->links.link_count
		       ? run->links.links[event->ordinal]
		       : 0;
}

/* Whether EVENT, at TS in nanoseconds, passes the filter. */
static inline bool run_passes(struct run *run, const struct event *event,
			      int64_t ts)
{
	return LIKELY(run->observer.filter == NULL) ||
	       gti_filter_event(run->observer.filter, event, ts);
}

/* TICKS in nanoseconds since the first event. */
static inline int64_t run_ns(const struct run *run, int64_t ticks)
{
	return clock_ns(&run->observer.clock, ticks);
}

/* The time from the origin to TICKS. */
static inline int64_t run_extent(const struct run *run, int64_t ticks)
{
	return length_between(run_ns(run, run->observer.origin),
			      run_ns(run, ticks));
}

/* ----------------------------------------------------------------- names -- */

/* What analyses call, with the struct run as context. */
extern const struct profile_names gti_slice_names, gti_holder_names;
uint32_t gti_name_block_event(void *context, const struct block_event *event);
void gti_describe_block_place(void *context, uint32_t name,
			      struct block_place *place);
bool gti_describe_site(void *context, const struct site_key *key,
		       struct site *site);
bool gti_describe_stack(void *context, uint64_t stack,
			struct stack_facts *facts);

/* The name of NAMING as NAMED_SILENT, and of FRAMES, COUNT of them, as
 * NAMED_INNER. They set run->failed without memory. */
uint32_t gti_name_silent(struct run *run, const struct naming *naming);
uint32_t gti_name_inner(struct run *run, const struct gtrace_frame *frames,
			size_t count);

/* What NAME of a block is. */
static inline struct named_site gti_block_site(const struct run *run,
					       size_t name)
{
	return gti_names_site(&run->names, NAMED_BLOCKS, name);
}

/* ---------------------------------------------------------------- events -- */
/*
 * These functions make public structs in the arena. If there is no memory they
 * set run->failed; what they make then is incomplete, but can be read.
 */

/* Returns COUNT times SIZE zero bytes of the arena, or NULL. */
void *gti_make_array(struct run *run, size_t count, size_t size);

/* Allocates run->frames, and frees it. Returns false if there is no memory. */
bool gti_begin_frames(struct run *run);
void gti_end_frames(struct run *run);

/* Forgets the frames of all stacks, and the arena, in which no text is owned.
 */
void gti_forget_frames(struct run *run);

/* Does that if they take much, before a thing that is given away is made. */
void gti_limit_frames(struct run *run);

/* Makes a public slice. */
void gti_make_slice(struct run *run, const struct slice *slice,
		    struct gtrace_slice *to);

struct naming gti_make_slice_naming(struct run *run, const struct slice *slice);

/* Makes a public event of one that starts or ends a slice, with its walk back.
 */
void gti_make_ref(struct run *run, const struct event_ref *ref,
		  struct gtrace_event *to);

/*
 * From these versions on an event begins a stop-the-world pause of a
 * collection; or each pause, and has its name.
 */
#define VERSION_STOPS     1010
#define VERSION_ALL_STOPS 1021

/* Says how the trace tells run->stops of pauses, and what these are called. */
void gti_describe_stops(struct run *run);

/* Makes a public stop. */
void gti_make_stop(struct run *run, const struct stop *stop,
		   struct gtrace_stop *to);

/* Samples of one stack, and when its first one was taken. */
struct sampled {
	uint64_t stack; /* handle */
	uint64_t count;
	size_t number;
};

/* Makes the public samples of the GROUPS ones of SAMPLED, which it reorders. */
void gti_make_samples(struct run *run, struct sampled *sampled, size_t groups,
		      const struct gtrace_samples **to, size_t *to_count);

/* Reads the strings of EVENT, as the format does. Returns their number. */
size_t gti_read_strings(struct run *run, const struct event *event,
			struct gtrace_string strings[EVENT_STRINGS]);

/* Sets *FRAMES and *COUNT to those of STACK. */
void gti_make_frames(struct run *run, uint64_t stack,
		     const struct gtrace_frame **frames, size_t *count);

/*
 * Where the number of STACK among the named ones is kept, plus one, with its
 * frames. NULL: it has none.
 */
uint32_t *gti_stack_number(struct run *run, uint64_t stack);

/* Sets *FRAMES and *COUNT to those of the named stack NUMBER. */
void gti_make_named_frames(struct run *run, uint32_t number,
			   const struct gtrace_frame **frames, size_t *count);

/* Returns the naming of STACK, which lives as long as its frames. */
const struct naming *gti_make_naming(struct run *run, uint64_t stack);

/*
 * The naming of SLICE by the stack at its end; if that has no name, or the
 * slice still runs, by the last event of its goroutine. Sets *FRAMES and *COUNT
 * to those it is made of.
 */
struct naming gti_make_end_naming(struct run *run, const struct slice *slice,
				  const struct gtrace_frame **frames,
				  size_t *count);

/* Sets *FRAMES and *COUNT, 0 before, as in struct gtrace_slice, last_frames. */
void gti_make_last(struct run *run, const struct slice *slice,
		   const struct gtrace_frame **frames, size_t *count);

/* Replaces TEXT by a copy in the arena, if texts are owned. */
void gti_own_text(struct run *run, struct gtrace_string *text);

/* The slices and waits of RUN, of gtrace_follow(), have not begun. */
void gti_follow_begin(struct run *run);

/* Makes a public wait, of the struct wait FROM. */
void gti_make_wait(struct run *run, const void *from, void *row);

/* Makes a public event without its link. */
void gti_make_event(struct run *run, const struct event *event,
		    struct gtrace_event *to);

/* The part that needs no memory. The arguments stay those of EVENT. */
void gti_make_values(const struct run *run, const struct event *event,
		     struct gtrace_event *to);

/* Makes a public block. */
void gti_make_block(struct run *run, const struct ended_block *block,
		    struct gtrace_block *to);

/* --------------------------------------------------------------- reports -- */

/* Of what the rows of a list are made. */
struct list_of {
	const void *from; /* COUNT structs of SIZE; 0: pointers to them */
	size_t count;
	size_t size;
	size_t row_size; /* of a public struct */
	void (*make)(struct run *run, const void *from, void *row);
	/*
	 * Where it is in the file. Rows are made from the last one on, as a
	 * format has the stacks and strings of the last part, and may have to
	 * read those of other parts again. NULL: all is there.
	 */
	uint64_t (*place)(const void *from);
	/* Of pointers to rows. NULL: they are in the order of `from`. */
	compare_function *compare;
};

/* Makes the rows. Returns pointers to them, in order, or NULL. */
const void *gti_make_list(struct run *run, const struct list_of *list);

/*
 * Add the consumer of the report to the pass. Return false if there is no
 * memory.
 */
#define WANTER_HOOKED(report)
#define WANTER_CONSUMES(report) bool gti_want_##report(struct run *run);
#define WANTER(NAME, report, asked, uses, filters, made, ...)                  \
	WANTER_##made(report)
REPORTS(WANTER)
#undef WANTER
#undef WANTER_CONSUMES
#undef WANTER_HOOKED

/* Make the report of what was found. */
typedef void report_maker(struct run *run, void *to);
#define MAKER(NAME, report, ...) report_maker gti_make_##report;
REPORTS(MAKER)
#undef MAKER

/* What the caller of gtrace_analyse() or gtrace_summarise() has. */
struct made {
	/* First: the caller has one of these. */
	union {
		struct gtrace_reports reports;
		struct gtrace_summary summary;
	} public;
	struct gtrace_allocator memory;
	struct arena arena; /* all that it points to */
};

/*
 * Makes a pass for WANTED, the `make` of which has *OUT as context. Sets *OUT
 * to NULL on failure.
 */
enum gtrace_status gti_made(struct gtrace *trace, struct wanted *wanted,
			    struct made **out, struct gtrace_error *error);
void gti_free_made(struct made *made);

/* Prepares run->sched, for one of its consumers. */
void gti_init_sched(struct run *run);

/* Makes the reports that are wanted. */
void gti_fill_reports(struct run *run, struct gtrace_reports *to);

/*
 * The functions in which goroutines swept, *COUNT of them, the greatest sum
 * first. NULL: there are none, or there is no memory.
 */
const struct gtrace_function *gti_make_swept(struct run *run, size_t *count);

/* Fills in the functions and the holders of TO, which has its blocks. */
void gti_make_totals(struct run *run, struct gtrace_summary *to);

/* The word for BY: "goroutine", "timer", ... */
const char *gti_by_word(enum by by);

/*
 * The name of the requests of GROUP, a number; and what it stands for: WHAT,
 * "goroutine", "task" or "region", and the text of it.
 */
uint32_t gti_requests_name(const struct run *run,
			   const struct request_group *group);
void gti_make_requests_name(struct run *run, uint32_t name, const char **what,
			    struct gtrace_string *text);

/* Who ended a block of KIND by the name BY, see struct ended_block. */
enum by gti_block_ended_by(const struct run *run, uint32_t by, uint32_t kind);

#endif /* GTRACE_RUN_H_ */
