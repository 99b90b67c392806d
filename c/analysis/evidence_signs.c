/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence_signs.c - which silences are witnessed to be without a CPU. */
#include "analysis/evidence_parts.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/times.h"

/* So many slices must be preempted in time in a function. */
#define EARLY_MIN 3

/* So many functions must be known to be preempted. */
#define FUNCTIONS_MIN 2

/* A goroutine that is due is late after this time. */
#define LATE (10 * EVIDENCE_MS)

/* sysmon leaves no processor in a system call for so long. */
#define LATE_SYSMON (45 * EVIDENCE_MS)

/* -------------------------------------------------------------- profile -- */

/*
 * Whether samples prove something from one time to another: they do from the
 * first to the last, but not over a long time without any.
 */
bool gti_evidence_in_profile(const struct evidence *evidence, int64_t from,
			     int64_t to)
{
	const struct sample_run *runs = evidence->runs.items;
	size_t begun = count_until(runs, evidence->runs.count, sizeof(*runs),
				   offsetof(struct sample_run, from), from);

	return begun != 0 && runs[begun - 1].to >= to &&
	       runs[begun - 1].pairs >= PAIRS_MIN;
}

/* --------------------------------------------------------------- timers -- */

static int by_place(const void *a, const void *b)
{
	const struct timed_wait *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->length < y->length ? -1 : x->length > y->length;
}

/* How long most waits take, at a place where they take equally long; or -1. */
static int64_t usual_wait(const struct timed_wait *waits, size_t count)
{
	int64_t least, most;

	if (count < 5)
		return -1;
	least = waits[count / 10].length;
	most = waits[(uint64_t)count * 9 / 10].length;
	return most - least <= least / 2 + EVIDENCE_MS ? most : -1;
}

/* Sets USUAL, by place, to usual_wait(). Returns false if there is no memory.
 */
static bool find_usual(struct evidence *evidence, struct array *usual)
{
	struct timed_wait *waits = evidence->waits.items;
	size_t count = evidence->waits.count, from, to;
	int64_t *at;

	if (count > 1)
		gti_sort(waits, count, sizeof(*waits), by_place);
	for (from = 0; from < count; from = to) {
		for (to = from;
		     to < count && waits[to].place == waits[from].place;)
			to++;
		/* Of those that are left out, it is 0: no wait is usual. */
		at = gti_evidence_slot(evidence, usual,
				       (uint32_t)waits[from].place,
				       sizeof(*at));
		if (at == NULL)
			return false;
		*at = usual_wait(waits + from, to - from) + 1;
	}
	return true;
}

/* Whether one of the timers from FIRST to END was due long before TO. */
static bool is_late(const struct evidence *evidence, const struct array *usual,
		    uint32_t first, uint32_t end, int64_t to)
{
	const struct late_timer *late = evidence->late.items;
	const int64_t *usually = usual->items;

	for (; first < end; first++) {
		int64_t wait = 0;

		if (late[first].place < usual->count)
			wait = usually[late[first].place];
		if (wait > 0 && to - LATE - late[first].since >= wait - 1)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- signs -- */

/* Makes differences sums: of threads that may have been in the kernel. */
static void add_up_stays(struct evidence *evidence)
{
	const struct kernel_stay *stays = evidence->stays.items;
	struct silence *at = evidence->silences.items;
	size_t count = evidence->silences.count, i;

	for (i = 0; i < evidence->stays.count; i++) {
		at[stays[i].first].in_kernel++;
		if (stays[i].end != count)
			at[stays[i].end].in_kernel--;
	}
	for (i = 1; i < count; i++)
		at[i].in_kernel += at[i - 1].in_kernel;
}

/* Makes differences of what each silence has of its slices sums. */
static void add_up_slices(struct evidence *evidence)
{
	const struct silent_slice *slices = evidence->slices.items, *slice;
	struct silence *at = evidence->silences.items;
	size_t count = evidence->silences.count, i;
	uint32_t before = 0;

	for (i = 0; i < evidence->slices.count; i++) {
		uint64_t function = (uint64_t)slices[i].function + 1;

		slice = &slices[i];
		if (!slice->asynchronous)
			continue;
		at[slice->first].asynchronous++;
		at[slice->first].functions += function;
		if (slice->end == count)
			continue;
		at[slice->end].asynchronous--;
		at[slice->end].functions -= function;
	}
	for (i = 1; i < count; i++) {
		at[i].asynchronous += at[i - 1].asynchronous;
		at[i].functions += at[i - 1].functions;
	}
	for (i = count; i-- > 0;) {
		before += at[i].ready_before;
		at[i].ready += before;
	}
}

static bool is_preemptible(const struct evidence *evidence, uint32_t function)
{
	const uint32_t *early = evidence->early.items;

	return function < evidence->early.count && early[function] >= EARLY_MIN;
}

/* Whether the next events after silences are in several such functions. */
static bool has_functions(const struct evidence *evidence)
{
	const struct silent_slice *slices = evidence->slices.items;
	uint32_t known = NO_TEXT;
	size_t i;

	for (i = 0; i < evidence->slices.count; i++) {
		if (!slices[i].asynchronous ||
		    !is_preemptible(evidence, slices[i].function))
			continue;
		if (known != NO_TEXT && slices[i].function != known)
			return true;
		known = slices[i].function;
	}
	return false;
}

/* What else says that SILENCE was one without a CPU; timers aside. */
static enum evidence_sign sign_of(const struct evidence *evidence,
				  const struct silence *silence,
				  bool some_is_idle, bool has_storm)
{
	if (some_is_idle && silence->starts_late)
		return SIGN_START;
	if (evidence->by_thread && silence->in_calls != 0 &&
	    length_between(silence->from, silence->to) > LATE_SYSMON)
		return SIGN_SYSMON;
	return silence->is_bare && !has_storm ? SIGN_BARE : SIGN_NONE;
}

/* How the slices of SILENCE ended. */
static enum evidence_sign end_of(const struct evidence *evidence,
				 const struct silence *silence,
				 bool has_several)
{
	if (silence->slices >= 2 && silence->asynchronous == silence->slices)
		return SIGN_TOGETHER;
	if (silence->slices == 1 && silence->asynchronous == 1 && has_several &&
	    is_preemptible(evidence, (uint32_t)(silence->functions - 1)))
		return SIGN_SINGLE;
	return SIGN_NONE;
}

static int64_t procs_of(const struct evidence *evidence,
			const struct silence *silence)
{
	return silence->procs != 0 ? silence->procs : evidence->procs_seen;
}

/* Sets the sign of each silence. Returns how many have one. */
static size_t find_signs(struct evidence *evidence, const struct array *usual)
{
	struct silence *at = evidence->silences.items;
	bool has_several = has_functions(evidence);
	bool has_storm = evidence->found.storm != 0;
	size_t count = 0, i;

	for (i = 0; i < evidence->silences.count; i++, at++) {
		bool idle = (at->is_idle || i < evidence->idle_before) &&
			    at->held < procs_of(evidence, at);
		uint32_t first = i != 0 ? at[-1].late : 0;

		at->in_profile =
			at->in_kernel == 0 &&
			gti_evidence_in_profile(evidence, at->from, at->to);
		at->sign = (uint8_t)sign_of(evidence, at, idle, has_storm);
		if (idle && is_late(evidence, usual, first, at->late, at->to))
			at->sign = SIGN_TIMER;
		at->witnessed = at->sign != SIGN_NONE;
		if (!at->witnessed)
			at->sign = (uint8_t)end_of(evidence, at, has_several);
		count += at->sign != SIGN_NONE;
	}
	return count;
}

void gti_evidence_witness(struct evidence *evidence)
{
	struct silence *at = evidence->silences.items;
	struct array usual = {.items = NULL};
	size_t signs = 0, i;

	add_up_slices(evidence);
	add_up_stays(evidence);
	if (find_usual(evidence, &usual))
		signs = find_signs(evidence, &usual);
	gti_array_free(&usual, sizeof(int64_t), evidence->memory);
	for (i = 0; i < evidence->silences.count; i++, at++)
		if (at->sign != SIGN_NONE && !at->witnessed)
			at->witnessed =
				signs >= evidence->silences.count - signs;
}
