/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.h - the generations that a new trace is made of. They can be copied
 * byte for byte, as a generation needs nothing of those before it but the
 * states in which they left goroutines, which its statuses repeat.
 */
#ifndef GTRACE_EDIT_PARTS_H_
#define GTRACE_EDIT_PARTS_H_

#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "model/format.h"

struct part {
	struct input *input; /* that it is in */
	size_t file;         /* the number of its trace, from 0 */
	uint64_t begin, end; /* offsets */
	uint64_t number;
	int64_t from, to; /* ticks at which it and the next one begin */
	int64_t least;    /* and where it does if it is the first one */
	uint64_t mark;    /* a sum of its first bytes, in gti_parts_group() */
};

struct parts {
	const struct gtrace_allocator *memory;
	struct array list;        /* struct part, in the order of the file */
	const char *const *names; /* of the traces, or NULL */
	uint64_t shared;          /* that several traces have */
};

/* The parts of PARTS, parts->list.count of them. */
static inline struct part *parts_list(const struct parts *parts)
{
	return parts->list.items;
}

void gti_parts_free(struct parts *parts);

/*
 * Adds the COUNT generations at PLACES of trace number FILE, from 0, in INPUT,
 * up to the offset END. The last event has the ticks LAST. Returns false if
 * there is no memory.
 */
bool gti_parts_add(struct parts *parts, struct input *input, size_t file,
		   const struct generation_place *places, size_t count,
		   uint64_t end, int64_t last);

/*
 * Makes the parts of several traces those of one: in order, each once. Errors:
 * GTRACE_ERROR_ARGUMENT, _READ.
 */
enum gtrace_status gti_parts_join(struct parts *parts,
				  struct gtrace_error *error);

/*
 * Sets GROUPS, of an item for each of the traces of PARTS, which is its own
 * number, to the least number of a trace that the trace shares a part with, or
 * with another one that does. Sorts the parts. Errors: GTRACE_ERROR_READ.
 */
enum gtrace_status gti_parts_group(struct parts *parts, size_t *groups,
				   struct gtrace_error *error);

/* Leaves the parts that end after FROM and begin before TO. */
void gti_parts_cut(struct parts *parts, int64_t from, int64_t to);

/* Writes PART to WRITER as it is. Errors: GTRACE_ERROR_READ. */
enum gtrace_status gti_part_copy(struct writer *writer, const struct part *part,
				 struct gtrace_error *error);

#endif /* GTRACE_EDIT_PARTS_H_ */
