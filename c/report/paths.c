/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.c - what the pictures of critical paths consist of. */
#include "report/paths.h"

enum path_state gti_segment_state(const struct gtrace_segment *segment)
{
	static const char *const words[] = {"ran", "assisted", "ready",
					    "system call", "blocked"};
	unsigned i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(segment->state, words[i]) == 0)
			break;
	return (enum path_state)i;
}

/* Equal stacks of one report have the same address. */
static bool is_same_frames(const struct gtrace_frame *a, size_t a_count,
			   const struct gtrace_frame *b, size_t b_count)
{
	return a == b && a_count == b_count;
}

/*
 * Whether the same goroutine, blocked at the same place, led to A and B, and
 * these are of one goroutine.
 */
static bool is_same_cause(const struct gtrace_segment *a,
			  const struct gtrace_segment *b)
{
	const struct gtrace_cause *x = a->cause, *y = b->cause;

	if (x == NULL || y == NULL)
		return x == y;
	return a->g == b->g && x->g == y->g && x->kind == y->kind &&
	       is_same_frames(x->frames, x->frame_count, y->frames,
			      y->frame_count) &&
	       is_same_frames(x->ended_frames, x->ended_frame_count,
			      y->ended_frames, y->ended_frame_count);
}

bool gti_path_tells_cause(const struct gtrace_segment *last,
			  const struct gtrace_segment *segment)
{
	return segment->cause != NULL &&
	       (last == NULL || !is_same_cause(last, segment));
}

size_t gti_path_part(const struct gtrace_path *path, size_t at,
		     struct path_part *part)
{
	const struct gtrace_segment *segment = &path->segments[at];
	const struct gtrace_segment *end = path->segments + path->segment_count;

	*part = (struct path_part){.segment = segment,
				   .level = segment->level,
				   .is_short = path_is_short(path, segment)};
	do {
		part->count++;
		part->length += segment->length;
		if (segment->level < part->level)
			part->level = segment->level;
		segment++;
	} while (part->is_short && segment < end &&
		 path_is_short(path, segment));
	return at + part->count;
}

size_t gti_path_parts(const struct gtrace_path *path,
		      struct path_part parts[PATH_PARTS_MAX])
{
	size_t count = 0, i = 0;

	while (i < path->segment_count && count < PATH_PARTS_MAX)
		i = gti_path_part(path, i, &parts[count++]);
	return count;
}

struct path_sums gti_path_sums(const struct gtrace_path *path)
{
	struct path_sums sums = {.longest = NULL};
	size_t i;

	for (i = 0; i < path->segment_count; i++) {
		const struct gtrace_segment *segment = &path->segments[i];

		sums.states[gti_segment_state(segment)] += segment->length;
		if (segment->level != 0)
			sums.behind += segment->length;
		if (sums.longest == NULL ||
		    segment->length > sums.longest->length)
			sums.longest = segment;
	}
	for (i = 0; i < PATH_STATES; i++)
		if (sums.states[i] > sums.states[sums.state])
			sums.state = (enum path_state)i;
	return sums;
}
