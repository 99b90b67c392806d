/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what makes reports and writes them. Included by gtrace.h. */
#ifndef GTRACE_REPORT_H_
#define GTRACE_REPORT_H_

#include <gtrace/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Which slices, pauses, waits, blocks and events a report covers: those that
 * pass each test that is set. Zero sets none. What this points to needs to live
 * only as long as the call.
 *
 *   - A slice passes `g` and `p` by its goroutine and its processor,
 *     `function` by a function in one of its two stacks, which may be those of
 *     a walk back, or by the first function of its goroutine, `min` by its
 *     length, and `from` and `to` if it ends at `from` or later and begins
 *     before `to`.
 *   - A pause passes `from` and `to` if it ends at `from` or later and is
 *     requested before `to`, as far as its times are known, and `min` by
 *     `stopping` (if it is inferred, stopping_max) and `stopped` together. It
 *     passes the other tests if one of these goroutines does: the one that
 *     requested it, and those that ran or were in a system call on a late
 *     processor. The first function of such a goroutine is the outermost one of
 *     its stack in the pause.
 *   - A wait passes `g` by the goroutine that waits, `p` by the processor on
 *     which it runs then (it passes no `p` if it is not over), `function` by a
 *     function in the stack of the event that makes it ready or by its first
 *     function, `min` by its length, and `from` and `to` as a slice does. What
 *     does not pass is in no row and no list, but it counts for the delay of
 *     slices.
 *   - A block passes `g` by the goroutine that is blocked, `function` by a
 *     function in its stack or by its first function, `min` by its length, and
 *     `from` and `to` as a slice does. It is on no processor and passes no `p`.
 *   - An event passes `from` and `to` if it is at `from` or later and before
 *     `to`, `p` by its processor, and `min` always. It passes the other tests
 *     if its goroutine does, or a goroutine that it names, such as the one that
 *     it creates: `g` by its number, `function` by its first function or by a
 *     function in the event's stack.
 *   - `requests_over` lets pass what has a moment inside a request, see
 *     struct gtrace_served, that took longer and belongs to its goroutine: of a
 *     slice, a wait or a block its own one, of a stop one of those above, of an
 *     event its own or one that it names. One that is not over has taken the
 *     time up to the end of the trace. A request of the report of requests,
 *     or of paths, passes if it took longer. The request's `root` and `at`
 *     choose among all, where they count.
 *   - If gtrace_in_ticks() is not 0, `from`, `to`, `min` and `requests_over`
 *     must be 0, or a report fails with GTRACE_ERROR_ARGUMENT.
 *   - `user` leaves out the goroutines of the tracer and of the runtime, whose
 *     first function begins with "runtime." and is not runtime.main; also
 *     slices and events of other goroutines with a stack of the tracer, such as
 *     that of the handler of /debug/pprof/trace. For a goroutine that is older
 *     than a trace of Go 1.22 or later, the outermost function of its first
 *     stack counts as its first. While that is not known the goroutine passes,
 *     as events without a goroutine do.
 */
struct gtrace_filter {
	size_t size; /* sizeof(struct gtrace_filter) */
	/* These goroutines and these processors. Count 0: all. */
	const int64_t *g;
	size_t g_count;
	const int64_t *p;
	size_t p_count;
	/*
	 * A POSIX extended regular expression, in the program's locale, that
	 * matches part of a function's name, within its first 64 KiB. NULL: all
	 * functions.
	 */
	const char *function;
	/*
	 * Nanoseconds since the first event, or below 0 since the end of the
	 * trace, for which it is read once more; `to` 0: no end.
	 */
	int64_t from, to;
	int64_t min; /* nanoseconds */
	int user;    /* not 0: no goroutines of the runtime, nor the tracer */
	/*
	 * Nanoseconds; 0: none. Only what is inside a request, a task or a
	 * region that took longer. Takes a pass or two more.
	 */
	int64_t requests_over;
	/*
	 * Not 0: `from`, or `to`, is a time of day in UTC, in nanoseconds since
	 * midnight: that which is in the trace, or nearest to it. Traces of Go
	 * 1.25 and later have a clock that tells it.
	 */
	int from_clock, to_clock;
};

/* What gtrace_print() writes. Numbers never change. */
enum gtrace_report {
	/* Those of gtrace_analyse(), at least one. CSV holds one of them. */
	GTRACE_REPORT_LONGEST = 0,
	/* Every event. Takes at most 24 bytes an event and a buffer. */
	GTRACE_REPORT_DUMP = 1,
	/*
	 * What gtrace_summarise() makes. Text has about 30 lines, with up to
	 * three slices and pauses; JSON has one line, CSV one record.
	 */
	GTRACE_REPORT_SUMMARY = 2,
	/*
	 * The number and the time of slices as a profile for `go tool pprof`
	 * (profile.proto, not compressed), by the stack where each ended, which
	 * may be that of the walk back, without what waits if it ended in a
	 * block; with labels "goroutine" and "work". A
	 * slice that still runs, or whose stack has no names, counts at the
	 * stack of its start. Memory grows with the number of distinct pairs of
	 * stack and goroutine; after 30000 of these, new samples have no label
	 * "goroutine".
	 */
	GTRACE_REPORT_PROFILE = 3,
	/*
	 * The number and the `stopping` of measured stop-the-world pauses, by
	 * the stack of the processor that was given up last, with labels "work"
	 * and "phase": "stopping"; and the times from `obtained` to
	 * `restarting` ("stopped") and from then on to `ended` ("restarting"),
	 * by the stack that requested the pause.
	 */
	GTRACE_REPORT_STOP_PROFILE = 4,
	/*
	 * Slices, stop-the-world pauses, collections, and counters of the heap
	 * and of goroutines that are ready as trace events, for viewers such as
	 * ui.perfetto.dev: a JSON object, one event a line,
	 * with a track for each processor, and for each goroutine with the
	 * longest block at one of the ten first places of blocks; and tracks
	 * for the critical paths of the three longest requests of three kinds,
	 * with flow events between the slices that each goes through. Only
	 * `from` and `to` of the filter apply to collections, these and `min`
	 * to the parts of paths. Not for times in ticks.
	 * A slice that ends before it starts is GTRACE_ERROR_LENGTH.
	 */
	GTRACE_REPORT_TIMELINE = 5,
	/*
	 * One HTML file of at most 2 MB: the finding, a picture of the whole
	 * trace with its collections, to which `from` and `to` of the filter
	 * apply, the `n` longest slices and waits, `n` places of blocks, and
	 * `stops` longest stop-the-world pauses with what all processors did
	 * around each, and the distribution of the lengths of slices. 0 means
	 * 10, more than 1,000 means 1,000. Of the three kinds of requests with
	 * the greatest sum, the critical paths of the three longest ones, and
	 * the slow ones compared with typical ones; no filter applies to these.
	 * `name` is shown without its directory, but in commands. Makes several
	 * passes over the trace; takes at most 16 MB, and the memory of the
	 * reports that it shows. Not for times in ticks, or that exceed nine
	 * years (GTRACE_ERROR_LENGTH).
	 */
	GTRACE_REPORT_PAGE = 6,
	/*
	 * The number and the length of waits for a processor, by the stack of
	 * the event that made the goroutine ready, which may be that of the
	 * walk back; with the labels of a profile of slices, "goroutine" being
	 * the one that waits. Waits that began before the trace or are not over
	 * at its end are left out.
	 */
	GTRACE_REPORT_WAIT_PROFILE = 7,
	/*
	 * The number of slices that delayed other goroutines, and the sum of
	 * their delays, as a profile of slices has them. The sum of all is that
	 * of the report of delays.
	 */
	GTRACE_REPORT_DELAY_PROFILE = 8,
	/*
	 * The number and the length of blocks, by the stack where each began,
	 * with the label "kind".
	 */
	GTRACE_REPORT_BLOCK_PROFILE = 9,
	/*
	 * The same blocks by the stack of the event that ended each. Where no
	 * goroutine of the program did, there is one frame: "(timer)",
	 * "(network)", "(runtime)", "(system call)" or "(not over)".
	 */
	GTRACE_REPORT_UNBLOCK_PROFILE = 10,
	/*
	 * A profile of slices in which the time is that on a CPU, 0 if it is
	 * not known. Only with gtrace_options.sched.
	 */
	GTRACE_REPORT_CPU_PROFILE = 11,
	/*
	 * The number of mark assists and the time for which they held their
	 * goroutines, by the stack where each began, from the innermost
	 * function outside the runtime on, with the labels of a profile of
	 * slices. Traces up to Go 1.8 have no assists.
	 */
	GTRACE_REPORT_ASSIST_PROFILE = 12,
	/*
	 * The time of the critical paths of all requests, or of what the filter
	 * has in `g`, and how many segments that is, see struct gtrace_path. A
	 * stack begins with the kind of requests, such as "task search". Then
	 * come the stacks of the causes, from where the request itself was
	 * blocked, and last that of the segment. Labels are "state", "level"
	 * and, of blocks, "kind". Of more than 64 causes, or 1,024
	 * frames of them, "(more goroutines)" stands for the rest.
	 */
	GTRACE_REPORT_PATH_PROFILE = 13
};

/* How a report is printed. c/tools/README.md describes each field. */
enum gtrace_format {
	GTRACE_FORMAT_TEXT = 0,
	GTRACE_FORMAT_JSON = 1, /* JSON Lines: an object a line */
	GTRACE_FORMAT_CSV = 2   /* RFC 4180, with a header */
};

/*
 * Which reports to make, how many slices and pauses each has, and how they are
 * written. `report` counts in gtrace_print(), and in gtrace_print_comparison()
 * if that makes a page. Of the others these count:
 *
 *   - For lists, in gtrace_analyse(), gtrace_write() and GTRACE_REPORT_LONGEST:
 *     all but `width`, of which one must ask for a report. `root` and `at`
 *     count with `requests` and `paths`, `kept` with `paths`, `by_cpu` with
 * `n`, `parts` with `waits`, and each field of the filter with the lists that
 * it applies to.
 *   - For summaries, in gtrace_summarise(), gtrace_write_summary(),
 *     gtrace_print_comparison() and GTRACE_REPORT_SUMMARY: all but
 *     `goroutines`, `requests`, `root`, `at`, `sched`, `by_cpu`, `paths` and
 *     `kept`.
 *   - For GTRACE_REPORT_DUMP: `format`, `filter`, `name`.
 *   - For GTRACE_REPORT_PAGE: `n`, `stops`, `filter`, `name`.
 *   - For GTRACE_REPORT_TIMELINE and all profiles: `filter`, `name`. For
 *     GTRACE_REPORT_PATH_PROFILE also `root`, `at` and `kept`, and of the
 * filter only `g`, with it `from` and `to`.
 *   - For gtrace_visit(): `filter`, `details`.
 *
 * Any other field that is not 0 is GTRACE_ERROR_ARGUMENT, with a message that
 * names it.
 */
struct gtrace_request {
	size_t size;  /* sizeof(struct gtrace_request) */
	size_t n;     /* slices in the greedy report; 0: no report */
	size_t stops; /* pauses in each list of their report; 0: no report */
	int format;   /* enum gtrace_format, of printed reports */
	const struct gtrace_filter *filter; /* NULL: none */
	const char *name; /* of the trace, for reports on it; NULL: none */
	/* Not 0: fill the last fields of gtrace_slice, as JSON and CSV do. */
	int details;
	int report;    /* enum gtrace_report, of gtrace_print() */
	size_t waits;  /* longest waits for a processor; 0: no report */
	size_t delays; /* slices with the longest delay; 0: no report */
	/* At most so many parts in gtrace_wait_report; 0: none. */
	size_t parts;
	/* Places of the longest blocks, and so many at rest; 0: no report. */
	size_t blocks;
	size_t width; /* columns of rows of a summary in text; 0: any */
	/* Rows of lists of a summary in JSON, 0: all; of collections. */
	size_t rows;
	/*
	 * Not 0: text of lists has rounded times and no addresses, in one form
	 * for all lists but collections and the scheduler; and the collections
	 * of a summary do not tell how many goroutines were ready.
	 */
	int brief;
	/*
	 * Functions that goroutines begin in; 0: no report. Text has no more
	 * than this number, all other forms have all. If the filter has `g`,
	 * the report has these goroutines one by one; with `from` and `to` it
	 * has the parts of times between them, of the goroutines that live
	 * then. The rest of the filter does not apply.
	 */
	size_t goroutines;
	/*
	 * The longest requests of each kind, of those that end after `from` of
	 * the filter and begin before `to`; 0: no report.
	 */
	size_t requests;
	/*
	 * Extended regular expressions, as in struct gtrace_filter, or NULL.
	 * Only requests whose function, task or region has a name that `root`
	 * matches; a wait begins and ends requests if `at` matches a function
	 * in its stack, and may be of any kind.
	 */
	const char *root;
	const char *at;
	/* Not 0: the collections. Only `from` and `to` filter them. */
	int collections;
	/*
	 * Nanoseconds between samples of the scheduler, which only `from` and
	 * `to` filter; 0: no report. More than 50,000 samples, and one for each
	 * 8 bytes of the trace, are GTRACE_ERROR_ARGUMENT.
	 */
	int64_t sched;
	/*
	 * Not 0: the greedy report has the slices with the longest time on a
	 * CPU, the longest one first. Only with gtrace_options.sched.
	 */
	int by_cpu;
	/*
	 * Critical paths: of so many kinds of requests with the greatest sum,
	 * as `root` and `at` choose them, those of as many longest requests; 0:
	 * no report. If the filter has `g`: those of these goroutines, between
	 * its `from` and `to`, or from when to when they are there if these are
	 * 0. The rest of the filter does not apply. Takes one pass more.
	 */
	size_t paths;
	/*
	 * Changes of states of goroutines, and other events with a stack, that
	 * critical paths keep at once, about 60 bytes each, and one for each
	 * goroutine; 0: 4,194,304. What is before is dropped, and unknown.
	 */
	size_t kept;
};

/*
 * gtrace_analyse() - makes, in one pass over TRACE, the reports that REQUEST
 * asks for. Takes about a kilobyte for each slice, pause and wait in a report,
 * and at most 20 bytes for each of the first million other pauses. On success
 * *REPORTS is to be given to gtrace_reports_free(), before or after the trace
 * is closed; on failure it is NULL.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _READ, _ORDER, _STATE, _SYMBOLS,
 * _LENGTH.
 *
 *	struct gtrace_request request = {
 *		.size = sizeof(request), .n = 10, .stops = 10};
 *
 *	if (gtrace_analyse(trace, &request, &reports, &error) == 0)
 *		printf("%zu slices, %zu pauses\n", reports->greedy->count,
 *		       reports->stops->stop_count);
 *	gtrace_reports_free(reports);
 */
GTRACE_API enum gtrace_status
gtrace_analyse(struct gtrace *trace, const struct gtrace_request *request,
	       struct gtrace_reports **reports, struct gtrace_error *error);

/* gtrace_reports_free() - frees REPORTS. NULL: does nothing. */
GTRACE_API void gtrace_reports_free(struct gtrace_reports *reports);

/*
 * gtrace_summarise() - makes the summary of TRACE in one pass. It lists
 * REQUEST->n slices, with their details, and REQUEST->stops stop-the-world
 * pauses, 3 where the number is 0; REQUEST NULL: 3 of each. It lists
 * REQUEST->waits waits and REQUEST->delays slices by delay, which can be 0, and
 * REQUEST->blocks places of blocks, which a comparison needs, and the
 * collections if REQUEST->collections is not 0. On success *SUMMARY is to be
 * given to gtrace_summary_free(), at any time; on failure it is NULL.
 *
 * Errors: those of gtrace_analyse().
 */
GTRACE_API enum gtrace_status
gtrace_summarise(struct gtrace *trace, const struct gtrace_request *request,
		 struct gtrace_summary **summary, struct gtrace_error *error);

/* gtrace_summary_free() - frees SUMMARY. NULL: does nothing. */
GTRACE_API void gtrace_summary_free(struct gtrace_summary *summary);

/*
 * The functions that gtrace_visit() calls with CONTEXT, NULL for what is not
 * wanted. An argument is valid until the function returns: 0 to continue, any
 * other value to end the call with GTRACE_OK. It must not use the trace.
 */
struct gtrace_visitor {
	size_t size; /* sizeof(struct gtrace_visitor) */
	/* In the order in which slices end; those that still run come last. */
	int (*slice)(void *context, const struct gtrace_slice *slice);
	/* In the order in which stop-the-world pauses end. */
	int (*stop)(void *context, const struct gtrace_stop *stop);
	/* In the order of the report. Takes at most 24 bytes an event. */
	int (*event)(void *context, const struct gtrace_event *event);
	void *context;
	/* A garbage collection has ended, or runs when the trace ends. */
	int (*collection)(void *context, int64_t begin, int64_t end);
	/* In the order in which blocks end; open ones come last. */
	int (*block)(void *context, const struct gtrace_block *block);
	/*
	 * From TS on the heap has BYTES; or, if IS_GOAL, a collection is to
	 * begin before it has more, 0: none is. Of the filter only `from` and
	 * `to` apply.
	 */
	int (*heap)(void *context, int64_t ts, int64_t bytes, int is_goal);
	/*
	 * The names of types, the last one NULL: `event` is called for these
	 * events only, without their `link`, which takes no memory. A name that
	 * is not known is none. NULL: all events.
	 */
	const char *const *event_names;
};

/*
 * gtrace_visit() - calls the functions of VISITOR for all that TRACE has, with
 * the filter and the details of REQUEST; NULL: with neither. A slice comes
 * before the event that ends it. The whole trace is checked before a function
 * is first called.
 *
 * Errors: those of gtrace_analyse().
 *
 *	struct gtrace_visitor visitor = {
 *		.size = sizeof(visitor), .slice = add, .context = &sum};
 *
 *	gtrace_visit(trace, NULL, &visitor, &error);
 */
GTRACE_API enum gtrace_status gtrace_visit(struct gtrace *trace,
					   const struct gtrace_request *request,
					   const struct gtrace_visitor *visitor,
					   struct gtrace_error *error);

/*
 * Where the text of a report goes: to `write`, or if that is NULL to the file
 * descriptor `fd`. `write` is called with CONTEXT for each piece of SIZE bytes.
 * It writes all of them and returns 0, or returns an errno value, which ends
 * the report. It must not use the trace of the report.
 */
struct gtrace_output {
	size_t size; /* sizeof(struct gtrace_output) */
	int (*write)(void *context, const void *data, size_t size);
	void *context;
	int fd;
};

/*
 * gtrace_print() - writes REQUEST->report of TRACE. On an error other than
 * GTRACE_ERROR_WRITE nothing has been written; but a dump and a timeline are
 * written while the checked trace is read again, so that GTRACE_ERROR_READ (the
 * file was changed meanwhile) and _MEMORY can come after some output too.
 *
 * Errors: those of gtrace_analyse(), GTRACE_ERROR_ARGUMENT if the report is not
 * known, does not have the format, or needs times in nanoseconds where they are
 * in ticks, and _WRITE.
 */
GTRACE_API enum gtrace_status gtrace_print(struct gtrace *trace,
					   const struct gtrace_request *request,
					   const struct gtrace_output *output,
					   struct gtrace_error *error);

/*
 * gtrace_write() - writes the reports of COUNT traces, at REPORTS, as one: the
 * lists that REQUEST asks for, as gtrace_print() does, with the longest of all
 * traces first. Equal ones are in the order of their traces. NAMES has the name
 * of each trace, in place of REQUEST->name; text shows them if there are
 * several traces. In text the list of pauses begins with one table for each
 * trace, because medians of several traces cannot be combined. For JSON and CSV
 * the reports must have been made with details. NULL: there are no reports of a
 * trace, a name is not known.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _WRITE.
 */
GTRACE_API enum gtrace_status
gtrace_write(const struct gtrace_reports *const *reports,
	     const char *const *names, size_t count,
	     const struct gtrace_request *request,
	     const struct gtrace_output *output, struct gtrace_error *error);

/*
 * gtrace_write_summary() - writes SUMMARY as gtrace_print() does, in
 * REQUEST->format and with REQUEST->name; NULL: as text.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _WRITE.
 */
GTRACE_API enum gtrace_status
gtrace_write_summary(const struct gtrace_summary *summary,
		     const struct gtrace_request *request,
		     const struct gtrace_output *output,
		     struct gtrace_error *error);

/*
 * gtrace_print_comparison() - writes two summaries side by side: how many
 * slices, waits for a processor and stop-the-world pauses there are and how
 * long, per second of each trace; and the functions in which slices took more
 * or less time or delayed others longer or less, or that held up pauses, the
 * largest change first. If REQUEST->report is GTRACE_REPORT_PAGE it is an HTML
 * page. As such and as text it lists at most REQUEST->n functions of each kind,
 * 10 if that is 0; as JSON, in one line, all of them. NAMES has the names of
 * the two traces; NAMES or a name may be NULL. REQUEST NULL: text.
 *
 * Errors: GTRACE_ERROR_ARGUMENT (also if times are in ticks), _MEMORY, _WRITE.
 *
 *	gtrace_summarise(old_trace, NULL, &before, &error);
 *	gtrace_summarise(new_trace, NULL, &after, &error);
 *	gtrace_print_comparison(before, after, NULL, NULL, &output, &error);
 */
GTRACE_API enum gtrace_status gtrace_print_comparison(
	const struct gtrace_summary *before, const struct gtrace_summary *after,
	const char *const *names, const struct gtrace_request *request,
	const struct gtrace_output *output, struct gtrace_error *error);

#ifdef __cplusplus
}
#endif

#endif /* GTRACE_REPORT_H_ */
