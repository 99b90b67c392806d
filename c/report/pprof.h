/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof.h - a profile as `go tool pprof` reads it: the message Profile of
 * github.com/google/pprof/proto/profile.proto, not compressed.
 *
 * A sample has two values, a count and a time, a stack, and labels. Samples
 * that differ in nothing but their values are added up, so memory is that of
 * the distinct stacks and goroutines.
 */
#ifndef GTRACE_REPORT_PPROF_H_
#define GTRACE_REPORT_PPROF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/output.h"
#include "base/texts.h"

/* Samples of any goroutine, without a label for it. */
#define PPROF_ANY_G UINT64_MAX

/* Numbers of texts. Their bytes are compared: no padding may be left unset. */
struct pprof_function {
	uint32_t name;
	uint32_t file;
};

struct pprof_location {
	int64_t line;
	uint64_t function;
};

struct pprof_sample {
	uint64_t g;
	uint64_t count;
	uint64_t time;
	uint32_t stack;
	uint32_t label; /* place of g among the goroutines, plus one; 0: none */
};

/* The numbers of some strings. */
enum { PPROF_EMPTY, PPROF_WORK, PPROF_GOROUTINE };

struct pprof {
	const struct gtrace_allocator *memory;
	struct texts strings;   /* the first ones are those above */
	struct texts functions; /* struct pprof_function */
	struct texts locations; /* struct pprof_location */
	/* Of samples: locations and the label of the work, as written. */
	struct texts stacks;
	struct array samples;          /* struct pprof_sample */
	struct numbers sample_numbers; /* by goroutine and stack */
	/*
	 * The goroutines of labels, uint64_t. Their strings are not kept: they
	 * follow `strings` in this order.
	 */
	struct array goroutines;
	struct numbers goroutine_numbers;
	size_t labelled;     /* samples that have a goroutine */
	uint32_t last_stack; /* of `stacks`; what was added to last */
	char *stack;         /* a buffer for one of `stack_max` frames */
	size_t stack_max;
};

/* What a sample is added to. */
struct pprof_add {
	bool again; /* the stack and the work are those of the last call */
	/* Innermost first. Count 0: the one function NOTHING, a constant. */
	const struct gtrace_frame *frames;
	size_t count;
	const char *nothing;
	const char *work; /* a label, a constant */
	uint64_t g;       /* a label, or PPROF_ANY_G */
};

/* What the profile is of. */
struct pprof_head {
	const char *what;  /* the type of the count, such as "slices" */
	const char *trace; /* the trace's name; NULL: none */
	int64_t length;    /* of the trace */
	bool in_ticks;     /* the unit of times: not nanoseconds */
};

/*
 * Prepares PPROF for stacks of up to STACK_MAX frames. Returns false if there
 * is no memory; then nothing can be added.
 */
bool gti_pprof_init(struct pprof *pprof, size_t stack_max,
		    const struct gtrace_allocator *memory);

void gti_pprof_free(struct pprof *pprof);

/* Adds COUNT and TIME. Returns false if there is no memory. */
bool gti_pprof_add(struct pprof *pprof, const struct pprof_add *to,
		   uint64_t count, uint64_t time);

static inline struct pprof_sample *pprof_sample_at(const struct pprof *pprof,
						   size_t number)
{
	return (struct pprof_sample *)pprof->samples.items + number;
}

static inline uint64_t pprof_goroutine_at(const struct pprof *pprof,
					  size_t number)
{
	return ((const uint64_t *)pprof->goroutines.items)[number];
}

/* Returns the number of a string. NO_TEXT: there is no memory. */
uint32_t gti_pprof_put_string(struct pprof *pprof, const char *text);

/* Writes the profile. Returns false, having written nothing, without memory. */
bool gti_pprof_write(struct pprof *pprof, const struct pprof_head *head,
		     struct writer *writer);

#endif /* GTRACE_REPORT_PPROF_H_ */
