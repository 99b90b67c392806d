/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naming.h - which function a stack, a slice or a late processor is named
 * after, and what kind of work that was. It sees public structs only, and every
 * report uses it.
 */
#ifndef GTRACE_BASE_NAMING_H_
#define GTRACE_BASE_NAMING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* A frame without a name. */
extern const struct gtrace_frame gti_no_frame;

/* Longer names keep their type arguments. */
#define NAME_WITHOUT_TYPES 1024

/*
 * The name of FUNCTION without type arguments, which instances of one function
 * share: FUNCTION itself if it has none, or in BUFFER.
 */
struct gtrace_string gti_name_without_types(struct gtrace_string function,
					    char buffer[NAME_WITHOUT_TYPES]);

/* What a stack is named after. */
struct naming {
	/* NULL: the stack has no frames. */
	const struct gtrace_frame *frame;
	/*
	 * If `frame` is not yours: the nearest caller that is; if there is none
	 * the nearest one that is not of the standard library, or the outermost
	 * frame. NULL: no other frame.
	 */
	const struct gtrace_frame *caller;
	bool yours; /* the stack has a frame that is yours */
	/* Of a stack: GTRACE_WORK_PROGRAM, _RUNTIME or _TRACER. */
	enum gtrace_work work;
	/*
	 * For most of the slice, or of the wait of a stop, there was no CPU,
	 * IS_LIKELY: most likely: for so long. Otherwise 0.
	 */
	int64_t off_cpu;
	bool is_likely;
};

/*
 * The frame of NAMING that is the program's own: what findings and sums are
 * called by. It has no name if there is none.
 */
static inline const struct gtrace_frame *naming_own(const struct naming *naming)
{
	const struct gtrace_frame *frame =
		naming->caller != NULL ? naming->caller : naming->frame;

	return frame != NULL ? frame : &gti_no_frame;
}

/* The innermost function of NAMING, if it is not the program's own; or "". */
static inline struct gtrace_string naming_inner(const struct naming *naming)
{
	return naming->caller != NULL ? naming->frame->function
				      : gti_no_frame.function;
}

/* Whether NAMING has the name of a function. */
bool gti_is_named(const struct naming *naming);

/* On HTML pages: the work of a slice without a stack (no naming.frame). */
#define WORK_UNKNOWN ((enum gtrace_work)(GTRACE_WORK_GC_IDLE + 1))

/* Whether FUNCTION is of the runtime, by its name. */
bool gti_is_runtime_function(struct gtrace_string function);

/* Whether FRAME is of the runtime, by its name or its file. */
bool gti_is_runtime_frame(const struct gtrace_frame *frame);

/* Whether FUNCTION is of the standard library, by its import path. */
bool gti_is_standard(struct gtrace_string function);

/*
 * The function of C that FUNCTION, which cgo has written, calls; empty: it is
 * no such function.
 */
struct gtrace_string gti_name_in_c(struct gtrace_string function);

/*
 * The naming of a stack: `frame` is the innermost frame outside the runtime; if
 * there is none the outermost frame, which tells what goroutine it is.
 *
 * What findings and sums are called by is the innermost frame that is *yours*:
 * of the program and what it is built of, but not of
 *   - the runtime, the standard library, golang.org/x/sync,
 *   - what cgo generates,
 *   - a method that the standard library calls through its interfaces, such as
 *     the Read of a connection that a bufio.Reader is for,
 *   - a function that locks or unlocks and is called so, such as maybeLock.
 */
struct naming gti_name_stack(const struct gtrace_frame *frames, size_t count);

/* Whether frame AT of the COUNT at FRAMES is yours, see gti_name_stack(). */
bool gti_is_yours(const struct gtrace_frame *frames, size_t at, size_t count);

/*
 * The naming of the end of a slice, with GC_WORKER as in struct gtrace_slice,
 * whose stack has NAMING. A walk back can lead to a stack of the program.
 */
static inline struct naming naming_with_worker(struct naming naming,
					       unsigned gc_worker)
{
	if (gc_worker != 0)
		naming.work = (enum gtrace_work)gc_worker;
	return naming;
}

/* Whether NAMING is called by what is yours. */
static inline bool naming_is_yours(const struct naming *naming)
{
	return naming->yours && naming->work == GTRACE_WORK_PROGRAM;
}

/*
 * Whether the stack with NAMING is one of a library in a goroutine of its own,
 * and so is to be called after the creation of that, if it is_yours.
 */
static inline bool naming_needs_creator(const struct naming *naming)
{
	return naming->frame != NULL && naming->work == GTRACE_WORK_PROGRAM &&
	       !naming->yours;
}

/*
 * NAMING, that of a stack that needs it, of a goroutine that was created at the
 * stack with CREATOR.
 */
static inline struct naming naming_created(struct naming naming,
					   const struct naming *creator)
{
	if (!naming_needs_creator(&naming) || !naming_is_yours(creator))
		return naming;
	naming.caller = naming_own(creator);
	naming.yours = true;
	return naming;
}

/*
 * The naming of a slice that ended later than at the stack with NAMING, which
 * is that of its goroutine's last event: not in a function that had been called
 * there.
 */
static inline struct naming naming_before(struct naming naming)
{
	if (naming.caller != NULL)
		naming.frame = naming.caller;
	naming.caller = NULL;
	return naming;
}

/*
 * The naming of a slice that is named after the stack with NAMING. GC_WORKER is
 * as in struct gtrace_slice. The work of a slice, not of the tracer, is a
 * system call if it spent more than half its time IN_CALLS.
 */
struct naming gti_name_slice(struct naming naming, unsigned gc_worker,
			     bool in_calls);

/*
 * How long the thread of SLICE had no CPU: by the scheduling record, without
 * the sleep in system calls, otherwise what is certain or likely.
 */
static inline int64_t slice_off_cpu(const struct gtrace_slice *slice)
{
	if (slice->on_cpu < 0)
		return slice->off_cpu_likely;
	return slice->work == GTRACE_WORK_SYSCALL
		       ? slice->preempted
		       : slice->duration - slice->on_cpu;
}

/* The naming that SLICE has in its fields. */
static inline struct naming slice_naming(const struct gtrace_slice *slice)
{
	int64_t off_cpu = slice_off_cpu(slice);

	return (struct naming){
		.frame = slice->frame,
		.caller = slice->caller,
		.work = slice->work,
		.off_cpu = off_cpu > slice->duration / 2 ? off_cpu : 0,
		.is_likely = slice->on_cpu < 0 &&
			     slice->silent_class > GTRACE_SILENT_ASLEEP,
	};
}

/* The naming of LATE; NULL: of a stop that no processor was late for. */
struct naming gti_name_late(const struct gtrace_late *late);

/* The naming of a slice that KEPT a wait, as far as that tells. */
struct naming gti_name_kept(const struct gtrace_kept *kept);

/* What a stop waited for while no goroutine had the last processor. */
#define WITHOUT_GOROUTINE "no goroutine (scheduler, or the thread had no CPU)"
#define NO_CPU            "no goroutine: most likely its thread had no CPU for "

/* What a stop waited for that stopped all processors at once. */
#define NO_PROCESSOR "no processor was late"

/* How much of stop->stopping that was; 0 if STOP is inferred. */
int64_t gti_unheld(const struct gtrace_stop *stop);

/*
 * The naming of what STOP waited for: of its last processor, or without a
 * goroutine if none had that for half of the time.
 */
struct naming gti_name_holder(const struct gtrace_stop *stop);

/* Whether NAMING is that of a goroutine that a stop waited for. */
bool gti_is_goroutine(const struct naming *naming);

/*
 * gtrace_work_name(), but "unknown" in place of "runtime" if not IS_NAMED:
 * without a function it is not known whether the program or the runtime ran.
 */
const char *gti_work_word(enum gtrace_work work, bool is_named);

/* The word for the work of NAMING. */
const char *gti_naming_word(const struct naming *naming);

/*
 * Whether the stack of the COUNT frames at FRAMES is one of the tracer, which
 * runs only because a trace is recorded.
 */
bool gti_is_tracer(const struct gtrace_frame *frames, size_t count);

#endif /* GTRACE_BASE_NAMING_H_ */
