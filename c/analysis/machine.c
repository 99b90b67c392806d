/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - when threads may have had no CPU. */
#include "analysis/machine.h"

#include "base/least.h"

int64_t gti_machine_ticks(const struct clock *clock, int64_t ns)
{
	return clock->ns_per_tick == 0
		       ? ns
		       : (int64_t)((double)ns / clock->ns_per_tick);
}

void gti_stretch_add(struct stretches *stretches, int64_t p, int64_t from,
		     int64_t to)
{
	if (stretches == NULL || stretches->count == STRETCHES_MAX)
		return;
	stretches->items[stretches->count++] = (struct gtrace_off_cpu){
		.p = p,
		.from = from,
		.to = to,
	};
}

/* Adds COUNT stretches of time, the longest of which is LONGEST, at FROM. */
static bool add_lost(struct gtrace_lost *lost, uint64_t count, int64_t sum,
		     int64_t longest, int64_t from)
{
	lost->count += count;
	lost->sum = add_lengths(lost->sum, (uint64_t)sum);
	if (longest < lost->max ||
	    (longest == lost->max && from >= lost->start))
		return false;
	lost->max = longest;
	lost->start = from;
	return true;
}

void gti_bare_off(struct bare *bare, int64_t p, int64_t time)
{
	struct stretches *stretches = bare->rules->stretches;
	int64_t from =
		(int64_t)((uint64_t)bare->end - (uint64_t)bare->rules->limit);
	int64_t length = length_between(from, time);

	if ((stretches != NULL && stretches->over) || length == 0)
		return;
	bare->from = from;
	bare->to = time;
	gti_stretch_add(stretches, p, from, time);
	add_lost(&bare->off, 1, length, length, from);
}

void gti_machine_begin(struct machine *machine, const struct clock *clock)
{
	bool hears = machine->hears, counts = machine->counts;

	*machine = (struct machine){
		.clock = clock,
		.hears = hears,
		.counts = counts,
		.sampled_since = INT64_MAX,
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

/* A length in ticks, in nanoseconds, as far as it fits. */
static int64_t length_of(const struct machine *machine, int64_t ticks)
{
	struct clock clock = {.ns_per_tick = machine->clock->ns_per_tick};
	int64_t ns = clock_ns(&clock, ticks);

	return ns < 0 ? INT64_MAX : ns;
}

void gti_machine_off_cpu(struct machine *machine, int64_t p,
			 const struct bare *bare)
{
	struct gtrace_machine *found = &machine->found;
	int64_t sum = length_of(machine, bare->off.sum);

	if (bare->off.count == 0)
		return;
	if (add_lost(&found->off_cpu, bare->off.count, sum,
		     length_of(machine, bare->off.max),
		     clock_ns(machine->clock, bare->off.start)))
		found->off_cpu_p = p;
}

/*
 * What is at an end of a quota's period, when all threads may go on, is some
 * milliseconds wide. In that time no two silences, even short ones, can end.
 */
#define WINDOW    4
#define WINDOW_NS (INT64_C(1000000) * WINDOW)

static const unsigned intervals[INTERVALS] = {100, 200, 250, 500, 1000};

static size_t phase_of(int64_t time)
{
	return (size_t)((uint64_t)time / 1000000 % PHASES);
}

/*
 * A silence that ends at TO ends the period of an interval if another one, or a
 * shorter one, ended at its begin. Then its processors were held for RAN less
 * what they had been at that.
 */
static void end_period(struct machine *machine, size_t i, int64_t to,
		       uint64_t ran)
{
	int64_t begin = time_sum(to, -(UINT64_C(1000000) * intervals[i]));
	int64_t at;

	if (begin <= WINDOW_NS)
		return;
	for (at = begin - WINDOW_NS; at < begin + WINDOW_NS; at += 1000000) {
		size_t before = phase_of(at);
		uint64_t ticks = ran - machine->last[before].ran;

		/* Below 0: a processor turned out to be held meanwhile. */
		if (machine->last[before].to < begin - WINDOW_NS ||
		    machine->last[before].to > begin + WINDOW_NS ||
		    ticks > INT64_MAX)
			continue;
		machine->periods[i][phase_of(to)]++;
		machine->ran[i][phase_of(to)] +=
			(uint64_t)length_of(machine, (int64_t)ticks);
		return;
	}
}

bool gti_machine_silence(struct machine *machine, int64_t from, int64_t to,
			 uint64_t kept, uint64_t ran)
{
	int64_t length = length_between(from, to);
	size_t phase = phase_of(to), i;

	for (i = 0; i < INTERVALS && length > SILENCE_MIN && kept != 0; i++)
		end_period(machine, i, to, ran);
	machine->last[phase].to = to;
	machine->last[phase].ran = ran;
	machine->throttled[phase] += (uint64_t)length;
	if (length <= SILENCE_MIN || kept == 0) {
		machine->short_ends[phase]++;
		return false;
	}
	machine->ends[phase]++;
	add_lost(&machine->found.silence, 1, length, length, from);
	return true;
}

/* --------------------------------------------------------------- samples -- */

/* A thread gets a sample for so much time on a CPU. */
#define SAMPLE_PERIOD INT64_C(10000000)

/* If none is taken for so long, of no thread, no profile was made. */
#define SAMPLES_APART INT64_C(1000000000)

void gti_machine_sample(struct machine *machine, int64_t time)
{
	if (machine->sampled_since == INT64_MAX ||
	    time_sum(time, -(uint64_t)SAMPLES_APART) > machine->sampled)
		machine->sampled_since = time;
	machine->sampled = time;
}

/*
 * The greatest time on a CPU that has so few samples in 5 of 100 cases, if they
 * come at random: in hundredths of the period. From 10 on that is rounded up.
 */
static int64_t most_cpu(uint64_t samples)
{
	static const int64_t most[] = {300,  475,  630,  776,  916, 1052,
				       1185, 1315, 1444, 1571, 1697};
	const uint64_t last = sizeof(most) / sizeof(most[0]) - 1;

	if (samples <= last)
		return most[samples];
	return samples < INT32_MAX
		       ? most[last] + (int64_t)(samples - last) * 125
		       : INT64_MAX / SAMPLE_PERIOD;
}

int64_t gti_machine_likely(const struct machine *machine, int64_t from,
			   int64_t to, int64_t calls, uint64_t samples)
{
	int64_t bound = most_cpu(samples) * (SAMPLE_PERIOD / 100);

	from = greatest_of(from, machine->sampled_since);
	if (time_sum(machine->next_sample, -(uint64_t)SAMPLES_APART) >
	    machine->sampled)
		to = least_of(to, machine->sampled);
	if (from >= to || from < 0 || calls < 0)
		return -1;
	return greatest_of(to - from - least_of(calls, to - from) - bound, 0);
}

/* ------------------------------------------------------------ throttling -- */

/* So many silences, and more than half of all, end at those of a quota. */
#define THROTTLED_MIN 4

/* So many silences must be known to be without a CPU: none is yet. */
#define WITNESSED_MIN 3

/* The sums of what ended in the window at PHASE of the periods of INTERVAL. */
struct ends {
	uint64_t count;
	uint64_t shorter;
	uint64_t length;
	uint64_t periods; /* see struct machine */
	uint64_t ran;
};

static struct ends ends_in(const struct machine *machine, size_t interval,
			   size_t phase)
{
	struct ends ends = {.count = 0};
	size_t i, at;

	for (; phase < PHASES; phase += intervals[interval])
		for (i = 0; i < WINDOW; i++) {
			at = (phase + i) % PHASES;
			ends.count += machine->ends[at];
			ends.shorter += machine->short_ends[at];
			ends.length += machine->throttled[at];
			ends.periods += machine->periods[interval][at];
			ends.ran += machine->ran[interval][at];
		}
	return ends;
}

/* The window of INTERVAL in which most silences end. */
static struct ends most_ends(const struct machine *machine, size_t interval)
{
	struct ends most = {.count = 0}, ends;
	size_t phase;

	for (phase = 0; phase < intervals[interval]; phase++) {
		ends = ends_in(machine, interval, phase);
		if (ends.count + ends.shorter > most.count + most.shorter)
			most = ends;
	}
	return most;
}

void gti_machine_finish(struct machine *machine, int64_t last)
{
	struct gtrace_machine *found = &machine->found;
	uint64_t best = 0, ran, mean;
	struct ends ends;
	size_t i;

	for (i = 0; i < INTERVALS && found->silence.count >= THROTTLED_MIN &&
		    machine->witnessed >= WITNESSED_MIN;
	     i++) {
		ends = most_ends(machine, i);
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
		found->throttle_cpu =
			machine->counts && ends.periods != 0
				? (int64_t)(ends.ran / ends.periods)
				: -1;
	}
	if (found->throttle_interval != 0 && last >= 0)
		found->throttle_periods =
			(uint64_t)(last / found->throttle_interval) + 1;
	machine->stretches.over = true;
	for (i = 0; i < machine->stretches.count; i++) {
		struct gtrace_off_cpu *stretch = &machine->stretches.items[i];

		stretch->from = clock_ns(machine->clock, stretch->from);
		stretch->to = clock_ns(machine->clock, stretch->to);
	}
}
