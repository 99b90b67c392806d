/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.c - which sums in reports are wrong. A function returns NULL, or the
 * condition that holds though it must not.
 */
#include "tests/mutated/sums.h"

#include <stdbool.h>

/* Sums that come near to the greatest number may have been cut off there. */
#define SURE (INT64_MAX / 4)

#define WRONG_IF(condition)                                                    \
	do {                                                                   \
		if (condition)                                                 \
			return #condition;                                     \
	} while (0)

/* What CALL, which returns the same, says is wrong. */
#define WRONG_AS(call)                                                         \
	do {                                                                   \
		const char *wrong_ = call;                                     \
		if (wrong_ != NULL)                                            \
			return wrong_;                                         \
	} while (0)

/* Times that are parts of one. */
struct parts {
	int64_t sum;
	bool negative;
	bool large;
};

static void add(struct parts *parts, int64_t part)
{
	parts->negative |= part < 0;
	parts->large |= part > SURE || parts->sum > SURE;
	if (!parts->large && !parts->negative)
		parts->sum += part;
}

static bool differ(const struct parts *parts, int64_t whole)
{
	return parts->negative || whole < 0 ||
	       (!parts->large && parts->sum != whole);
}

static const char *in_times(const struct gtrace_times *times)
{
	struct parts parts = {.sum = 0};
	size_t i;

	add(&parts, times->ran);
	add(&parts, times->assisted);
	add(&parts, times->ready);
	add(&parts, times->ended);
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		add(&parts, times->blocked[i]);
	WRONG_IF(differ(&parts, times->lived));
	WRONG_IF(times->lost < 0);
	WRONG_IF(times->lost > times->blocked[GTRACE_BLOCK_SYSCALL]);
	return NULL;
}

static const char *in_wait(const struct gtrace_wait *wait)
{
	struct parts parts = {.sum = 0};
	size_t i;

	for (i = 0; i < wait->kept_count; i++) {
		WRONG_IF(wait->kept[i].overlap < 0);
		WRONG_IF(wait->kept[i].length < 0);
	}
	add(&parts, wait->busy);
	add(&parts, wait->idle);
	add(&parts, wait->stopped);
	WRONG_IF(differ(&parts, wait->length));
	WRONG_IF(wait->kept_none < 0);
	WRONG_IF(wait->kept_more_overlap < 0);
	return NULL;
}

static const char *in_wait_row(const struct gtrace_wait_row *row)
{
	struct parts parts = {.sum = 0};

	add(&parts, row->busy);
	add(&parts, row->idle);
	add(&parts, row->stopped);
	WRONG_IF(differ(&parts, row->sum));
	WRONG_IF(row->median < 0 || row->median > row->p99);
	WRONG_IF(row->p99 > row->p999 || row->p999 > row->max);
	WRONG_IF(row->max > row->sum);
	return NULL;
}

static const char *in_waits(const struct gtrace_wait_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		WRONG_AS(in_wait(report->waits[i]));
	for (i = 0; i < report->row_count; i++)
		WRONG_AS(in_wait_row(&report->rows[i]));
	for (i = 0; i < report->part_count; i++)
		WRONG_IF(report->parts[i] < 0);
	WRONG_IF(report->cut_max < 0 || report->cut_max > report->cut_sum);
	return in_wait_row(&report->all);
}

static const char *in_delays(const struct gtrace_delay_report *report)
{
	struct parts parts = {.sum = 0};
	size_t i;

	for (i = 0; i < report->count; i++)
		WRONG_IF(report->slices[i]->delay < 0);
	add(&parts, report->behind);
	add(&parts, report->scheduling);
	WRONG_IF(differ(&parts, report->waited));
	return NULL;
}

static const char *in_slices(const struct gtrace_greedy_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_slice *slice = report->slices[i];

		WRONG_IF(slice->duration < 0 || slice->own < 0);
		WRONG_IF(slice->own > slice->duration);
		WRONG_IF(slice->off_cpu_min < 0 || slice->silent < 0);
		WRONG_IF(slice->syscall_ns < -1);
		WRONG_IF(i > 0 &&
			 slice->duration > report->slices[i - 1]->duration);
	}
	return NULL;
}

static const char *in_stop_kind(const struct gtrace_stop_kind *kind)
{
	WRONG_IF(kind->stopped < 0);
	if (kind->measured == 0)
		return NULL;
	WRONG_IF(kind->stopping < 0 || kind->total < 0);
	WRONG_IF(kind->median < 0 || kind->median > kind->p99);
	WRONG_IF(kind->p99 > kind->max);
	return NULL;
}

static const char *in_stops(const struct gtrace_stop_report *report)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < report->kind_count; i++) {
		WRONG_AS(in_stop_kind(&report->kinds[i]));
		count += report->kinds[i].count;
	}
	WRONG_IF(count != report->measured + report->unmeasured);
	return in_stop_kind(&report->all);
}

static const char *in_place(const struct gtrace_block_place *place)
{
	struct parts parts = {.sum = 0};
	uint64_t count = place->ended_more;
	size_t i;

	for (i = 0; i < place->ender_count; i++) {
		add(&parts, place->enders[i].sum);
		count += place->enders[i].count;
	}
	add(&parts, place->ended_more_sum);
	WRONG_IF(parts.negative);
	WRONG_IF(!parts.large && parts.sum > place->sum);
	WRONG_IF(count > place->count);
	WRONG_IF(place->max < 0 || place->max > place->sum);
	WRONG_IF(place->median < 0 || place->median > place->p99);
	WRONG_IF(place->p99 > place->max);
	WRONG_IF(place->lost < 0 || place->slow < 0);
	return NULL;
}

static const char *in_blocks(const struct gtrace_block_report *report)
{
	size_t i;

	for (i = 0; i < report->sum_count; i++) {
		WRONG_IF(report->sums[i].max < 0);
		WRONG_IF(report->sums[i].max > report->sums[i].sum);
	}
	for (i = 0; i < report->place_count; i++)
		WRONG_AS(in_place(report->places[i]));
	for (i = 0; i < report->rest_count; i++)
		WRONG_AS(in_place(report->rests[i]));
	return in_times(&report->times);
}

static const char *in_goroutines(const struct gtrace_goroutine_report *report)
{
	struct parts parts = {.sum = 0};
	size_t i;

	for (i = 0; i < report->count; i++) {
		WRONG_AS(in_times(&report->rows[i]->times));
		add(&parts, report->rows[i]->times.lived);
	}
	WRONG_IF(differ(&parts, report->times.lived));
	return in_times(&report->times);
}

static const char *in_served(const struct gtrace_served *served)
{
	struct parts parts = {.sum = 0};
	size_t i;

	for (i = 0; i < served->part_count; i++)
		add(&parts, served->parts[i].time);
	WRONG_IF(differ(&parts, served->length));
	return NULL;
}

static const char *in_requests(const struct gtrace_request_report *report)
{
	size_t i, j;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_requests *row = report->rows[i];

		WRONG_AS(in_times(&row->times));
		WRONG_IF(row->median < 0 || row->median > row->p99);
		WRONG_IF(row->p99 > row->max);
		for (j = 0; j < row->longest_count; j++)
			WRONG_AS(in_served(&row->longest[j]));
	}
	return NULL;
}

static const char *in_sched(const struct gtrace_sched_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_sched_sample *sample = &report->samples[i];

		WRONG_IF(sample->interval < 0 || sample->gc_ns < 0);
		WRONG_IF(sample->running_ns < 0 || sample->held_ns < 0);
		WRONG_IF(sample->runqueue_ns < 0 || sample->syscalls_ns < 0);
	}
	return NULL;
}

/* -1: not known. */
static const char *in_collections(const struct gtrace_collection_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_collection *one = &report->collections[i];

		WRONG_IF(one->assist_held < -1 || one->assist_parked < -1);
		WRONG_IF(one->mark_window < -1 || one->runnable < -1);
		WRONG_IF(one->assist_cpu < -1 || one->dedicated_cpu < -1);
		WRONG_IF(one->fractional_cpu < -1 || one->idle_cpu < -1);
	}
	WRONG_IF(report->total.length < 0 || report->total.stopped < -1);
	WRONG_IF(report->total.assist_held < -1);
	WRONG_IF(report->total.runnable < -1);
	return NULL;
}

const char *find_wrong_sum(const struct gtrace_reports *reports)
{
	WRONG_AS(in_slices(reports->greedy));
	WRONG_AS(in_stops(reports->stops));
	WRONG_AS(in_waits(reports->waits));
	WRONG_AS(in_delays(reports->delays));
	WRONG_AS(in_blocks(reports->blocks));
	WRONG_AS(in_goroutines(reports->goroutines));
	WRONG_AS(in_requests(reports->requests));
	WRONG_AS(in_collections(reports->collections));
	return in_sched(reports->sched);
}

/* -------------------------------------------------------------- summary -- */

static const char *in_functions(const struct gtrace_summary *summary)
{
	struct parts parts = {.sum = 0};
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *of = &summary->functions[i];

		WRONG_IF(of->delay < 0 || of->delaying_sum < 0);
		WRONG_IF(of->blocked < 0);
		WRONG_IF(of->max < 0 || of->max > of->sum);
		WRONG_IF(of->off_cpu < 0 || of->off_cpu > of->delay);
		WRONG_IF(of->delaying > of->count);
		add(&parts, of->sum);
		count += of->count;
	}
	WRONG_IF(differ(&parts, summary->slices.sum));
	WRONG_IF(count != summary->slices.count);
	return NULL;
}

static const char *in_holders(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->holder_count; i++) {
		WRONG_IF(summary->holders[i].sum < 0);
		WRONG_IF(summary->holders[i].off_cpu < 0);
	}
	return NULL;
}

static const char *in_findings(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->finding_count; i++) {
		const struct gtrace_finding *one = &summary->findings[i];

		WRONG_IF(one->harm < 0 || one->rank < 0 || one->worst < 0);
		WRONG_IF(one->permille < 0 || one->rate < 0);
		WRONG_IF(one->length < 0 || one->off_cpu < 0);
		WRONG_IF(i > 0 && one->rank > summary->findings[i - 1].rank);
	}
	return NULL;
}

static const char *in_machine(const struct gtrace_machine *machine)
{
	size_t i;

	WRONG_IF(machine->off_cpu.sum < 0 || machine->off_cpu.max < 0);
	WRONG_IF(machine->silence.sum < 0 || machine->silence.max < 0);
	WRONG_IF(machine->throttle_ran < 0 || machine->throttle_cpu < -1);
	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		WRONG_IF(machine->classes[i].sum < 0);
	for (i = 0; i < machine->stretch_count; i++)
		WRONG_IF(machine->stretches[i].time < 0);
	return NULL;
}

static const char *in_distribution(const struct gtrace_distribution *slices)
{
	WRONG_IF(slices->median < 0 || slices->median > slices->p99);
	WRONG_IF(slices->p99 > slices->p999 || slices->p999 > slices->max);
	WRONG_IF(slices->max > slices->sum);
	return NULL;
}

const char *find_wrong_sum_of_summary(const struct gtrace_summary *summary)
{
	WRONG_IF(summary->known < 0 || summary->known > summary->length);
	WRONG_IF(summary->idle < -1 || summary->idle > summary->time);
	WRONG_IF(summary->collecting < 0 || summary->tracer_sum < 0);
	WRONG_AS(in_distribution(&summary->slices));
	WRONG_AS(in_functions(summary));
	WRONG_AS(in_holders(summary));
	WRONG_AS(in_findings(summary));
	WRONG_AS(in_machine(&summary->machine));
	WRONG_AS(in_waits(summary->waits));
	return in_delays(summary->delays);
}
