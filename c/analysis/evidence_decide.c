/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence_decide.c - the classes of silences and of bare stretches. */
#include "analysis/evidence_parts.h"
#include "base/array.h"
#include "base/least.h"
#include "base/sort.h"
#include "base/times.h"

/* A thread may have run for so long in a silence, and in a bare stretch. */
#define SILENCE_RAN (20 * EVIDENCE_MS)
#define BARE_RAN    EVIDENCE_MS

/*
 * A thread that is on a CPU has a sample each 10 ms, if a profile of the usual
 * rate is made. With K of them it was there for less than (K + SAMPLES_MORE)
 * times as long.
 */
#define SAMPLE_PERIOD (10 * EVIDENCE_MS)
#define SAMPLES_MORE  3

/* Bare stretches that are more of the processors' time are a storm. */
#define STORM_PART 10

/* So many of the silences at an interval must be witnessed. */
#define QUOTA_WITNESSED 3

/* -------------------------------------------------------------- classes -- */

enum gtrace_silent_class gti_evidence_class(const struct silence *silence,
					    unsigned samples, int64_t *time)
{
	int64_t length = length_between(silence->from, silence->to);
	int64_t most = SAMPLE_PERIOD * (int64_t)(samples + SAMPLES_MORE);

	*time = length - most;
	if (silence->in_profile && length > most)
		return silence->witnessed ? GTRACE_SILENT_CERTAIN
					  : GTRACE_SILENT_ASLEEP;
	if (!silence->witnessed) {
		*time = length;
		return GTRACE_SILENT_UNDECIDED;
	}
	*time = length - SILENCE_RAN;
	return GTRACE_SILENT_LIKELY;
}

enum gtrace_silent_class
gti_evidence_bare_class(const struct evidence *evidence,
			const struct bare_stretch *stretch, int64_t *time)
{
	int64_t length = length_between(stretch->from, stretch->to);
	int64_t most = SAMPLE_PERIOD * SAMPLES_MORE;
	/* Of another rate they say nothing. */
	bool sampled = evidence->found.profile && stretch->samples != 0;

	*time = length - most;
	if (!sampled && length > most &&
	    gti_evidence_in_profile(evidence, stretch->from, stretch->to))
		return GTRACE_SILENT_ASLEEP;
	if (!sampled && !evidence->found.storm) {
		*time = length - BARE_RAN;
		return GTRACE_SILENT_LIKELY;
	}
	*time = length;
	return GTRACE_SILENT_UNDECIDED;
}

/* Adds COUNT times of CLASS to what was found. */
static void add_class(struct gtrace_machine *found,
		      enum gtrace_silent_class class, int64_t time,
		      uint64_t count)
{
	struct gtrace_class_sum *sum = &found->classes[class];
	uint64_t all;

	if (count == 0)
		return;
	all = (uint64_t)time > INT64_MAX / count ? INT64_MAX
						 : (uint64_t)time * count;
	sum->sum = add_lengths(sum->sum, all);
	sum->count += count;
}

/* Adds the slices of SILENCE, whose threads may have samples at its ends. */
static void add_silence(struct gtrace_machine *found,
			const struct silence *silence)
{
	const int64_t *sampled = silence->sampled;
	uint64_t without = silence->slices;
	enum gtrace_silent_class class;
	int64_t time;
	size_t i;

	for (i = 0; i < 2; i++) {
		if (sampled[i] < 0 || (i == 1 && sampled[0] == sampled[1]))
			continue;
		class = gti_evidence_class(
			silence, silence_samples(silence, sampled[i]), &time);
		add_class(found, class, time, 1);
		without--;
	}
	class = gti_evidence_class(silence, 0, &time);
	add_class(found, class, time, without);
}

static void add_lost(struct gtrace_lost *lost, int64_t from, int64_t to)
{
	int64_t length = length_between(from, to);

	lost->count++;
	lost->sum = add_lengths(lost->sum, (uint64_t)length);
	if (length < lost->max || (length == lost->max && lost->start <= from))
		return;
	lost->max = length;
	lost->start = from;
}

static void add_stretches(struct evidence *evidence)
{
	const struct bare_stretch *at = evidence->stretches.items;
	struct gtrace_machine *found = &evidence->found;
	size_t i;

	for (i = 0; i < evidence->stretches.count; i++) {
		int64_t time;
		enum gtrace_silent_class class =
			gti_evidence_bare_class(evidence, &at[i], &time);

		add_class(found, class, time, 1);
	}
}

/* The longest bare stretch, the first one of several; and whether they are a
 * storm. */
static void add_bare(struct evidence *evidence)
{
	const struct bare_stretch *at = evidence->stretches.items;
	struct gtrace_machine *found = &evidence->found;
	int64_t length = length_between(evidence->first, evidence->last);
	double time;
	size_t i;

	for (i = 0; i < evidence->stretches.count; i++) {
		add_lost(&found->off_cpu, at[i].from, at[i].to);
		if (found->off_cpu.start == at[i].from)
			found->off_cpu_p = at[i].p;
	}
	time = (double)evidence->procs_time +
	       (double)length_between(evidence->procs_known, length) *
		       evidence->procs_seen;
	found->storm = (double)found->off_cpu.sum * STORM_PART > time;
}

static void find_quota(struct evidence *evidence)
{
	const struct silence *at = evidence->silences.items;
	struct gtrace_machine found = evidence->found;
	struct quota_interval interval =
		gti_quota_find(&evidence->quota, evidence->by_thread, &found);
	uint64_t witnessed = 0;
	size_t i;

	for (i = 0; i < evidence->silences.count; i++)
		witnessed += at[i].witnessed &&
			     gti_quota_ends_at(&interval, at[i].to);
	if (interval.length == 0 || witnessed < QUOTA_WITNESSED)
		return;
	found.throttle_periods =
		(uint64_t)(evidence->last / interval.length) + 1;
	evidence->found = found;
}

/* ------------------------------------------------------------ functions -- */

/* Of the silences before each that are undecided or asleep. */
struct sums {
	uint64_t count;
	int64_t length;
	double harm;
};

/* Adds what SLICE did without an event, which is SUMS, to its function. */
static void add_function(struct evidence *evidence,
			 const struct silent_slice *slice,
			 const struct sums *first, const struct sums *end)
{
	uint32_t slot = slice->name + 1; /* NO_TEXT: the first one */
	struct silent_function *function = gti_evidence_slot(
		evidence, &evidence->functions, slot, sizeof(*function));
	const struct silence *longest =
		evidence_silence_at(evidence, slice->longest);
	int64_t length = length_between(longest->from, longest->to);

	if (function == NULL || end->count == first->count)
		return;
	function->name = slice->name;
	function->count += end->count - first->count;
	if (slice->asynchronous)
		function->asynchronous += end->count - first->count;
	function->sum = add_lengths(function->sum,
				    (uint64_t)(end->length - first->length));
	function->harm += end->harm - first->harm;
	if (length <= function->max)
		return;
	function->max = length;
	function->max_start = longest->from;
	function->g = slice->g;
}

static void add_functions(struct evidence *evidence)
{
	const struct silent_slice *slices = evidence->slices.items;
	const struct silence *at = evidence->silences.items;
	size_t count = evidence->silences.count, i;
	struct sums *sums =
		gti_allocate_zeroed(evidence->memory, count + 1, sizeof(*sums));

	if (sums == NULL) {
		evidence->failed = true;
		return;
	}
	for (i = 0; i < count; i++) {
		int64_t time, length = length_between(at[i].from, at[i].to);
		enum gtrace_silent_class class =
			gti_evidence_class(&at[i], 0, &time);

		sums[i + 1] = sums[i];
		if (class != GTRACE_SILENT_ASLEEP &&
		    class != GTRACE_SILENT_UNDECIDED)
			continue;
		sums[i + 1].count++;
		sums[i + 1].length =
			add_lengths(sums[i].length, (uint64_t)length);
		sums[i + 1].harm += (double)at[i].ready * (double)length /
				    (double)at[i].slices;
	}
	for (i = 0; i < evidence->slices.count && !evidence->failed; i++)
		add_function(evidence, &slices[i], &sums[slices[i].first],
			     &sums[slices[i].end]);
	gti_release(evidence->memory, sums, (count + 1) * sizeof(*sums));
}

/* ----------------------------------------------------------------- sums -- */

/* Adds SILENCE to SUMS. */
static void add_to_sums(struct silence_sums *sums,
			const struct silence *silence)
{
	enum gtrace_silent_class weakest = GTRACE_SILENT_NONE, class;
	int64_t least = INT64_MAX, time;
	unsigned k;

	for (k = 0; k <= 2; k++) {
		if (k != 0 &&
		    silence_samples(silence, silence->sampled[0]) != k &&
		    silence_samples(silence, silence->sampled[1]) != k)
			continue;
		class = gti_evidence_class(silence, k, &time);
		if (class > weakest)
			weakest = class;
		least = least_of(least, time);
	}
	sums->length = add_lengths(
		sums->length,
		(uint64_t)length_between(silence->from, silence->to));
	sums->count[weakest]++;
	if (weakest == GTRACE_SILENT_CERTAIN)
		sums->certain = add_lengths(sums->certain, (uint64_t)least);
}

static void add_up(struct evidence *evidence)
{
	const struct silence *at = evidence->silences.items;
	struct silence_sums sums = {.length = 0};
	size_t i;

	for (i = 0; i < evidence->silences.count; i++) {
		gti_evidence_add(evidence, &evidence->sums, &sums,
				 sizeof(sums));
		add_to_sums(&sums, &at[i]);
	}
	gti_evidence_add(evidence, &evidence->sums, &sums, sizeof(sums));
}

struct silence_sums gti_evidence_sums(const struct evidence *evidence,
				      int64_t from, int64_t to)
{
	const struct silence *at = evidence->silences.items;
	const struct silence_sums *sums = evidence->sums.items;
	size_t count = evidence->silences.count, first, end, i;
	struct silence_sums found = {.length = 0};

	if (from == INT64_MIN || count == 0)
		return found;
	first = count_until(at, count, sizeof(*at),
			    offsetof(struct silence, from), from - 1);
	end = count_until(at, count, sizeof(*at), offsetof(struct silence, to),
			  to);
	if (first >= end)
		return found;
	found.length = sums[end].length - sums[first].length;
	found.certain = sums[end].certain - sums[first].certain;
	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		found.count[i] = sums[end].count[i] - sums[first].count[i];
	return found;
}

/* Frees what only the pass needs, which grows with goroutines and threads. */
static void free_present(struct evidence *evidence)
{
	const struct gtrace_allocator *memory = evidence->memory;

	gti_map_free(&evidence->stacks, memory);
	gti_array_free(&evidence->lanes, sizeof(struct lane), memory);
	gti_array_free(&evidence->bare, sizeof(struct bare_lane), memory);
	gti_array_free(&evidence->changed, sizeof(uint32_t), memory);
	gti_array_free(&evidence->goroutines, sizeof(struct waiting_goroutine),
		       memory);
	gti_array_free(&evidence->described, sizeof(struct stack_evidence),
		       memory);
}

/* ------------------------------------------------------------------ all -- */

/* Whether samples prove something at some time. */
static bool has_profile(const struct evidence *evidence)
{
	const struct sample_run *runs = evidence->runs.items;
	size_t i = 0;

	while (i < evidence->runs.count && runs[i].pairs < PAIRS_MIN)
		i++;
	return i < evidence->runs.count;
}

void gti_evidence_decide(struct evidence *evidence)
{
	const struct silence *at = evidence->silences.items;
	struct gtrace_machine *found = &evidence->found;
	size_t i;

	*found = (struct gtrace_machine){
		.off_cpu.start = -1,
		.off_cpu_p = -1,
		.silence_known = evidence->hears,
		.silence.start = -1,
		.profile = has_profile(evidence),
	};
	add_bare(evidence);
	gti_evidence_witness(evidence);
	for (i = 0; i < evidence->silences.count; i++, at++) {
		add_lost(&found->silence, at->from, at->to);
		add_silence(found, at);
	}
	add_stretches(evidence);
	find_quota(evidence);
	add_functions(evidence);
	add_up(evidence);
	free_present(evidence);
}

const struct silence *gti_evidence_find(const struct evidence *evidence,
					int64_t from, int64_t to)
{
	const struct silence *at = evidence->silences.items;
	size_t after = count_until(at, evidence->silences.count, sizeof(*at),
				   offsetof(struct silence, from), from);

	if (after == 0 || at[after - 1].from != from || at[after - 1].to != to)
		return NULL;
	return &at[after - 1];
}

void gti_evidence_init(struct evidence *evidence)
{
	*evidence = (struct evidence){
		.memory = evidence->memory,
		.names = evidence->names,
		.context = evidence->context,
		.clock = evidence->clock,
		.by_thread = evidence->by_thread,
		.infers = evidence->infers,
		.hears = evidence->hears,
		.sampled_at = INT64_MIN,
		.epoch = 1,
	};
}

void gti_evidence_free(struct evidence *evidence)
{
	const struct gtrace_allocator *memory = evidence->memory;

	free_present(evidence);
	gti_array_free(&evidence->early, sizeof(uint32_t), memory);
	gti_array_free(&evidence->silences, sizeof(struct silence), memory);
	gti_array_free(&evidence->slices, sizeof(struct silent_slice), memory);
	gti_array_free(&evidence->stretches, sizeof(struct bare_stretch),
		       memory);
	gti_array_free(&evidence->late, sizeof(struct late_timer), memory);
	gti_array_free(&evidence->waits, sizeof(struct timed_wait), memory);
	gti_array_free(&evidence->runs, sizeof(struct sample_run), memory);
	gti_array_free(&evidence->stays, sizeof(struct kernel_stay), memory);
	gti_array_free(&evidence->longest, sizeof(uint32_t), memory);
	gti_array_free(&evidence->threads, sizeof(int64_t), memory);
	gti_array_free(&evidence->sums, sizeof(struct silence_sums), memory);
	gti_array_free(&evidence->functions, sizeof(struct silent_function),
		       memory);
}
