/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - when threads may have had no CPU: found by a pass of its own,
 * before the first pass that needs it, as only the end of the trace decides
 * what a time without events is.
 */
#ifndef GTRACE_MACHINE_H_
#define GTRACE_MACHINE_H_

#include "analysis/evidence.h"
#include "front.h"
#include "names.h"

struct run;

struct machine_facts {
	struct evidence evidence;
	struct names names; /* NAMED_SILENT are those of the evidence */
};

/*
 * Sets trace->machine, unless it is set or there is a scheduling record. A
 * trace in which there is a fault has none. Errors: GTRACE_ERROR_MEMORY.
 */
enum gtrace_status gti_find_machine(struct gtrace *trace,
				    struct gtrace_error *error);
void gti_free_machine(struct gtrace *trace);

/* Prepares RUN for the pass that finds it. Returns false if out of memory. */
bool gti_collect_machine(struct run *run);

/*
 * The string of the event of TRANSITION, while the run CONTEXT takes the
 * stream: the label of a goroutine or the reason of a stop. Empty: none.
 */
struct gtrace_string gti_transition_text(void *context,
					 const struct transition *transition);

/* Fills in what TO has of it, of the public structs in the arena of RUN. */
void gti_make_machine(struct run *run, struct gtrace_summary *to);

/* Sets to->threads, of trace->accounts. NULL: there are none. */
void gti_make_threads(struct run *run, struct gtrace_summary *to);

/*
 * Sets *OUT to the functions that kept processors without an event, in any
 * order, in the arena of RUN. Returns how many there are.
 */
size_t gti_make_silent(struct run *run, struct gtrace_function **out);

/*
 * Sets what is known of the silences in a time of LENGTH from one on: how long
 * they are, how long no thread certainly had a CPU, the weakest class.
 */
void gti_machine_within(const struct gtrace *trace, int64_t from,
			int64_t length, int64_t *silent, int64_t *certain,
			enum gtrace_silent_class *class);

/*
 * The longest bare stretch of processor P between two times, and its class.
 * GTRACE_SILENT_NONE: there is none.
 */
enum gtrace_silent_class gti_machine_bare(const struct gtrace *trace, int64_t p,
					  int64_t from, int64_t to,
					  int64_t *length);

#endif /* GTRACE_MACHINE_H_ */
