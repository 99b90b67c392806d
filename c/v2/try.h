/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * try.h - tries an event in a pass that is not careful: reads its values and
 * makes its step.
 */
#ifndef GTRACE_V2_TRY_H_
#define GTRACE_V2_TRY_H_

#include "v2/emit.h"
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

/* What try_event() is given, but for the byte and the kind of the pass. */
struct attempt {
	struct states *states;
	struct thread *thread;
	const struct place *place;
	const int64_t *short_ns; /* that of the order */
	struct following *following;
};

/*
 * Sets the fields of EVENT, of TYPE and LINE, that do not depend on its step,
 * and *FRAMED to whether its stack has frames. Returns false if a value or an
 * id is bad.
 */
static ALWAYS_INLINE bool read_event(const struct attempt *attempt,
				     struct event *event, bool *framed,
				     unsigned type,
				     const struct event_line line,
				     const enum pass_kind kind)
{
	const struct place *place = attempt->place;
	struct following *following = attempt->following;

	if (UNLIKELY(!read_values(attempt->states, place->values, place->end,
				  line, event, framed, true,
				  &following->type)))
		return false;
	following->ns = attempt->short_ns[following->type[1]];
	event->type = type;
	event->offset = (uint64_t)(place->type - attempt->states->data);
	event->ticks = place->time;
	learn_stacks(attempt->states, attempt->thread, event, *framed, kind);
	if (pass_feed(&attempt->states->to, kind) != NULL)
		emit_before(attempt->states, attempt->thread);
	return true;
}

/*
 * try_event() for events whose steps are not inlined: the event is in
 * states->events.
 */
static ALWAYS_INLINE enum outcome try_rare(const struct attempt *attempt,
					   unsigned byte,
					   const enum pass_kind kind)
{
	struct event *event = attempt->states->events;
	unsigned type = gti_v2_types[byte];
	enum outcome outcome;
	bool framed;

	if (!read_event(attempt, event, &framed, type, gti_v2_lines[type],
			kind))
		return FAILED;
	set_ids(event, attempt->thread);
	attempt->states->framed = framed;
	if (pass_feed(&attempt->states->to, kind) != NULL)
		attempt->states->count = 1;
	outcome = gti_v2_step_rare(attempt->states, attempt->thread, event);
	return emit_step(attempt->states, event, EV_NONE,
			 attempt->states->count, framed, outcome, kind);
}

/*
 * The outcome of STEP for an event, which is a ID and makes the COUNT ones from
 * there on, if that can be read.
 */
#define TRY_SOME(id, made, step)                                               \
	(LIKELY(read_event(&attempt, event, &framed, EV_##id, LINE_##id,       \
			   kind))                                              \
		 ? emit_step(states, event, EV_##id, made, framed, (step),     \
			     kind)                                             \
		 : FAILED)
#define TRY(id, step) TRY_SOME(id, 1, step)

/*
 * Tries the event of THREAD at PLACE, which is easy and whose type is BYTE in
 * the file, with the outcomes of gti_v2_step_rare(). The outcome is FAILED,
 * without a message, if a value or an id is bad. If it is not FAILED,
 * *FOLLOWING is set.
 */
static ALWAYS_INLINE enum outcome
try_event(struct states *states, struct thread *thread,
	  const struct place *place, unsigned byte, const int64_t *short_ns,
	  struct following *following, const enum pass_kind kind)
{
	const struct attempt attempt = {states, thread, place, short_ns,
					following};
	struct event event[3];
	bool framed;

	if (kind != PASS_FOR_SLICES)
		states->written = written_time(states, place->time);
	/*
	 * Most events have one of these types. A processor predicts a branch
	 * for each better than the jump through a table that a compiler makes
	 * of a switch. gcc 12 makes a table of six such branches too, and clang
	 * 14 of any number.
	 */
	if (byte == BYTE_GO_START)
		return TRY(GO_START, go_start(states, thread, event, kind));
	if (byte == BYTE_GO_BLOCK)
		return TRY(GO_BLOCK, go_leave(states, thread, event, framed,
					      GO_WAITING, kind));
	if (byte == BYTE_GO_UNBLOCK)
		return TRY(GO_UNBLOCK,
			   go_unblock(states, thread, event, framed, kind));
	if (byte == BYTE_GO_SYSCALL_BEGIN)
		return TRY(GO_SYSCALL_BEGIN,
			   syscall_begin(states, thread, event, framed, kind));
	if (byte == BYTE_GO_SYSCALL_END)
		return TRY(GO_SYSCALL_END,
			   syscall_end(states, thread, event, kind));
	switch (byte) {
	case BYTE_PROC_START:
		return TRY(PROC_START, proc_start(states, thread, event, kind));
	case BYTE_PROC_STOP:
		return TRY(PROC_STOP, proc_stop(states, thread, event, kind));
	case BYTE_GO_CREATE:
		return TRY(GO_CREATE, go_create(states, thread, event, framed,
						GO_RUNNABLE, kind));
	case BYTE_GO_DESTROY:
		return TRY(GO_DESTROY, go_leave(states, thread, event, framed,
						GO_ABSENT, kind));
	case BYTE_GO_STOP:
		return TRY(GO_STOP, go_leave(states, thread, event, framed,
					     GO_RUNNABLE, kind));
	case BYTE_GO_SYSCALL_END_BLOCKED:
		return TRY(GO_SYSCALL_END_BLOCKED,
			   syscall_end_blocked(states, thread, event, kind));
	case BYTE_GO_SWITCH:
		return TRY_SOME(
			GO_SWITCH, 3,
			go_switch(states, thread, event, GO_WAITING, kind));
	case BYTE_HEAP_ALLOC:
		return TRY(HEAP_ALLOC, heap_alloc(states, thread, event, kind));
	default:
		return try_rare(&attempt, byte, kind);
	}
}

#undef TRY
#undef TRY_SOME

#endif /* GTRACE_V2_TRY_H_ */
