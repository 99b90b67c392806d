/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - one pass over a trace, for whatever is wanted of it. */
#ifndef GTRACE_RUN_H_
#define GTRACE_RUN_H_

#include "analysis/collections.h"
#include "analysis/holders.h"
#include "base/guard.h"
#include "base/texts.h"
#include "front.h"

/*
 * What a pass calls for each thing as it ends, with the context of struct
 * wanted. A function returns false to end the pass, which is no error;
 * blocks cannot end it. NULL: not wanted.
 */
struct sinks {
	bool (*slice)(void *context, const struct slice *slice);
	bool (*stop)(void *context, const struct stop *stop);
	bool (*collection)(void *context, int64_t begin, int64_t end);
	bool (*event)(void *context, const struct event *event);
	void (*block)(void *context, const struct ended_block *block);
	/* A mark assist of goroutine G begins or ends; with `block`. */
	void (*assist)(void *context, uint64_t g, bool begins, int64_t now);
};

/*
 * Returns the name of NAMING, of the COUNT frames at FRAMES. NO_TEXT: there is
 * no memory.
 */
typedef uint32_t name_function(void *context, const struct naming *naming,
			       const struct gtrace_frame *frames, size_t count);

/* What a pass is to find. Zero: nothing. */
struct wanted {
	/*
	 * What gtrace_analyse() makes of it, and the filter. What a printed
	 * report asks for beside that is not looked at.
	 */
	struct gtrace_request request;
	bool inside;    /* the details but for the time of their stops */
	bool all_waits; /* sums over all waits */
	/* Collections without how many goroutines were ready meanwhile. */
	bool brief;
	/*
	 * Sums by stack, of all slices or waits, and of all stops: the names of
	 * stacks, with `context`. NULL: not wanted.
	 */
	name_function *name, *name_holder;
	bool by_goroutine; /* and stops by phase, see struct holders */
	/* The profile is of waits, or of mark assists, not of slices. */
	bool profile_of_waits;
	bool profile_of_assists;
	/*
	 * Not NULL: each thing is given away, and no other field asks for a
	 * report. A pass that checks the trace comes before, unless
	 * `is_checked` says that the trace has been read.
	 */
	const struct sinks *sinks;
	bool is_checked;
	bool links; /* of the events that are given away */
	/*
	 * The pass begins again: forgets all names. NULL: none are given to
	 * stacks before the format forgets these.
	 */
	void (*restart)(void *context);
	void *context;
};

/* Whether blocks are wanted, or what is made of them. */
static inline bool wants_blocks(const struct wanted *wanted)
{
	return wanted->request.blocks != 0 || wanted->request.goroutines != 0 ||
	       wanted->request.requests != 0 ||
	       (wanted->sinks != NULL && wanted->sinks->block != NULL);
}

/* Whether collections or the scheduler are wanted. */
static inline bool wants_sched(const struct wanted *wanted)
{
	return wanted->request.collections || wanted->request.sched != 0;
}

/* Whether waits are wanted, or what is made of them. */
static inline bool wants_waits(const struct wanted *wanted)
{
	return wanted->request.waits != 0 || wanted->request.delays != 0 ||
	       wanted->all_waits || wanted->profile_of_waits ||
	       wants_sched(wanted);
}

/* Whether GIVEN, which may be NULL, leaves anything out. */
bool gti_is_filtered(const struct gtrace_filter *given);

/* A text of a trace, and the equal one of struct block_names. */
struct recent_word {
	struct gtrace_string text, word;
};

#define RECENT_WORDS 256

/* What the names of struct blocks are: texts by number. */
struct block_names {
	struct texts words;
	/* Looked up lately, by address: texts of a trace do not move. */
	struct recent_word recent[RECENT_WORDS];
	struct texts stacks; /* those of frames, see block_names.c */
	struct texts sites;  /* struct named_site */
	struct array frames; /* of the stack that is being named */
};

/* A pass, and what it has found. It must not be moved. */
struct run {
	struct gtrace *trace;
	const struct wanted *wanted;
	struct observer observer;
	struct observer links; /* of events: found by the pass that checks */
	struct slices slices;
	struct stops stops;
	struct waits waits;
	struct blocks blocks;
	struct block_names block_names;
	struct sched sched;
	struct collections collections;
	struct texts functions;     /* those that stacks of collections name */
	struct gtrace_filter asked; /* if observer.filter is not NULL */
	struct profile profile;
	struct holders holders;
	struct insides inside;
	struct filter filter;
	struct filter root;       /* names of requests */
	struct filter at;         /* stacks of waits for requests */
	struct event_maker maker; /* owns no texts */
	struct guard guard;
	/* Which time of a stop, if they are by phase, is being named. */
	enum { RUN_STOPPING, RUN_STOPPED, RUN_RESTARTING } phase;
	bool failed; /* set by a sink that had no memory */
};

/*
 * Makes the pass. The caller calls gti_run_end() afterwards, even on failure;
 * until then the input is guarded, and WANTED is needed. Errors: those of
 * gtrace_analyse().
 */
enum gtrace_status gti_run(struct run *run, struct gtrace *trace,
			   const struct wanted *wanted,
			   struct gtrace_error *error);

/* Frees what RUN found. Returns STATUS, or an error if the file was lost. */
enum gtrace_status gti_run_end(struct run *run, enum gtrace_status status,
			       struct gtrace_error *error);

/*
 * Makes the reports of what RUN found. They are to be freed by
 * gtrace_reports_free(). Errors: GTRACE_ERROR_MEMORY.
 */
enum gtrace_status gti_make_reports(struct run *run,
				    const struct wanted *wanted,
				    struct gtrace_reports **out,
				    struct gtrace_error *error);

/* Prepare the analysis of blocks of RUN, and free it. */
void gti_want_blocks(struct run *run, const struct wanted *wanted);
void gti_free_blocks(struct run *run);

/* Makes a public block. Returns false if there is no memory. */
bool gti_make_block(struct event_maker *maker, const struct run *run,
		    const struct ended_block *block, struct gtrace_block *to);

/* Makes the report of the WANTED places of each list. */
bool gti_make_blocks(struct event_maker *maker, const struct run *run,
		     size_t wanted, struct gtrace_block_report *to);

/* Make the reports of goroutines, and of requests. */
bool gti_make_goroutines(struct event_maker *maker, const struct run *run,
			 struct gtrace_goroutine_report *to);
bool gti_make_requests(struct event_maker *maker, const struct run *run,
		       struct gtrace_request_report *to);

/* Prepare the analysis of collections or the scheduler, and free it. */
void gti_want_collections(struct run *run, const struct wanted *wanted);
void gti_free_collections(struct run *run);

bool gti_make_collections(struct event_maker *maker, const struct run *run,
			  const struct wanted *wanted,
			  struct gtrace_collection_report *to);
bool gti_make_sched(struct event_maker *maker, const struct run *run,
		    struct gtrace_sched_report *to);

/*
 * Whether the filter lets pass what lasts FROM one time TO another, if only
 * that counts.
 */
static inline bool run_chooses(const struct run *run, int64_t from, int64_t to)
{
	const struct gtrace_filter *asked = &run->asked;

	return (asked->from == 0 || to > asked->from) &&
	       (asked->to == 0 || from < asked->to);
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

#endif /* GTRACE_RUN_H_ */
