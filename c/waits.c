/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c - the report of waits for a processor. */
#include "base/sort.h"
#include "base/strings.h"
#include "machine.h"
#include "run.h"

/* The first string of EVENT, which is a reason where an event has one. */
static struct gtrace_string reason_of(const struct gtrace_event *event)
{
	return event->string_count != 0 ? event->strings[0] : string_of("");
}

static void make_kept(struct run *run, const struct kept_slice *kept,
		      struct gtrace_kept *to)
{
	const struct slice *slice = kept->slice;
	bool ended = !slice->still_running;
	const struct event_ref *at = ended ? &slice->end : &slice->start;
	const struct gtrace_frame *frames;
	size_t count;
	const struct naming naming =
		gti_make_end_naming(run, slice, &frames, &count);

	*to = (struct gtrace_kept){
		.p = slice->p,
		.g = (int64_t)slice->g,
		.overlap = kept->overlap,
		.length = slice->length,
		.calls = run->trace->format->times_calls
				 ? slice->inside.call_ticks
				 : -1,
		.start = run_ns(run, slice->start.ticks),
		.ended = -1,
		.event = "",
		.reason = {"", 0},
		.frame = naming.frame,
		.caller = naming.caller,
		.work = naming.work,
	};
	gti_make_ref(run, at, &to->at);
	gti_make_last(run, slice, &to->last_frames, &to->last_frame_count);
	/* Not all that end a slice are kept with these. */
	to->at.number = 0;
	to->at.m = to->at.p = to->at.g = -1;
	if (ended) {
		to->ended = to->at.ts;
		to->event = to->at.name;
		to->reason = reason_of(&to->at);
	}
}

void gti_make_wait(struct run *run, const void *from, void *row)
{
	const struct wait *wait = from;
	struct gtrace_wait *to = row;
	struct gtrace_kept *kept =
		gti_make_array(run, wait->kept_count, sizeof(*kept));
	unsigned i;

	*to = (struct gtrace_wait){
		.length = wait->length,
		.busy = wait->busy,
		.idle = wait->idle,
		.stopped = wait->stopped,
		.g = (int64_t)wait->g,
		.start = run_ns(run, wait->start),
		.before = wait->before,
		.over = wait->over,
		.whole = wait->over && !wait->before,
		.clock_changed = wait->clock_changed,
		.ran = wait->over ? run_ns(run, wait->ran_ticks) : -1,
		.ran_p = wait->over ? wait->ran_p : -1,
		.kept = wait->kept_count != 0 ? kept : NULL,
		.kept_count = wait->kept_count,
		.kept_more = wait->kept_more,
		.kept_more_overlap = wait->kept_more_overlap,
		.kept_none = wait->kept_none,
	};
	gti_machine_within(run->trace, to->start, to->length, &to->silent,
			   &to->off_cpu_min, &to->silent_class);
	gti_make_ref(run, &wait->ready, &to->ready);
	to->reason = reason_of(&to->ready);
	to->ready_frame =
		gti_name_stack(to->ready.frames, to->ready.frame_count).frame;
	for (i = 0; i < wait->kept_count && kept != NULL; i++)
		make_kept(run, &wait->kept[i], &kept[i]);
}

static uint64_t place_of(const void *from)
{
	return ((const struct wait *)from)->ready.offset;
}

static int compare_rows(const void *a, const void *b)
{
	const struct gtrace_wait_row *x = a, *y = b;

	return strcmp(x->event, y->event);
}

static void make_rows(struct run *run, struct gtrace_wait_report *to)
{
	const struct wait_results *results = &run->wait_results;
	size_t count = results->row_count, i;
	struct gtrace_wait_row *rows =
		gti_make_array(run, count, sizeof(*rows));

	if (rows == NULL || count == 0)
		return;
	for (i = 0; i < count; i++) {
		rows[i] = results->rows[i];
		rows[i].event = run->trace->facts.kinds[results->types[i]].name;
	}
	gti_sort(rows, count, sizeof(*rows), compare_rows);
	to->rows = rows;
	to->row_count = count;
}

/* Copies PARTS. */
static void make_parts(struct run *run, const struct ready_parts *parts,
		       struct gtrace_wait_report *to)
{
	int64_t *sums = gti_make_array(run, parts->count, sizeof(*sums));
	size_t i;

	to->part_length = (int64_t)1 << parts->shift;
	if (sums == NULL || parts->count == 0)
		return;
	for (i = 0; i < parts->count; i++)
		sums[i] = (int64_t)parts->parts[i].sum;
	to->parts = sums;
	to->part_count = parts->count;
}

void gti_make_waits(struct run *run, void *made)
{
	const struct wait_results *results = &run->wait_results;
	const struct list_of list = {
		.from = results->waits,
		.count = results->wait_count,
		.size = sizeof(*results->waits),
		.row_size = sizeof(struct gtrace_wait),
		.make = gti_make_wait,
		.place = place_of,
	};
	struct gtrace_wait_report *to = made;

	*to = results->sums;
	make_rows(run, to);
	make_parts(run, results->parts, to);
	to->waits = gti_make_list(run, &list);
	to->count = list.count;
}
