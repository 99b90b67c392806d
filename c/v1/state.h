/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - what the files of the states know of goroutines and processors.
 *
 * An event is remembered as its ordinal, for the link from it, and as the
 * origin that leads to whatever it will link to.
 */
#ifndef GTRACE_RUN_STATE_H_
#define GTRACE_RUN_STATE_H_

#include "base/compiler.h"
#include "v1/states.h"

enum state { DEAD, RUNNABLE, RUNNING, WAITING };

#define REGION_NONE UINT32_MAX

struct goroutine_state {
	uint8_t state;
	uint8_t exists;
	uint8_t new;       /* it was created and has not run yet */
	uint8_t last_type; /* of the event that will link to the next */
	uint32_t region;   /* the innermost, plus one; 0: none */
	uint32_t start_type;
	uint64_t last_ordinal;
	struct origin last_origin; /* for the event it will link to */
	uint64_t first_stack;      /* while `new` */
	uint64_t assist; /* ordinal of its mark assist's start, 0: none */
	/* The start of the running slice. */
	uint64_t serial;
	uint64_t start_offset;
	uint64_t start_ordinal;
	int64_t start_ticks;
	int64_t start_p;
	uint64_t start_stack;
	struct origin start_origin;
};

struct processor_state {
	uint64_t g;
	uint64_t serial; /* of the running slice, 0: none */
	bool running;
	uint64_t sweep; /* ordinal of the start, 0: none */
	uint64_t stop;  /* likewise */
};

/* A user region that has begun, in its goroutine's stack of them. */
struct region {
	struct event start;
	uint64_t slice; /* the slice it began in: ordinal of its start */
	uint32_t outer; /* the next one, plus one; 0: none */
};

/* ---------------------------------------------------------------- faults -- */

/* EVENT does not fit to what was before. Returns false. */
bool gti_states_fail(struct states *states, enum fault_kind kind,
		     const struct event *event);

/* The same, where OTHER_G runs on the processor. */
bool gti_states_fail_busy(struct states *states, enum fault_kind kind,
			  const struct event *event, uint64_t other_g);

/* --------------------------------------------------------------- look-up -- */

static inline struct goroutine_state *goroutine_at(const struct states *states,
						   uint32_t slot)
{
	return chunks_at(&states->goroutines, slot,
			 sizeof(struct goroutine_state));
}

/* The goroutine an event is aimed at. NULL: its slot is new. */
static inline struct goroutine_state *target_of(const struct states *states,
						const struct event *event)
{
	if (UNLIKELY(event->target_slot >= states->goroutines.count))
		return NULL;
	return goroutine_at(states, event->target_slot);
}

/*
 * The event moves to another processor, and takes what is known of its own
 * along: so the reference does it.
 */
static inline void move_to(struct states *states, uint32_t slot,
			   const struct processor_state *from)
{
	struct processor_state *to;
	uint64_t serial;

	if (slot == SLOT_NONE)
		return;
	to = &states->processors[slot];
	serial = to->serial; /* that slice has started all the same */
	*to = *from;
	to->serial = serial;
}

static inline void link_to(struct states *states, uint64_t from,
			   const struct event *to)
{
	/* There are greater ordinals in a file that was changed meanwhile. */
	if (UNLIKELY(from - 1 < states->options.ordinals))
		states->options.links[from] = to->ordinal;
}

/* Whether an event of TYPE that has STACK has frames. */
static inline bool has_frames(const struct states *states, unsigned type,
			      uint64_t stack)
{
	if (UNLIKELY(states->options.create_gives_pc) && type == EV_GO_START)
		return stack != 0;
	return stack != 0 && dictionary_get(states->options.stacks, stack) != 0;
}

/* The origin behind an event to which TRAIL leads. */
static inline struct origin origin_over(const struct states *states,
					struct origin origin, unsigned type,
					uint64_t stack)
{
	if (has_frames(states, type, stack))
		return origin_begin(type, stack);
	return origin_extend(origin, type);
}

/* The same for nearly all that have, in a few steps. */
static inline bool has_near_frames(const struct states *states,
				   const struct event *event)
{
	const struct dictionary *stacks = states->options.stacks;
	uint64_t stack = event->stack;

	return stack != 0 && stack < stacks->dense_size &&
	       stacks->dense[stack] != 0;
}

static inline void set_last(struct goroutine_state *g,
			    const struct event *event, struct origin origin)
{
	g->last_type = (uint8_t)event->type;
	g->last_ordinal = event->ordinal;
	g->last_origin = origin;
}

/*
 * EVENT, to which TRAIL leads, will link to something of its goroutine. Returns
 * true, for those that do this last.
 */
bool gti_states_remember(const struct states *states, struct goroutine_state *g,
			 const struct event *event, struct origin origin);

/* gti_states_remember() for an event with near frames. */
static inline bool remember_near(struct goroutine_state *g,
				 const struct event *event)
{
	set_last(g, event, origin_begin(event->type, event->stack));
	return true;
}

/* The origin to the event that follows what G remembers. */
static inline struct origin last_origin(const struct goroutine_state *g)
{
	return g->last_type != EV_NONE ? g->last_origin : origin_none;
}

/* --------------------------------------------------------------- regions -- */

static inline struct region *region_at(const struct states *states,
				       uint32_t number)
{
	return (struct region *)states->regions.items + number;
}

/* EVENT, a goroutine's end, is the end of its regions too. */
void gti_states_end_regions(struct states *states, struct goroutine_state *g,
			    const struct event *event);

/* ----------------------------------------------------------------- steps -- */

/* The step for events that are seldom, or concern no goroutine's running. */
bool gti_states_step_other(struct states *states, struct goroutine_state *g,
			   struct processor_state *p, struct event *event);

#endif /* GTRACE_RUN_STATE_H_ */
