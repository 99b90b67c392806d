/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof.h - a profile as `go tool pprof` reads it: the message Profile of
 * github.com/google/pprof/proto/profile.proto, not compressed.
 *
 * A sample has two values, a count and a time, a stack, and labels. Samples are
 * the caller's, which passes each one when the profile is written.
 */
#ifndef GTRACE_REPORT_PPROF_H_
#define GTRACE_REPORT_PPROF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/texts.h"

/* A sample of any goroutine, without a label for it. */
#define PPROF_ANY_G UINT64_MAX

/* Numbers of texts. Their bytes are compared: no padding may be left unset. */
struct pprof_function {
	uint32_t name;
	uint32_t file;
};

struct pprof_location {
	uint64_t line;
	uint64_t function;
};

/* The numbers of some strings. */
enum { PPROF_EMPTY, PPROF_WORK, PPROF_GOROUTINE };

struct pprof {
	const struct gtrace_allocator *memory;
	struct texts strings;   /* the first ones are those above */
	struct texts functions; /* struct pprof_function */
	struct texts locations; /* struct pprof_location */
	/* Of samples: locations and the labels, as written. */
	struct texts stacks;
	char *stack; /* a buffer for one of `stack_max` frames */
	size_t stack_max;
};

/* A text, or if that is NULL a number: its unit is the key. */
struct pprof_label {
	const char *key;
	const char *text;
	uint32_t number;
};

/* A stack has at most so many. */
#define PPROF_LABELS 3

struct pprof_stack {
	/* Innermost first. Count 0: the one function NOTHING, a constant. */
	const struct gtrace_frame *frames;
	size_t count;
	const char *nothing;
	struct pprof_label labels[PPROF_LABELS]; /* up to one without a key */
};

struct pprof_values {
	uint64_t count;
	uint64_t time;
};

struct pprof_sample {
	struct pprof_values values;
	uint64_t g;     /* a label, or PPROF_ANY_G */
	uint32_t stack; /* its number */
};

/* What the profile is of. */
struct pprof_head {
	const char *what;    /* the type of the count, such as "slices" */
	const char *meaning; /* of a stack and of a time: a comment */
	const char *trace;   /* the trace's name; NULL: none */
	int64_t length;      /* of the trace */
	bool in_ticks;       /* the unit of times: not nanoseconds */
};

/*
 * Prepares PPROF for stacks of up to STACK_MAX frames. Returns false if there
 * is no memory; then nothing can be added.
 */
bool gti_pprof_init(struct pprof *pprof, size_t stack_max,
		    const struct gtrace_allocator *memory);

void gti_pprof_free(struct pprof *pprof);

/*
 * Returns the number of STACK, which can be that of an earlier one. NO_TEXT:
 * there is no memory.
 */
uint32_t gti_pprof_put_stack(struct pprof *pprof,
			     const struct pprof_stack *stack);

/* Returns the number of a string. NO_TEXT: there is no memory. */
uint32_t gti_pprof_put_string(struct pprof *pprof, const char *text);

/*
 * Write the profile: what its values are; a sample; and the rest. The first one
 * returns false, having written nothing, if there is no memory.
 */
bool gti_pprof_begin(struct pprof *pprof, const struct pprof_head *head,
		     struct writer *writer);
void gti_pprof_write_sample(const struct pprof *pprof,
			    const struct pprof_sample *sample,
			    struct writer *writer);
void gti_pprof_end(struct pprof *pprof, const struct pprof_head *head,
		   struct writer *writer);

#endif /* GTRACE_REPORT_PPROF_H_ */
