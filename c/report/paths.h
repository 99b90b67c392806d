/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.h - what the pictures of critical paths consist of. */
#ifndef GTRACE_REPORT_PATHS_H_
#define GTRACE_REPORT_PATHS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "base/times.h"

/*
 * Pages and timelines have the critical paths of so many kinds of requests, of
 * each those of so many longest ones.
 */
#define PATHS_SHOWN 3

/* The states of segments. */
enum path_state {
	PATH_RAN,
	PATH_ASSISTED,
	PATH_READY,
	PATH_CALL,
	PATH_BLOCKED,
	PATH_ABSENT, /* not there, or not known */
	PATH_STATES
};

enum path_state gti_segment_state(const struct gtrace_segment *segment);

/*
 * Whether SEGMENT has a cause, and another one than LAST, which is shown before
 * it; NULL: none is.
 */
bool gti_path_tells_cause(const struct gtrace_segment *last,
			  const struct gtrace_segment *segment);

/* Whether CAUSE is that a goroutine was started, and not a block. */
static inline bool path_is_start(const struct gtrace_cause *cause)
{
	return strcmp(cause->kind, "started by") == 0;
}

/*
 * A segment that is shown by itself, or all short ones between two of these. A
 * segment is short if it takes less than 1 % of its path.
 */
struct path_part {
	const struct gtrace_segment *segment; /* the first one */
	size_t count;
	int64_t length;
	uint64_t level; /* the least one */
	bool is_short;
};

/* By how many steps what is at LEVEL is indented. */
static inline unsigned path_indent(uint64_t level)
{
	return level < 8 ? (unsigned)level : 8;
}

/* Whether SEGMENT of PATH is short. */
static inline bool path_is_short(const struct gtrace_path *path,
				 const struct gtrace_segment *segment)
{
	return segment->length < path->length / 100;
}

/* When SEGMENT began, since its PATH did; and when PATH ended. */
static inline int64_t path_moment(const struct gtrace_path *path,
				  const struct gtrace_segment *segment)
{
	return ns_between(path->start, segment->start);
}

static inline int64_t path_end(const struct gtrace_path *path)
{
	return add_ns(path->start, path->length);
}

/*
 * Sets PART to that of PATH which begins with segment AT, one that there is.
 * Returns the number of the segment after it.
 */
size_t gti_path_part(const struct gtrace_path *path, size_t at,
		     struct path_part *part);

/* As a hundred segments at most are not short, a path has fewer parts. */
#define PATH_PARTS_MAX 256

/* Sets PARTS to the parts of PATH, in order. Returns how many there are. */
size_t gti_path_parts(const struct gtrace_path *path,
		      struct path_part parts[PATH_PARTS_MAX]);

/*
 * How long a path was in each state, in which segment it was longest, and how
 * long it was in other goroutines than that of the request.
 */
struct path_sums {
	int64_t states[PATH_STATES];
	enum path_state state; /* the one with the greatest sum */
	const struct gtrace_segment *longest; /* NULL: there is no segment */
	int64_t behind;
};

struct path_sums gti_path_sums(const struct gtrace_path *path);

/* The part of SUM that each of the requests in a group has. */
static inline int64_t path_mean(const struct gtrace_paths *kind, int64_t sum)
{
	return sum / (int64_t)kind->group;
}

/* Whether ROW of KIND takes less than 1 % of what slow ones take more. */
static inline bool path_row_is_small(const struct gtrace_paths *kind,
				     const struct gtrace_path_row *row)
{
	int64_t more = row->slow - row->typical;

	return (more < 0 ? -more : more) <
	       (kind->slow - kind->typical) / 100 + 1;
}

#endif /* GTRACE_REPORT_PATHS_H_ */
