/* SPDX-License-Identifier: BSD-3-Clause */
/* try.h - tries an event: reads its values and makes its step. */
#ifndef GTRACE_V2_TRY_H_
#define GTRACE_V2_TRY_H_

#include "v2/steps.h"

/*
 * What follows an easy event in its batch. The first byte of the time of the
 * next event is read before the step of the present one: whether the thread
 * changes depends on it, and a processor that has predicted that wrong then
 * finds out earlier.
 */
struct following {
	const uint8_t *type; /* the byte after the event: the next one's type */
	int64_t ns; /* between the two; LONG_TICKS: the time has more bytes */
};

/*
 * Sets the fields of an event that do not depend on its step, but for the type.
 * LINE is the line of its type in the table.
 */
#define READ_LINE(line)                                                        \
	do {                                                                   \
		bool good = read_values(                                       \
			states, place->values, place->end, line, event,        \
			&framed, kind != PASS_CAREFUL, &following->type);      \
		if (kind == PASS_CAREFUL)                                      \
			states->withheld |= !good;                             \
		else if (UNLIKELY(!good))                                      \
			return FAILED;                                         \
		else                                                           \
			following->ns = short_ns[following->type[1]];          \
		event->offset = (uint64_t)(place->type - states->data);        \
		event->ticks = place->time;                                    \
	} while (0)

/* The same for a type that is known to the compiler. */
#define READ(id)                                                               \
	do {                                                                   \
		event->type = EV_##id;                                         \
		READ_LINE(LINE_##id);                                          \
		if (!is_lean(kind))                                            \
			set_ids(event, thread);                                \
		learn_first_stack(states, thread, event, kind);                \
	} while (0)

/*
 * The same for an event that functions that are not inlined need: it is in
 * states->events.
 */
#define READ_RARE(id)                                                          \
	do {                                                                   \
		event = states->events;                                        \
		READ(id);                                                      \
		set_ids(event, thread);                                        \
		states->framed = framed;                                       \
	} while (0)

/* The same for any type. */
#define READ_ANY()                                                             \
	do {                                                                   \
		event = states->events;                                        \
		event->type = gti_v2_types[byte];                              \
		READ_LINE(gti_v2_lines[event->type]);                          \
		set_ids(event, thread);                                        \
		learn_first_stack(states, thread, event, kind);                \
		states->framed = framed;                                       \
	} while (0)

/*
 * If OUTCOME is ADVANCED, passes the events of the step of THREAD to the
 * analysis of stops. TYPE is that of the first one, EV_NONE if it can be any
 * type.
 */
static ALWAYS_INLINE enum outcome tell_stops(struct states *states,
					     const struct thread *thread,
					     const struct event event[3],
					     enum event_type type,
					     enum outcome outcome)
{
	if (outcome == ADVANCED &&
	    UNLIKELY(!stops_take(states, event, thread->processor, type)))
		return FAILED;
	return outcome;
}

/* Returns the outcome of STEP, of an event of a type that is known. */
#define STEP(id, step)                                                         \
	do {                                                                   \
		READ(id);                                                      \
		if (kind != PASS_FOR_STOPS)                                       \
			return step;                                           \
		return tell_stops(states, thread, event, EV_##id, step);       \
	} while (0)

/* The same for an event of steps_ranges.c that does not concern stops. */
#define STEP_RANGE(id)                                                         \
	do {                                                                   \
		READ_RARE(id);                                                 \
		return gti_v2_step_range(states, thread, event);               \
	} while (0)

/* Returns the outcome of STEP, of an event that is rare to stops_take(). */
#define STEP_RARE(step)                                                        \
	do {                                                                   \
		if (kind != PASS_FOR_STOPS)                                       \
			return step;                                           \
		return tell_stops(states, thread, event, EV_NONE, step);       \
	} while (0)

/*
 * Tries the event of THREAD at PLACE, whose type is BYTE in the file, with the
 * outcomes of gti_v2_step_rare(). If the pass is not careful, the event must be
 * easy. The outcome is FAILED then, without a message, if a value or an id is
 * bad. If it is not FAILED, *FOLLOWING is set. SHORT_NS is that of the order. A
 * pass for stops reports the event to the analysis of stops of the world.
 */
static ALWAYS_INLINE enum outcome
try_event(struct states *states, struct thread *thread,
	  const struct place *place, unsigned byte, const int64_t *short_ns,
	  struct following *following, const enum pass_kind kind)
{
	struct event events[3];
	struct event *event = kind == PASS_CAREFUL ? states->events : events;
	bool framed;

	if (kind == PASS_CAREFUL || kind == PASS_FOR_STOPS)
		states->written = place->time;
	if (kind == PASS_CAREFUL)
		states->count = 1;
	/*
	 * Most events have one of these types. A processor predicts a branch
	 * for each better than the jump through a table that a compiler makes
	 * of a switch. gcc 12 makes a table of six such branches too, and clang
	 * 14 of any number.
	 */
	if (byte == BYTE_GO_START)
		STEP(GO_START, go_start(states, thread, event, kind));
	if (byte == BYTE_GO_BLOCK)
		STEP(GO_BLOCK,
		     go_leave(states, thread, event, framed, GO_WAITING, kind));
	if (byte == BYTE_GO_UNBLOCK)
		STEP(GO_UNBLOCK, go_unblock(states, event, framed, kind));
	if (byte == BYTE_GO_SYSCALL_BEGIN)
		STEP(GO_SYSCALL_BEGIN,
		     syscall_begin(states, thread, event, framed, kind));
	if (byte == BYTE_GO_SYSCALL_END)
		STEP(GO_SYSCALL_END, syscall_end(states, thread, event, kind));
	switch (byte) {
	case BYTE_PROC_START:
		if (kind == PASS_FOR_STOPS)
			event = states->events;
		STEP(PROC_START, proc_start(states, thread, event, kind));
	case BYTE_PROC_STOP:
		if (kind == PASS_FOR_STOPS)
			event = states->events;
		STEP(PROC_STOP, proc_stop(states, thread, event, kind));
	case BYTE_GO_CREATE:
		STEP(GO_CREATE, go_create(states, thread, event, framed,
					  GO_RUNNABLE, kind));
	case BYTE_GO_DESTROY:
		STEP(GO_DESTROY,
		     go_leave(states, thread, event, framed, GO_ABSENT, kind));
	case BYTE_GO_STOP:
		STEP(GO_STOP, go_leave(states, thread, event, framed,
				       GO_RUNNABLE, kind));
	case BYTE_GO_SYSCALL_END_BLOCKED:
		if (kind == PASS_FOR_STOPS)
			event = states->events;
		STEP(GO_SYSCALL_END_BLOCKED,
		     syscall_end_blocked(states, thread, event, kind));
	case BYTE_GO_SWITCH:
		STEP(GO_SWITCH,
		     go_switch(states, thread, event, GO_WAITING, kind));
	case BYTE_PROC_STATUS:
		READ_RARE(PROC_STATUS);
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_PROC_STEAL:
		READ_RARE(PROC_STEAL);
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_GO_STATUS:
		READ_RARE(GO_STATUS);
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_HEAP_ALLOC:
		STEP(HEAP_ALLOC, heap_alloc(states, thread, event, kind));
	case BYTE_USER_TASK_BEGIN:
		STEP_RANGE(USER_TASK_BEGIN);
	case BYTE_USER_TASK_END:
		STEP_RANGE(USER_TASK_END);
	case BYTE_USER_REGION_BEGIN:
		STEP_RANGE(USER_REGION_BEGIN);
	case BYTE_USER_REGION_END:
		STEP_RANGE(USER_REGION_END);
	case BYTE_USER_LOG:
		STEP_RANGE(USER_LOG);
	case BYTE_GO_STATUS_STACK:
	case BYTE_GO_CREATE_SYSCALL:
	case BYTE_GO_DESTROY_SYSCALL:
	case BYTE_GO_CREATE_BLOCKED:
	case BYTE_GO_SWITCH_DESTROY:
	case BYTE_CLOCK_SNAPSHOT:
		READ_ANY();
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_PROCS_CHANGE:
	case BYTE_STW_BEGIN:
	case BYTE_STW_END:
		READ_ANY();
		STEP_RARE(gti_v2_step_range(states, thread, event));
	default: /* the analysis of stops needs none of these */
		READ_ANY();
		return gti_v2_step_range(states, thread, event);
	}
}

#undef STEP_RARE
#undef STEP_RANGE
#undef STEP
#undef READ_ANY
#undef READ_RARE
#undef READ
#undef READ_LINE

#endif /* GTRACE_V2_TRY_H_ */
