/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence.h - when threads may have had no CPU, and what speaks for that.
 *
 * Silence: no thread writes an event for long, though goroutines keep
 * processors. The runtime preempts a goroutine that has run for 10 ms if it
 * can, so these computed where it cannot, or their threads had no CPU.
 *
 * Bare: a processor is held, and no goroutine is on it. A thread that runs
 * needs microseconds to choose a goroutine or to give the processor up, unless
 * many timers have expired.
 *
 * A consumer of the stream collects both, and what happens around them;
 * gti_evidence_decide() finds the class of each. tools/README.md has the
 * definitions.
 *
 * A slice is in all silences between two events of its own. So what is kept
 * grows with events, and not with silences times slices.
 */
#ifndef GTRACE_ANALYSIS_EVIDENCE_H_
#define GTRACE_ANALYSIS_EVIDENCE_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "analysis/quota.h"
#include "base/memory.h"
#include "base/map.h"
#include "base/texts.h"
#include "feed/feed.h"

#define EVIDENCE_MS INT64_C(1000000)

/* In nanoseconds. Longer ones count. */
#define BARE_MIN    EVIDENCE_MS
#define SILENCE_MIN (25 * EVIDENCE_MS)

/* Shorter silences that end with the others count for a quota, too. */
#define SILENCE_SHORT (5 * EVIDENCE_MS)

/* So many reasons of blocks are remembered. */
#define EVIDENCE_REASONS 64

/* The first stretches are kept one by one. */
#define STRETCHES_MAX 400

/* What the frames of a stack say. */
struct stack_evidence {
	bool asynchronous; /* a signal met Go code there */
	bool in_kernel;    /* its innermost function only calls the kernel */
	bool profiles;     /* it is that of what writes a CPU profile */
	/* The first function outside the runtime; NO_TEXT: none. */
	uint32_t function;
	uint32_t name;  /* of what a report calls it; NO_TEXT: nothing */
	uint32_t own;   /* that without the innermost function */
	uint32_t root;  /* that of its outermost function alone */
	uint32_t place; /* of its innermost frames */
};

/* What the format's names are needed for. Called with `context`. */
struct evidence_names {
	/* Returns false if there is no memory. */
	bool (*describe)(void *context, uint64_t stack,
			 struct stack_evidence *to);
	/* Whether the block of TRANSITION can end by a timer. */
	bool (*is_timed)(void *context, const struct transition *transition);
	/* Whether that says that a dedicated worker of the collector runs. */
	bool (*is_dedicated)(void *context,
			     const struct transition *transition);
};

/* What the thread of a lane does. */
enum lane_use {
	USE_NONE,
	USE_KEPT,      /* a goroutine keeps a processor there */
	USE_DEDICATED, /* so does one that the runtime does not preempt */
	USE_CALL,      /* a goroutine in a system call does */
	USE_UNKNOWN,   /* one that may be a dedicated worker does */
	LANE_USES
};

/* A thread; up to Go 1.21, a processor. */
struct lane {
	uint32_t p; /* slots; 0: none */
	uint32_t g;
	uint8_t state;     /* enum lane_use */
	bool started;      /* its goroutine, by a start */
	bool is_dedicated; /* it has that label */
	bool in_call;
	uint32_t seen;    /* silences before its last own event */
	uint32_t heard;   /* likewise, or its last sample */
	uint32_t samples; /* that were taken of it */
	/* The number of the last generation with an event, plus one. */
	uint32_t generation;
	int64_t sampled; /* when the last one was, in nanoseconds */
	int64_t start;   /* of the slice, likewise */
};

struct bare_lane {
	uint32_t lane; /* whose processor it is; 0: it is not held */
	bool was_held; /* once */
	bool is_known; /* since when it is held, or not */
	bool is_idle;  /* nothing has it */
	/* evidence->epoch: it is known to have no goroutine since: */
	uint32_t epoch;
	int64_t since;
	uint32_t samples; /* lane->samples then */
};

struct waiting_goroutine {
	uint8_t state;   /* enum goroutine_state */
	bool was_made;   /* ready, by an event that makes it so */
	bool is_timed;   /* the block is one that a timer can end */
	bool profiles;   /* it writes a CPU profile */
	uint32_t place;  /* where it is blocked */
	int64_t since;   /* in nanoseconds */
	uint64_t stack;  /* of its last event that has frames */
	uint32_t stacks; /* the number of the generation that has it */
	/* The name of its first function or a later one, plus one; 0: none. */
	uint32_t name;
};

/* What a silence is, or a processor without a goroutine. */
enum evidence_sign {
	SIGN_NONE,
	SIGN_PROFILE,
	SIGN_TOGETHER,
	SIGN_SINGLE,
	SIGN_TIMER,
	SIGN_START,
	SIGN_SYSMON,
	SIGN_BARE,
	SIGN_STORM
};

struct silence {
	int64_t from; /* in nanoseconds */
	int64_t to;
	uint32_t slices; /* on processors outside of system calls */
	uint32_t held;   /* processors */
	uint32_t procs;  /* that there are; 0: as many as were seen */
	uint32_t ready;  /* goroutines */
	/*
	 * Until gti_evidence_decide(): goroutines that turned out, after this
	 * silence, to have been ready since before the trace.
	 */
	uint32_t ready_before;
	uint32_t late;     /* end of those in evidence->late */
	uint32_t in_calls; /* processors in system calls */
	/*
	 * Of threads whose samples are its begin and its end, if they have one
	 * of the slices: ids, or -1.
	 */
	int64_t sampled[2];
	bool starts_late; /* a goroutine that was made ready did not start */
	bool is_bare;     /* a processor had no goroutine all the time */
	bool is_idle;     /* one was not held */
	bool in_profile;  /* see gti_evidence_decide(); and so are the next: */
	bool witnessed;
	uint8_t sign; /* enum evidence_sign */
	/*
	 * Of the next events of its slices, those that are asynchronous, and
	 * the sum of their functions, each plus one. Until
	 * gti_evidence_decide(), less those of the silence before.
	 */
	uint64_t asynchronous;
	uint64_t functions;
	/*
	 * Likewise, threads that may have computed in the kernel all the time:
	 * they have no sample before they return from there.
	 */
	uint64_t in_kernel;
};

/* Silences of a slice, and what its next event says. */
struct silent_slice {
	uint32_t first; /* silence, up to: */
	uint32_t end;
	uint32_t name;
	uint32_t function;
	bool asynchronous;
	uint64_t g;
	uint32_t longest; /* silence */
};

/*
 * CPU samples of one profile. The samples of all threads are in order, and no
 * two in a row are too far apart.
 */
struct sample_run {
	int64_t from;   /* the first one, in nanoseconds */
	int64_t to;     /* the last one */
	uint64_t pairs; /* of one thread, which show the usual rate */
};

/* Silences in which a thread may have computed in the kernel. */
struct kernel_stay {
	uint32_t first; /* silence, up to: */
	uint32_t end;
};

struct bare_stretch {
	int64_t from; /* in nanoseconds */
	int64_t to;
	int64_t p;
	uint32_t samples; /* of its thread */
};

/* A goroutine that a timer made ready just after a silence. */
struct late_timer {
	uint32_t place;
	int64_t since; /* its block */
};

struct timed_wait {
	int64_t length;
	uint64_t place;
};

/* A slice in a silence, or a bare stretch, that is kept. */
struct kept_stretch {
	uint32_t at;   /* number of the silence, or of the bare stretch */
	uint32_t lane; /* slot; 0: it is bare */
	uint32_t name;
	int64_t p;
	int64_t m;
	uint64_t g;
};

/* Of the silences before one, or of those in a time. */
struct silence_sums {
	int64_t length;
	int64_t certain; /* for which no slice had a CPU */
	uint64_t count[GTRACE_SILENT_CLASSES]; /* by the weakest of a slice */
};

/* What a function did without an event. */
struct silent_function {
	uint32_t name;
	uint64_t count; /* slices in silences */
	uint64_t asynchronous;
	int64_t sum; /* of the silences */
	int64_t max;
	int64_t max_start;
	uint64_t g;
	double harm; /* time that goroutines were ready meanwhile */
};

struct evidence {
	const struct gtrace_allocator *memory;
	const struct evidence_names *names;
	void *context;
	const struct clock *clock;
	bool by_thread; /* Go 1.22 and later: lanes are threads */
	bool infers;    /* stops may be without a beginning */
	bool hears;     /* silences mean something in this version */
	bool failed;    /* there was no memory */

	/* Now: */
	struct array lanes;      /* struct lane, by slot */
	struct array bare;       /* struct bare_lane, by slot */
	struct array goroutines; /* struct waiting_goroutine, by slot */
	/* uint32_t: slots of lanes with an event in this generation. */
	struct array changed;
	uint32_t count[LANE_USES];
	uint32_t held;
	uint32_t bare_count; /* processors known to have no goroutine */
	uint32_t idle;       /* processors known to be not held */
	/* Before that silence another one was not held since the origin. */
	size_t idle_before;
	uint32_t epoch; /* grows as the world stops and goes on; never 0 */
	uint32_t ready;
	uint32_t made_ready; /* of them, by an event that makes it so */
	uint32_t procs;      /* 0: not known */
	uint32_t procs_seen; /* that were held */
	bool is_stopped;     /* the world */
	bool begun;
	bool jumps;    /* to the time of the next event */
	int64_t first; /* times of the first and last event, in nanoseconds */
	int64_t last;
	int64_t gap_end; /* of the last gap of more than 20 ms */
	/* The lane whose sample was the last event, 0: none; and its time. */
	uint32_t sampled;
	int64_t sampled_at;
	uint32_t generation;

	/* By reason of the generation, or by type: 0: not known, 1: no, 2. */
	uint8_t timed[EVIDENCE_REASONS];
	/* By stack handle of the generation: the number in `described`, plus
	 * one. */
	struct map stacks;
	struct array described; /* struct stack_evidence */
	struct array early;     /* uint32_t by function: preemptions in time */

	/* What was met: */
	struct array silences;
	struct array slices;    /* struct silent_slice */
	struct array stretches; /* struct bare_stretch */
	struct array late;      /* struct late_timer */
	struct array waits;     /* struct timed_wait */
	struct array runs;      /* struct sample_run */
	struct array stays;     /* struct kernel_stay */
	struct array longest;   /* uint32_t: see end_silences() */
	struct kept_stretch kept[STRETCHES_MAX];
	size_t kept_count;
	bool profile_ends;    /* since the last sample */
	int64_t procs_time;   /* of all processors, if their number is known */
	int64_t procs_known;  /* for how long it is */
	int64_t held_time;    /* of all processors */
	int64_t call_time;    /* of that, in system calls */
	struct array threads; /* int64_t: ids of those that wrote events */
	struct quota quota;

	/* What is decided: */
	struct array functions; /* struct silent_function, by name */
	struct array sums; /* struct silence_sums: before each, and of all */
	struct gtrace_machine found;
};

/* Prepares for a pass. The members before `failed` are set. Takes no memory. */
void gti_evidence_init(struct evidence *evidence);
void gti_evidence_free(struct evidence *evidence);

/* A consumer of FEED that fills EVIDENCE. */
struct consumer gti_evidence_consumer(struct evidence *evidence);

/* After the pass: finds the classes. */
void gti_evidence_decide(struct evidence *evidence);

/*
 * The class of a slice of SILENCE whose thread has so many SAMPLES in it.
 * Sets *TIME to what counts of it. After gti_evidence_decide().
 */
enum gtrace_silent_class gti_evidence_class(const struct silence *silence,
					    unsigned samples, int64_t *time);

/* The same of STRETCH. */
enum gtrace_silent_class
gti_evidence_bare_class(const struct evidence *evidence,
			const struct bare_stretch *stretch, int64_t *time);

/* How many samples the thread with this id has in SILENCE. */
static inline unsigned silence_samples(const struct silence *silence,
				       int64_t thread)
{
	unsigned samples = silence->sampled[0] == thread;

	samples += silence->sampled[1] == thread;
	return thread < 0 ? 0 : samples;
}

/* The sums of the silences in a time. After gti_evidence_decide(). */
struct silence_sums gti_evidence_sums(const struct evidence *evidence,
				      int64_t from, int64_t to);

/* The silence, after gti_evidence_decide(), between two times; or NULL. */
const struct silence *gti_evidence_find(const struct evidence *evidence,
					int64_t from, int64_t to);

static inline struct silence *evidence_silence_at(const struct evidence *from,
						  size_t number)
{
	return (struct silence *)from->silences.items + number;
}

#endif /* GTRACE_ANALYSIS_EVIDENCE_H_ */
