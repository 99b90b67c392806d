/* SPDX-License-Identifier: BSD-3-Clause */
/* reports.c - the reports of several traces, until they are printed as one. */
#include "tools/reports.h"

#include <stdint.h>
#include <stdlib.h>

/* When more greedy reports than this are kept, some may be freed. */
#define CHECK_FIRST 16

bool reports_init(struct reports *reports, size_t count, size_t wanted)
{
	*reports = (struct reports){
		.count = count, .wanted = wanted, .check_at = CHECK_FIRST};
	reports->greedy = calloc(count, sizeof(struct gtrace_greedy_report *));
	reports->stops = calloc(count, sizeof(struct gtrace_stop_report *));
	return reports->greedy != NULL && reports->stops != NULL;
}

void reports_free(struct reports *reports)
{
	size_t i;

	for (i = 0; i < reports->count; i++) {
		if (reports->greedy != NULL)
			gtrace_greedy_free(reports->greedy[i]);
		if (reports->stops != NULL)
			gtrace_stops_free(reports->stops[i]);
	}
	free(reports->greedy);
	free(reports->stops);
	free(reports->lengths);
}

/* --------------------------------------------------------------- lengths -- */

/* Moves the length at I up to its place in the heap. */
static void move_up(int64_t *heap, size_t i)
{
	int64_t length = heap[i];

	for (; i > 0 && heap[(i - 1) / 2] > length; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = length;
}

/* Puts LENGTH in the place of the first of the COUNT lengths in the heap. */
static void replace_first(int64_t *heap, size_t count, int64_t length)
{
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < count; i = child) {
		if (child + 1 < count && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= length)
			break;
		heap[i] = heap[child];
	}
	heap[i] = length;
}

/* Allocates memory for MORE lengths, up to the number that is wanted. */
static bool reserve_lengths(struct reports *reports, size_t more)
{
	size_t missing = reports->wanted - reports->length_count;
	size_t count =
		reports->length_count + (more < missing ? more : missing);
	int64_t *grown;

	if (count == reports->length_count)
		return true;
	grown = realloc(reports->lengths, count * sizeof(*grown));
	if (grown == NULL)
		return false;
	reports->lengths = grown;
	return true;
}

static bool add_lengths(struct reports *reports,
			const struct gtrace_greedy_report *greedy)
{
	size_t i;

	if (!reserve_lengths(reports, greedy->count))
		return false;
	for (i = 0; i < greedy->count; i++) {
		int64_t length = greedy->slices[i]->duration;

		if (reports->length_count < reports->wanted) {
			reports->lengths[reports->length_count] = length;
			move_up(reports->lengths, reports->length_count++);
		} else if (length > reports->lengths[0]) {
			replace_first(reports->lengths, reports->length_count,
				      length);
		}
	}
	return true;
}

/* --------------------------------------------------------------- reports -- */

/* Frees the reports whose longest slice is shorter than all that are wanted. */
static void drop_short(struct reports *reports)
{
	struct gtrace_greedy_report **greedy = reports->greedy;
	size_t i;

	if (reports->length_count < reports->wanted)
		return;
	for (i = 0; i < reports->count; i++)
		if (greedy[i] != NULL &&
		    (greedy[i]->count == 0 ||
		     greedy[i]->slices[0]->duration < reports->lengths[0])) {
			gtrace_greedy_free(greedy[i]);
			greedy[i] = NULL;
			reports->kept--;
		}
}

bool reports_add_greedy(struct reports *reports, size_t number,
			struct gtrace_greedy_report *greedy)
{
	if (greedy == NULL)
		return true;
	reports->greedy[number] = greedy;
	reports->kept++;
	if (!add_lengths(reports, greedy))
		return false;
	if (reports->kept >= reports->check_at) {
		drop_short(reports);
		reports->check_at = 2 * reports->kept;
		if (reports->check_at < CHECK_FIRST)
			reports->check_at = CHECK_FIRST;
	}
	return true;
}
