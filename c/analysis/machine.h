/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - when threads may have had no CPU, as far as a trace shows it.
 *
 * Off CPU: a processor is held and no goroutine is on it. A thread that runs
 * needs microseconds to choose a goroutine or to give the processor up, unless
 * many timers have expired.
 *
 * Silence: no thread writes an event though goroutines run. Since Go 1.14 the
 * runtime preempts a goroutine that has run for 10 ms, if it can: so these
 * computed where it cannot, or their threads had no CPU.
 *
 * tools/README.md has the exact definitions.
 */
#ifndef GTRACE_ANALYSIS_MACHINE_H_
#define GTRACE_ANALYSIS_MACHINE_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/compiler.h"
#include "model/event.h"

/* Sums of hostile times wrap around. */
static inline int64_t time_sum(int64_t time, uint64_t more)
{
	return (int64_t)((uint64_t)time + more);
}

/* In nanoseconds. Longer ones count. */
#define OFF_CPU_MIN INT64_C(1000000)
#define SILENCE_MIN INT64_C(25000000)

/* Shorter silences that end with the others count as throttling, too. */
#define SILENCE_SHORT INT64_C(5000000)

/* The first stretches of time without a CPU, in ticks. */
#define STRETCHES_MAX 400

struct stretches {
	size_t count;
	bool over; /* gti_machine_finish() was called: none is added */
	struct gtrace_off_cpu items[STRETCHES_MAX];
};

/* Adds one of processor P, -1: of all. STRETCHES may be NULL. */
void gti_stretch_add(struct stretches *stretches, int64_t p, int64_t from,
		     int64_t to);

/* What is the same for all processors. */
struct bare_rules {
	int64_t limit;               /* OFF_CPU_MIN in ticks */
	struct stretches *stretches; /* NULL: not wanted */
};

/* When a processor was held and no goroutine was on it. Times are in ticks. */
struct bare {
	const struct bare_rules *rules;
	/*
	 * If there is still no goroutine after this time, the thread had no
	 * CPU. INT64_MAX: the processor is not held, or that is not known.
	 */
	int64_t end;
	struct gtrace_lost off; /* the times without a CPU */
	int64_t from;           /* the last one */
	int64_t to;
};

/* It has no goroutine from TIME on, at which its thread runs. */
static ALWAYS_INLINE void bare_since(struct bare *bare, int64_t time)
{
	bare->end = (int64_t)((uint64_t)time + (uint64_t)bare->rules->limit);
}

/* Processor P had no goroutine until TIME: longer than a thread needs. */
void gti_bare_off(struct bare *bare, int64_t p, int64_t time);

/* If processor P had no goroutine, it had none until TIME. */
static ALWAYS_INLINE void bare_until(struct bare *bare, int64_t p, int64_t time)
{
	if (UNLIKELY(time > bare->end))
		gti_bare_off(bare, p, time);
}

/* Silences are counted by their ends, in milliseconds of each second. */
#define PHASES 1000

/* The intervals of a CPU quota that are looked for. */
#define INTERVALS 5

struct machine {
	const struct clock *clock;
	bool hears; /* silence means something in traces of this version */
	uint64_t
		silence_ticks; /* SILENCE_SHORT; UINT64_MAX: it hears nothing */
	uint64_t steps_left;   /* see gti_machine_spend() */
	bool counts;           /* samples: they tell what runs on any stack */
	/* Samples, in nanoseconds: the first, the last, the next one. */
	int64_t sampled_since; /* INT64_MAX: there was none */
	int64_t sampled;
	int64_t next_sample;         /* INT64_MAX: it is not known */
	struct gtrace_machine found; /* but for throttling */
	uint64_t witnessed;          /* silences without a CPU, most likely */
	struct stretches stretches;
	uint32_t ends[PHASES];       /* of silences */
	uint32_t short_ends[PHASES]; /* of shorter ones */
	uint64_t throttled[PHASES];  /* sums of the lengths of all of them */
	/*
	 * The last one at each phase: its end, and the ticks for which
	 * processors were held until then, not in system calls nor without a
	 * CPU. `silent` is what does not count of these, in all. They wrap
	 * around.
	 */
	struct {
		int64_t to;
		uint64_t ran;
	} last[PHASES];
	uint64_t silent;
	/*
	 * By interval and phase: silences whose period began with another one,
	 * and the sum of that time in these periods, in nanoseconds.
	 */
	uint32_t periods[INTERVALS][PHASES];
	uint64_t ran[INTERVALS][PHASES];
};

/*
 * A walk over all threads takes a step for each. In a hostile trace there could
 * be many: silences after so many steps are ignored.
 */
#define MACHINE_STEPS ((uint64_t)1 << 28)

/* NS in ticks of CLOCK. */
int64_t gti_machine_ticks(const struct clock *clock, int64_t ns);

/* Begins a pass with CLOCK; `hears` and `counts` stay as they are. */
void gti_machine_begin(struct machine *machine, const struct clock *clock);

/* Whether no event from one time to another, in ticks, may be a silence. */
static inline bool machine_listens(const struct machine *machine, int64_t from,
				   int64_t to)
{
	return to > from &&
	       (uint64_t)to - (uint64_t)from > machine->silence_ticks;
}

/* Whether the analysis may walk over COUNT threads. */
bool gti_machine_spend(struct machine *machine, uint64_t count);

/* What is known of processor P, whose pass has ended. */
void gti_machine_off_cpu(struct machine *machine, int64_t p,
			 const struct bare *bare);

/*
 * No thread wrote an event between two times in ns, while KEPT processors were
 * kept by goroutines; 0: that proves nothing, but what is known to be throttled
 * may have been. Processors had been held for RAN ticks, as in `last`. Returns
 * whether that is a silence.
 */
bool gti_machine_silence(struct machine *machine, int64_t from, int64_t to,
			 uint64_t kept, uint64_t ran);

/* A CPU sample was taken at TIME in ns, of whatever thread. */
void gti_machine_sample(struct machine *machine, int64_t time);

/*
 * How long the thread of a slice, which runs between two times in ns, spends
 * CALLS of that in system calls and has so many SAMPLES, had no CPU, at least,
 * with a confidence of 95 %. -1: samples do not tell.
 */
int64_t gti_machine_likely(const struct machine *machine, int64_t from,
			   int64_t to, int64_t calls, uint64_t samples);

/*
 * The pass has ended, at LAST in ns: sets what is known of throttling, and
 * makes the times of stretches nanoseconds.
 */
void gti_machine_finish(struct machine *machine, int64_t last);

#endif /* GTRACE_ANALYSIS_MACHINE_H_ */
