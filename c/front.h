/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.h - what the files of the front end share. The front end is the only
 * layer that sees both formats and reports.
 */
#ifndef GTRACE_FRONT_H_
#define GTRACE_FRONT_H_

#include <gtrace/gtrace.h>

#include "analysis/clocks.h"
#include "base/accounts.h"
#include "base/input.h"
#include "base/oncpu.h"
#include "base/output.h"
#include "model/format.h"

struct machine_facts;

struct gtrace {
	struct gtrace_allocator memory;
	struct input input;
	const struct format *format;
	void *self; /* the trace as the format opened it */
	struct gtrace_options options;
	struct arena texts;            /* of the options */
	struct oncpu *oncpu;           /* NULL: there is no scheduling record */
	struct accounts *accounts;     /* NULL: there are none of threads */
	struct machine_facts *machine; /* NULL: not found yet, see machine.h */
	struct progress progress;
	struct left_out left_out;
	struct format_facts facts;
	struct clock_changes clocks; /* in the last pass */
	int64_t first_ticks;         /* of the first event, likewise */
	bool knows_end;              /* `end` is set */
	int64_t end;                 /* since the first event */
};

/*
 * Copies the struct at FROM, which begins with its size, to the SIZE bytes at
 * TO, with zeros for what it lacks. FROM can be NULL: all zeros. Fails with
 * GTRACE_ERROR_ARGUMENT if the struct's size is impossible, or if fields are
 * set that this library does not know.
 */
enum gtrace_status gti_copy_sized(void *to, size_t size, const void *from,
				  struct gtrace_error *error);

/* Whether FILTER has times of day, or times since the end. */
bool gti_has_moments(const struct gtrace_filter *filter);

/*
 * Replaces these by times since the first event, for which it reads TRACE.
 * Errors: GTRACE_ERROR_ARGUMENT, and those of a pass.
 */
enum gtrace_status gti_resolve_filter(struct gtrace *trace,
				      struct gtrace_filter *filter,
				      struct gtrace_error *error);

/* What a request is for. */
enum request_use {
	REQUEST_LISTS,
	REQUEST_SUMMARY,
	REQUEST_COMPARISON,
	REQUEST_VISIT,
	REQUEST_FOLLOW,
	REQUEST_DUMP,
	REQUEST_PROFILE,
	REQUEST_PATH_PROFILE, /* which is not one of the others */
	REQUEST_TIMELINE,
	REQUEST_PAGE,
};

/*
 * Fails with GTRACE_ERROR_ARGUMENT if a field of REQUEST does not count for
 * USE, or has a value that it cannot have.
 */
enum gtrace_status gti_check_request(const struct gtrace_request *request,
				     enum request_use use,
				     struct gtrace_error *error);

/* Copies the request GIVEN, NULL for none, and checks it. */
enum gtrace_status gti_take_request(struct gtrace_request *request,
				    const struct gtrace_request *given,
				    enum request_use use,
				    struct gtrace_error *error);

/* The fields that ask for lists, each after BEFORE, with commas between. */
struct list_names {
	char text[256];
};
struct list_names gti_name_lists(const char *before);

/* How many lists REQUEST asks for. */
int gti_count_lists(const struct gtrace_request *request);

/* The allocator of SUMMARY. */
const struct gtrace_allocator *
gti_summary_memory(const struct gtrace_summary *summary);

/* Opens WRITER for OUTPUT. If that succeeds it has to be closed. */
enum gtrace_status gti_open_writer(struct writer *writer,
				   const struct gtrace_output *output,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error);

/* Closes WRITER. Discards what it has not written if STATUS is an error. */
enum gtrace_status gti_close_writer(struct writer *writer,
				    enum gtrace_status status,
				    struct gtrace_error *error);

/* Prints a report of TRACE to WRITER. */
typedef enum gtrace_status printer(struct gtrace *trace,
				   const struct gtrace_request *request,
				   struct writer *writer,
				   struct gtrace_error *error);

printer gti_print_dump, gti_print_profile, gti_print_timeline, gti_print_page;

struct html_report;

/* Writes the data of the pictures of a page, see struct html_report. */
void gti_html_data(struct writer *writer, const struct html_report *report);

#endif /* GTRACE_FRONT_H_ */
