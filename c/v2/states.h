/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states.h - what is known of threads, processors and goroutines while events
 * are put in order.
 *
 * An event advances if the states allow it, waits if another thread's event
 * may have to come first, and otherwise contradicts the events before it.
 */
#ifndef GTRACE_V2_STATES_H_
#define GTRACE_V2_STATES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/transitions.h"
#include "base/compiler.h"
#include "base/ids.h"
#include "base/least.h"
#include "model/event.h"
#include "v2/generation.h"
#include "v2/table.h"

/* Statuses, by their numbers in the file. */
enum proc_status {
	PROC_BAD,
	PROC_RUNNING,
	PROC_IDLE,
	PROC_SYSCALL,
	PROC_SYSCALL_ABANDONED,
	PROC_STATUSES,
	PROC_ABSENT, /* of the record that means no processor */
};

/* Only the low 8 bits of a status in the file count. */
#define STATUS_MASK 255

enum go_status {
	GO_BAD,
	GO_RUNNABLE,
	GO_RUNNING,
	GO_SYSCALL,
	GO_WAITING,
	GO_STATUSES,
	GO_ABSENT, /* not created yet, or destroyed */
};

enum collector_state { COLLECTOR_UNKNOWN, COLLECTOR_OFF, COLLECTOR_ON };

/* Ids that mean none. */
#define NO_THREAD    (-1)
#define NO_PROC      (-1)
#define NO_GOROUTINE UINT64_MAX

/* Counts the events that change a processor or a goroutine in a generation. */
struct sequence {
	uint64_t number;
	uint32_t generation; /* states.number_index of its number */
	/* That of the processor or goroutine, or 0: it fills the struct. */
	uint32_t slot;
};

/*
 * Events that all link to the same later event: the ordinal of the last one,
 * 0 for none. The others are chained through observer->links.
 */
typedef uint64_t waiting_links;

struct processor {
	int64_t id;
	struct sequence sequence;
	struct thread *thread; /* that was last bound to it */
	waiting_links sweep;   /* to the end of the sweep */
	uint8_t status;
	bool sweeps;
	bool held; /* for the analysis of waits */
};

/* A stop-the-world pause, or a mark assist, that a goroutine is in. */
struct range {
	uint64_t kind; /* of the stop: id of a string */
	bool assist;
};

/* The ranges of a goroutine that is in one, or was. */
struct ranges {
	struct array list;  /* struct range */
	waiting_links stop; /* to the end of a stop-the-world pause */
	waiting_links assist;
	/* If it is, or was, in many at a time: */
	bool many;
	struct map kinds;    /* of its stops */
	size_t assist_place; /* of the mark assist, plus one; 0: none */
};

/* What frequent events need is in the first cache line. */
struct goroutine {
	uint64_t id;
	struct sequence sequence;
	uint32_t threads; /* how many are bound to it */
	uint8_t status;
	/*
	 * It was created and has not started. Its first start shows the stack
	 * `first_stack`, and whether that has frames.
	 */
	bool is_new;
	bool first_framed;
	/*
	 * The event that links to its next start, to its unblocking or to the
	 * end of its system call, depending on its status.
	 */
	struct pending pending;
	/*
	 * It began in the outermost function of this stack: the one that its
	 * creation gave, or one of its own. 0: none is known.
	 */
	uint64_t first_stack;
	struct ranges *ranges; /* or NULL */
	struct region *region; /* the innermost, or NULL */
	uint32_t entry;        /* see profile_add_known() */
};

/* The stacks of a goroutine, and their names as in struct last_event. */
struct own_event {
	struct own_stacks stacks;
	uint32_t name;
	uint32_t creator_name;
	bool listed; /* it is in states->listed: `name` is not set */
};

/* Pointers of 32 bits make them smaller. */
_Static_assert(sizeof(void *) < 8 ||
		       (sizeof(struct goroutine) + sizeof(struct own_event) ==
				2 * RECORD_ALIGNMENT &&
			offsetof(struct goroutine, first_stack) ==
				RECORD_ALIGNMENT),
	       "two cache lines");

/* A user region. */
struct region {
	uint64_t task;
	uint64_t name;        /* offset of the string; 0: the empty one */
	uint64_t begin;       /* ordinal of the event that began it */
	struct region *outer; /* or NULL */
};

struct thread {
	union {
		struct {
			int64_t m;
			int64_t p;  /* NO_PROC: none */
			uint64_t g; /* NO_GOROUTINE: none */
		};
		struct event_ids ids; /* m, p and g together */
	};
	/* The records of these; states.no_... for none. */
	struct processor *processor;
	struct goroutine *goroutine;
	bool known; /* an event of it was tried, or named it */
	/*
	 * The slice that runs, of the processor and the goroutine that the
	 * thread had at its start; start.ordinal 0: none.
	 */
	bool start_framed;
	int64_t slice_p;
	uint64_t slice_g;
	struct running_slice slice;
	uint32_t slot; /* in the stream, or 0 */
	int64_t seen;  /* in a careful pass: the time of its last event */
};

_Static_assert(offsetof(struct thread, m) == 0 &&
		       offsetof(struct processor, id) == 0 &&
		       offsetof(struct goroutine, id) == 0,
	       "base/ids.h finds records by these");

#define LOSER_OF_EVENT UINT32_MAX

struct states {
	const struct gtrace_allocator *memory;
	const struct generation *generation;
	const uint8_t *data; /* of the file */
	/*
	 * The number of the present generation, by the order in which numbers
	 * first occur. Damaged traces can come back to a number.
	 */
	uint32_t number_index;
	struct map numbers;        /* of generations: their indexes, plus one */
	uint64_t first_generation; /* number of the one with the first event */
	bool is_first;             /* the present number is that */
	struct ids threads;
	struct ids processors;
	struct ids goroutines;
	struct map tasks; /* that are active: ordinals of their beginnings */
	struct pool regions;
	struct pool ranges; /* struct ranges */
	enum collector_state collector;
	uint64_t collections;
	waiting_links collection; /* to the end of the collection */
	struct processor no_processor;
	struct goroutine no_goroutine;
	struct own_event no_own; /* its own_of() */

	/* What is handed out. */
	struct analyses to;
	bool learns; /* own events matter, see observe_needs_own() */
	bool firsts; /* the first stacks of goroutines do */
	/* struct own_event *: of the present generation, if sums need names */
	struct array listed;
	int64_t last_time;
	uint64_t ordinal;
	/* The events of the last step: its own, and those that it makes. */
	struct event events[3];
	unsigned count;
	/* What its thread had before it, for the stream. */
	struct {
		uint32_t m, p, g;
	} before;
	/*
	 * The goroutine in a system call that has no processor any more by the
	 * step, for the stream: its slot, or that of its event; 0: none.
	 */
	uint32_t loser;
	/* The processor that a status puts a goroutine on, a slot, or 0. */
	uint32_t on;
	/* Of the event of this step: */
	int64_t written; /* its time as its thread wrote it */
	bool framed;     /* its stack has frames */

	uint64_t steps_left; /* see spend_steps() */
	/* When the unfinished generation began; INT64_MAX: it has not. */
	int64_t unfinished_time;

	struct gtrace_error *error;
};

_Static_assert(offsetof(struct states, no_own) ==
		       offsetof(struct states, no_goroutine) +
			       sizeof(struct goroutine),
	       "own_of() finds it");

/*
 * Some events take more than a few steps, such as one for each thread. In a
 * hostile trace all events could be such events, so the steps of a pass are
 * limited, to so many and more for each byte of the trace. A step takes at most
 * a nanosecond. Go's reader, which tries all threads whenever an event waits,
 * takes 40 times as long: with the free steps, traces that it reads in ten
 * seconds are accepted.
 */
#define STEPS_FREE     ((uint64_t)1 << 28)
#define STEPS_PER_BYTE 256

enum outcome { ADVANCED, WAITS, FAILED };

/*
 * Starts without any thread, processor or goroutine. OBSERVER must outlive the
 * states. Returns false if there is no memory.
 */
bool gti_v2_states_init(struct states *states, struct observer *observer,
			const struct gtrace_allocator *memory);

void gti_v2_states_free(struct states *states);

/*
 * There are no more events: observes the slices that still run. Returns false
 * if there is no memory, or if the observer ended the pass.
 */
bool gti_v2_states_finish(struct states *states);

/*
 * The generation NUMBER begins, and HAS_EVENTS. Returns false if there is no
 * memory.
 */
bool gti_v2_states_begin(struct states *states, uint64_t number,
			 bool has_events);

/* The record of thread M, new if it has none. NULL: there is no memory. */
struct thread *gti_v2_states_thread(struct states *states, int64_t m);

/*
 * The goroutine G, which does not exist, with STATUS and a new sequence. OLD is
 * what find_goroutine() returns for it: not NULL if a thread is still bound to
 * one that was destroyed elsewhere. NULL: there is no memory.
 */
struct goroutine *gti_v2_new_goroutine(struct states *states,
				       struct goroutine *old, uint64_t g,
				       enum go_status status);

/* GOROUTINE was destroyed. Its record can be used again if no thread has it. */
void gti_v2_forget_goroutine(struct states *states,
			     struct goroutine *goroutine);

/* OWN has to get a name before its generation ends. */
void gti_v2_list_own(struct states *states, struct own_event *own);

/*
 * The generation ends, the tables of which name stacks. Returns false if there
 * is no memory.
 */
bool gti_v2_states_settle(struct states *states);

/*
 * Takes COUNT from the steps that are left, or all if they are fewer. Returns
 * false if none are left.
 */
static inline bool spend_steps(struct states *states, uint64_t count)
{
	if (states->steps_left <= count)
		states->steps_left = 0;
	else
		states->steps_left -= count;
	return states->steps_left != 0;
}

static inline bool follows(const struct states *states,
			   const struct sequence *sequence, uint64_t number)
{
	return sequence->number + 1 == number &&
	       sequence->generation == states->number_index;
}

static inline void restart(const struct states *states,
			   struct sequence *sequence)
{
	sequence->generation = states->number_index;
	sequence->number = 0;
}

static inline struct goroutine *find_goroutine(const struct states *states,
					       uint64_t g)
{
	return ids_find(&states->goroutines, g);
}

static inline struct processor *find_processor(const struct states *states,
					       uint64_t p)
{
	return ids_find(&states->processors, p);
}

/*
 * The last event of GOROUTINE itself, if states->learns. It follows the record
 * of the goroutine, which is larger then.
 */
static inline struct own_event *own_of(struct goroutine *goroutine)
{
	return (struct own_event *)(void *)(goroutine + 1);
}

/* What the analysis of waits keeps of GOROUTINE, if it is wanted. */
static inline struct waiter *waiter_of(struct goroutine *goroutine)
{
	return (struct waiter *)(void *)((char *)goroutine +
					 sizeof(struct goroutine) +
					 sizeof(struct own_event));
}

/* Whether a goroutine with this record exists. */
static inline bool exists(const struct goroutine *goroutine)
{
	return goroutine != NULL && goroutine->status != GO_ABSENT;
}

/* THREAD no longer has GOROUTINE, which has STATUS. */
static inline void unbind(struct states *states, struct thread *thread,
			  struct goroutine *goroutine, enum go_status status)
{
	thread->g = NO_GOROUTINE;
	thread->goroutine = &states->no_goroutine;
	goroutine->threads--;
	if (UNLIKELY(status == GO_ABSENT))
		gti_v2_forget_goroutine(states, goroutine);
}

/* THREAD no longer has a goroutine. */
static inline void unbind_goroutine(struct states *states,
				    struct thread *thread)
{
	struct goroutine *goroutine = thread->goroutine;

	unbind(states, thread, goroutine, goroutine->status);
}

/* THREAD, which is not that of no thread, has GOROUTINE from now on. */
static inline void bind_goroutine(struct states *states, struct thread *thread,
				  struct goroutine *goroutine)
{
	if (UNLIKELY(thread->g != NO_GOROUTINE))
		unbind_goroutine(states, thread);
	if (UNLIKELY(goroutine->id == NO_GOROUTINE))
		return;
	thread->g = goroutine->id;
	thread->goroutine = goroutine;
	goroutine->threads++;
}

static inline void unbind_processor(struct states *states,
				    struct thread *thread)
{
	thread->p = NO_PROC;
	thread->processor = &states->no_processor;
}

static inline void bind_processor(struct states *states, struct thread *thread,
				  struct processor *processor)
{
	thread->p = processor->id;
	thread->processor = processor;
	processor->thread = thread;
	if (UNLIKELY(processor->id == NO_PROC))
		unbind_processor(states, thread);
}

/*
 * Up to when it is known what THREAD did. In an unfinished generation, later
 * events of it may be missing.
 */
static inline int64_t thread_known_until(const struct states *states,
					 const struct thread *thread)
{
	int64_t until = thread->seen;

	if (until < states->unfinished_time)
		until = states->unfinished_time;
	/* Its slice can start by an event of another thread. */
	if (until < thread->slice.start.ticks)
		until = thread->slice.start.ticks;
	return until < states->last_time ? until : states->last_time;
}

/*
 * Sums over several threads end with the last event so far, unless they have
 * ended: an event is missing after it, or the trace ends.
 */
void gti_v2_states_end_sums(struct states *states);

/*
 * GOROUTINE has an event of its own with STACK, which has frames;
 * states->learns is set.
 */
static ALWAYS_INLINE void learn_own(struct states *states,
				    struct goroutine *goroutine, uint64_t stack)
{
	struct own_event *own = own_of(goroutine);

	own->stacks.last = stack;
	if (UNLIKELY(!own->listed) && states->to.observer->profile != NULL)
		gti_v2_list_own(states, own);
}

/* GOROUTINE, whose first stack is known, was created with that by CREATOR. */
static ALWAYS_INLINE void learn_creation(struct states *states,
					 struct goroutine *goroutine,
					 uint64_t creator)
{
	own_of(goroutine)->stacks.creator = creator;
	if (goroutine->first_framed)
		learn_own(states, goroutine, goroutine->first_stack);
}

/* A thread has its last event in an unfinished generation at TIME. */
static inline void states_end_thread(struct states *states, int64_t time)
{
	struct feed *feed = states->to.observer->feed;

	if (feed != NULL && time < feed->complete_until)
		feed->complete_until = time;
	gti_v2_states_end_sums(states);
}

/*
 * When an event happened that a thread wrote at TIME, which may be any number:
 * not before the first event of the trace.
 */
static inline int64_t written_time(const struct states *states, int64_t time)
{
	return greatest_of(time, states->to.observer->clock.first_ticks);
}

/*
 * Sets the ordinal of EVENT, and its time in the order of events, in place of
 * the time that its thread wrote. All else has been set.
 */
static ALWAYS_INLINE void hand_out(struct states *states, struct event *event)
{
	int64_t next = (int64_t)((uint64_t)states->last_time + 1);

	if (event->ticks > states->last_time)
		next = event->ticks;
	else if (UNLIKELY(next < states->last_time))
		states->to.observer->census.wraps = true;
	states->last_time = next;
	event->ticks = next;
	event->ordinal = ++states->ordinal;
}

#endif /* GTRACE_V2_STATES_H_ */
