/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - when threads certainly had no CPU. */
#include "analysis/machine.h"

int64_t gti_machine_ticks(const struct clock *clock, int64_t ns)
{
	return clock->ns_per_tick == 0
		       ? ns
		       : (int64_t)((double)ns / clock->ns_per_tick);
}

void gti_machine_begin(struct machine *machine, const struct clock *clock)
{
	bool hears = machine->hears;

	*machine = (struct machine){
		.clock = clock,
		.hears = hears,
		.silence_ticks = UINT64_MAX,
		.steps_left = MACHINE_STEPS,
		.found = {.off_cpu.start = -1,
			  .off_cpu_p = -1,
			  .silence_known = hears,
			  .silence.start = -1},
	};
	if (hears)
		machine->silence_ticks =
			(uint64_t)gti_machine_ticks(clock, SILENCE_SHORT);
}

bool gti_machine_spend(struct machine *machine, uint64_t count)
{
	if (count > machine->steps_left)
		return false;
	machine->steps_left -= count;
	return true;
}

/* Sums of hostile times wrap around. */
static int64_t add(int64_t sum, uint64_t more)
{
	return (int64_t)((uint64_t)sum + more);
}

/* Adds COUNT stretches of time, the longest of which is LONGEST, at FROM. */
static bool add_lost(struct gtrace_lost *lost, uint64_t count, uint64_t sum,
		     uint64_t longest, int64_t from)
{
	lost->count += count;
	lost->sum = add(lost->sum, sum);
	if ((int64_t)longest < lost->max ||
	    ((int64_t)longest == lost->max && from >= lost->start))
		return false;
	lost->max = (int64_t)longest;
	lost->start = from;
	return true;
}

/* A number of ticks in nanoseconds. */
static uint64_t length_of(const struct machine *machine, uint64_t ticks)
{
	struct clock clock = {.ns_per_tick = machine->clock->ns_per_tick};

	return (uint64_t)clock_ns(&clock, (int64_t)ticks);
}

void gti_machine_off_cpu(struct machine *machine, int64_t p,
			 const struct bare *bare)
{
	struct gtrace_machine *found = &machine->found;
	uint64_t sum = length_of(machine, bare->sum);

	if (bare->count == 0)
		return;
	if (add_lost(&found->off_cpu, bare->count, sum,
		     length_of(machine, bare->longest),
		     clock_ns(machine->clock, bare->longest_from)))
		found->off_cpu_p = p;
	found->lost = add(found->lost, sum);
}

bool gti_machine_silence(struct machine *machine, int64_t from, int64_t to,
			 uint64_t kept)
{
	uint64_t length = (uint64_t)to - (uint64_t)from;
	size_t phase = (size_t)((uint64_t)to / 1000000 % PHASES);

	machine->throttled[phase] += length;
	if (length <= SILENCE_MIN || kept == 0) {
		machine->short_ends[phase]++;
		return false;
	}
	machine->ends[phase]++;
	add_lost(&machine->found.silence, 1, length, length, from);
	machine->found.lost = add(machine->found.lost, length * kept);
	return true;
}

/* ------------------------------------------------------------ throttling -- */

/*
 * What is at an end of a quota's period, when all threads may go on, is some
 * milliseconds wide. In that time no two silences, even short ones, can end.
 */
#define WINDOW 4

/* So many silences, and more than half of all, end at those of a quota. */
#define THROTTLED_MIN 4

/* The sums of what ended in the window at PHASE of the periods of INTERVAL. */
struct ends {
	uint64_t count;
	uint64_t shorter;
	uint64_t length;
};

static struct ends ends_in(const struct machine *machine, size_t interval,
			   size_t phase)
{
	struct ends ends = {.count = 0};
	size_t i, at;

	for (; phase < PHASES; phase += interval)
		for (i = 0; i < WINDOW; i++) {
			at = (phase + i) % PHASES;
			ends.count += machine->ends[at];
			ends.shorter += machine->short_ends[at];
			ends.length += machine->throttled[at];
		}
	return ends;
}

/* The window of INTERVAL in which most silences end. */
static struct ends most_ends(const struct machine *machine, size_t interval)
{
	struct ends most = {.count = 0}, ends;
	size_t phase;

	for (phase = 0; phase < interval; phase++) {
		ends = ends_in(machine, interval, phase);
		if (ends.count + ends.shorter > most.count + most.shorter)
			most = ends;
	}
	return most;
}

void gti_machine_finish(struct machine *machine, int64_t last)
{
	static const unsigned intervals[] = {1000, 500, 250, 200, 100};
	struct gtrace_machine *found = &machine->found;
	uint64_t best = 0, ran, mean;
	struct ends ends;
	size_t i;

	for (i = sizeof(intervals) / sizeof(intervals[0]);
	     i-- > 0 && found->silence.count >= THROTTLED_MIN;) {
		ends = most_ends(machine, intervals[i]);
		/* That of a multiple has only some of the ends. */
		if (ends.count < THROTTLED_MIN || ends.count * 10 < best * 9 ||
		    ends.count * 2 <= found->silence.count)
			continue;
		best = ends.count > best ? ends.count : best;
		found->throttle_interval = (int64_t)intervals[i] * 1000000;
		found->throttled = ends.count + ends.shorter;
		ran = (uint64_t)found->throttle_interval;
		mean = ends.length / found->throttled;
		found->throttle_ran = (int64_t)(mean < ran ? ran - mean : 0);
	}
	if (found->throttle_interval != 0 && last >= 0)
		found->throttle_periods =
			(uint64_t)(last / found->throttle_interval) + 1;
}
