/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - what the files of the machine know of goroutines and processors.
 *
 * An event is remembered as its ordinal, for the link from it, and as the
 * trail that leads to whatever it will link to.
 */
#ifndef GTRACE_RUN_STATE_H_
#define GTRACE_RUN_STATE_H_

#include "base/compiler.h"
#include "run/machine.h"

enum state { DEAD, RUNNABLE, RUNNING, WAITING };

#define REGION_NONE UINT32_MAX

struct machine_goroutine {
	uint8_t state;
	uint8_t exists;
	uint8_t new;       /* it was created and has not run yet */
	uint8_t last_type; /* of the event that will link to the next */
	uint32_t region;   /* the innermost, plus one; 0: none */
	uint32_t start_type;
	uint64_t last_ordinal;
	struct trail last_trail; /* for the event it will link to */
	uint64_t first_stack;    /* while `new` */
	uint64_t assist; /* ordinal of its mark assist's start, 0: none */
	/* The start of the running slice. */
	uint64_t serial;
	uint64_t start_offset;
	uint64_t start_ordinal;
	int64_t start_ticks;
	int64_t start_p;
	uint64_t start_stack;
	struct trail start_trail;
};

struct machine_processor {
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
bool gtrace_machine_fail(struct machine *machine, enum fault_kind kind,
			 const struct event *event);

/* The same, where OTHER_G runs on the processor. */
bool gtrace_machine_fail_busy(struct machine *machine, enum fault_kind kind,
			      const struct event *event, uint64_t other_g);

/* --------------------------------------------------------------- look-up -- */

static inline struct machine_goroutine *
goroutine_at(const struct machine *machine, uint32_t slot)
{
	return chunks_at(&machine->goroutines, slot,
			 sizeof(struct machine_goroutine));
}

/* The goroutine an event is aimed at. NULL: its slot is new. */
static inline struct machine_goroutine *target_of(const struct machine *machine,
						  const struct event *event)
{
	if (UNLIKELY(event->target_slot >= machine->goroutines.count))
		return NULL;
	return goroutine_at(machine, event->target_slot);
}

/*
 * The event moves to another processor, and takes what is known of its own
 * along: so the reference does it.
 */
static inline void move_to(struct machine *machine, uint32_t slot,
			   const struct machine_processor *from)
{
	struct machine_processor *to;
	uint64_t serial;

	if (slot == SLOT_NONE)
		return;
	to = &machine->processors[slot];
	serial = to->serial; /* that slice has started all the same */
	*to = *from;
	to->serial = serial;
}

static inline void link_to(struct machine *machine, uint64_t from,
			   const struct event *to)
{
	/* There are greater ordinals in a file that was changed meanwhile. */
	if (UNLIKELY(from - 1 < machine->options.ordinals))
		machine->options.links[from] = to->ordinal;
}

/* Whether an event of TYPE that has STACK has frames. */
static inline bool has_frames(const struct machine *machine, unsigned type,
			      uint64_t stack)
{
	if (UNLIKELY(machine->options.create_gives_pc) && type == EV_GO_START)
		return stack != 0;
	return stack != 0 &&
	       dictionary_get(machine->options.stacks, stack) != 0;
}

/* The trail behind an event to which TRAIL leads. */
static inline struct trail trail_over(const struct machine *machine,
				      struct trail trail, unsigned type,
				      uint64_t stack)
{
	if (has_frames(machine, type, stack))
		return trail_begin(type, stack);
	return trail_extend(trail, type);
}

/* The same for nearly all that have, in a few steps. */
static inline bool has_near_frames(const struct machine *machine,
				   const struct event *event)
{
	const struct dictionary *stacks = machine->options.stacks;
	uint64_t stack = event->stack;

	return stack != 0 && stack < stacks->dense_size &&
	       stacks->dense[stack] != 0;
}

static inline void set_last(struct machine_goroutine *g,
			    const struct event *event, struct trail trail)
{
	g->last_type = (uint8_t)event->type;
	g->last_ordinal = event->ordinal;
	g->last_trail = trail;
}

/*
 * EVENT, to which TRAIL leads, will link to something of its goroutine. Returns
 * true, for those that do this last.
 */
bool gtrace_machine_remember(const struct machine *machine,
			     struct machine_goroutine *g,
			     const struct event *event, struct trail trail);

/* gtrace_machine_remember() for an event with near frames. */
static inline bool remember_near(struct machine_goroutine *g,
				 const struct event *event)
{
	set_last(g, event, trail_begin(event->type, event->stack));
	return true;
}

/* The trail to the event that follows what G remembers. */
static inline struct trail last_trail(const struct machine_goroutine *g)
{
	return g->last_type != EV_NONE ? g->last_trail : trail_none;
}

/* --------------------------------------------------------------- regions -- */

static inline struct region *region_at(const struct machine *machine,
				       uint32_t number)
{
	return (struct region *)machine->regions.items + number;
}

/* EVENT, a goroutine's end, is the end of its regions too. */
void gtrace_machine_end_regions(struct machine *machine,
				struct machine_goroutine *g,
				const struct event *event);

/* ----------------------------------------------------------------- steps -- */

/* The step for events that are seldom, or concern no goroutine's running. */
bool gtrace_machine_step_other(struct machine *machine,
			       struct machine_goroutine *g,
			       struct machine_processor *p,
			       struct event *event);

#endif /* GTRACE_RUN_STATE_H_ */
