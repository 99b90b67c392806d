/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_text.c - findings about where chains of waits end, in sentences. */
#include "base/naming.h"
#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/causes.h"
#include "report/diagnosing.h"

/* Less than this part of the harm of a function is not told. */
#define TOLD_PART 20

/* ------------------------------------------------------------- functions -- */

/* Adds that something was in INNER, if that is known and not FUNCTION. */
static void add_inner(struct sentence *to, struct gtrace_string inner,
		      struct gtrace_string function)
{
	if (inner.size != 0 && !string_equals(inner, function))
		gti_say(to, " in %i", inner);
}

/* Whether INNER says more of what HOLD is. */
static bool tells_inner(enum gtrace_hold hold, struct gtrace_string inner)
{
	switch (hold) {
	case GTRACE_HOLD_DELAY:
		return !gti_block_waits(inner);
	case GTRACE_HOLD_NETWORK:
	case GTRACE_HOLD_LOCK:
	case GTRACE_HOLD_SEND:
		return true;
	default:
		return false;
	}
}

/* Says that the function of FINDING did what HOLD is, where and how long. */
static void say_hold(struct sentence *to, const struct gtrace_finding *finding,
		     enum gtrace_hold hold)
{
	static const char *const words[GTRACE_HOLDS] = {
		[GTRACE_HOLD_RAN] = "ran",
		[GTRACE_HOLD_READY] = "was ready to run",
		[GTRACE_HOLD_DELAY] = "kept processors",
		[GTRACE_HOLD_NETWORK] = "waited for the network",
		[GTRACE_HOLD_SLEEP] = "slept",
		[GTRACE_HOLD_LOCK] = "waited for a lock",
		[GTRACE_HOLD_SEND] = "waited to send",
		[GTRACE_HOLD_WORK] = "ran, while processors were idle,",
	};
	struct gtrace_string inner = finding->inners[hold];
	struct gtrace_string in_c = gti_name_in_c(inner);

	if (hold == GTRACE_HOLD_IN_C && in_c.size != 0)
		gti_say(to, "was in C (%n)", in_c);
	else if (hold == GTRACE_HOLD_IN_C)
		gti_say(to, "was in C");
	else if (hold == GTRACE_HOLD_CALL && inner.size != 0)
		gti_say(to, "was in %i (system call)", inner);
	else if (hold == GTRACE_HOLD_CALL)
		gti_say(to, "was in system calls");
	else
		gti_say(to, "%s", words[hold]);
	if (tells_inner(hold, inner))
		add_inner(to, inner, finding->frame.function);
	gti_say(to, " %t", finding->parts[hold]);
}

/* The greatest part of FINDING that is not in TOLD, a set; or GTRACE_HOLDS. */
static size_t next_part(const struct gtrace_finding *finding, unsigned told)
{
	size_t next = GTRACE_HOLDS, i;

	for (i = 0; i < GTRACE_HOLDS; i++)
		if ((told >> i & 1) == 0 &&
		    (next == GTRACE_HOLDS ||
		     finding->parts[i] > finding->parts[next]))
			next = i;
	return next;
}

/* Says what the harm of FINDING consists of. */
static void say_parts(struct sentence *to, const struct gtrace_finding *finding)
{
	unsigned told = 0;
	size_t i;

	while ((i = next_part(finding, told)) != GTRACE_HOLDS &&
	       (told == 0 ||
		(finding->parts[i] > 0 &&
		 finding->parts[i] >= finding->harm / TOLD_PART))) {
		gti_say(to, told == 0 ? ": it " : ", ");
		say_hold(to, finding, (enum gtrace_hold)i);
		told |= 1u << i;
	}
}

/*
 * Says in which function of a library those that waited for FINDING at VICTIM
 * did, where that is the function itself: a pool, say.
 */
static void say_victims_there(struct sentence *to,
			      const struct gtrace_finding *finding,
			      const struct gtrace_victim *victim)
{
	if (victim->inner.size == 0 || victim->sum <= finding->harm / 2 ||
	    string_equals(victim->inner, victim->frame.function))
		return;
	gti_say(to, "; most of them waited there in %i, %s", victim->inner,
		gtrace_block_name(victim->kind));
}

/* Says of what kind blocks at VICTIM are, and where. */
static void say_victim(struct sentence *to, const struct gtrace_victim *victim)
{
	if (victim->frame.function.size != 0)
		gti_say(to, "%i, ", victim->frame.function);
	else if (victim->inner.size != 0)
		gti_say(to, "%i, ", victim->inner);
	gti_say(to, "%s", gtrace_block_name(victim->kind));
}

/* Says where most waited for FINDING. */
static void say_victims(struct sentence *to,
			const struct gtrace_finding *finding)
{
	const struct gtrace_victim *victim = finding->victims;

	if (finding->victim_count == 0)
		return;
	if (string_equals(victim->frame.function, finding->frame.function)) {
		say_victims_there(to, finding, victim);
		return;
	}
	gti_say(to, victim->sum > finding->harm / 2
			    ? "; most of them waited in "
			    : "; they waited longest in ");
	say_victim(to, victim);
}

/* Says how long others waited for FINDING, and how many on average. */
static void say_others(struct sentence *to,
		       const struct gtrace_finding *finding)
{
	double average = finding->average * (double)finding->others /
			 (double)finding->harm;

	gti_say(to, "; others waited for it %t", finding->others);
	if (average <= 1)
		return;
	gti_say(to, " (on average ");
	gti_say_average(to, average);
	gti_say(to, ")");
}

static void tell_function(struct sentence *to,
			  const struct gtrace_finding *finding)
{
	gti_say(to, "%f held goroutines up for ", &finding->frame);
	gti_say_harm(to, finding, "of them");
	if (finding->itself > 0 && finding->others > 0 &&
	    finding->itself >= finding->harm / TOLD_PART &&
	    finding->others >= finding->harm / TOLD_PART)
		say_others(to, finding);
	say_parts(to, finding);
	say_victims(to, finding);
}

/* ---------------------------------------------------------------- others -- */

static void tell_load(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	gti_say(to, "Too much work at once for %C", (uint64_t)summary->procs,
		"processor");
	gti_say(to, " (GOMAXPROCS)%s: goroutines waited for a processor for ",
		summary->cpu == NULL || gti_lacks(summary)
			? ", or too few CPUs for them"
			: "");
	gti_say_harm(to, finding, "of them");
	gti_say_times(to, finding, "wait");
}

static void tell_handover(struct sentence *to,
			  const struct gtrace_finding *finding)
{
	gti_say(to, "Goroutines that were ready waited for ");
	gti_say_harm(to, finding, "of them");
	gti_say(to,
		", although a processor was idle: threads came late (a busy "
		"machine), or goroutines are bound to threads "
		"(LockOSThread)");
	gti_say_times(to, finding, "wait");
}

static void tell_leak(struct sentence *to, const struct gtrace_finding *finding)
{
	const struct gtrace_victim *place = finding->victims;

	gti_say(to, "%C more than at the start %s blocked for ever in %s, at ",
		finding->count, "goroutine", finding->count == 1 ? "is" : "are",
		gtrace_block_name(place->kind));
	gti_say(to, "%f, as far as the trace goes: ", &finding->frame);
	gti_say_harm(to, finding, "of them");
}

static void tell_broadcast(struct sentence *to,
			   const struct gtrace_finding *finding)
{
	const struct gtrace_victim *idle = finding->victims;

	gti_say(to, "%f woke %C; %c of them had nothing to do", &finding->frame,
		finding->count, "goroutine", idle->count);
	gti_say(to, " and waited again, ");
	say_victim(to, idle);
	gti_say(to, ": ");
	gti_say_harm(to, finding, "of them");
}

/* The function in which most slices end. NULL: there is none, or no name. */
static const struct gtrace_function *
most_slices(const struct gtrace_summary *summary)
{
	const struct gtrace_function *function = summary->functions;
	size_t i;

	for (i = 0; i < summary->function_count; i++, function++)
		if (function->count > summary->slices.count / 2 &&
		    function->frame.function.size != 0)
			return function;
	return NULL;
}

static void tell_fine(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	const struct gtrace_function *most = most_slices(summary);

	gti_say(to, "Work is cut too fine: %C, half of them shorter than %t",
		finding->count, "slice", summary->slices.median);
	if (most != NULL)
		gti_say(to, ", most of them in %f", &most->frame);
	gti_say(to, "; to switch that often costs about ");
	gti_say_harm(to, finding, "processors");
}

void gti_tell_cause(struct sentence *to, const struct gtrace_finding *finding,
		    const struct gtrace_summary *summary)
{
	switch (finding->kind) {
	case GTRACE_FINDING_LOAD:
		tell_load(to, finding, summary);
		break;
	case GTRACE_FINDING_HANDOVER:
		tell_handover(to, finding);
		break;
	case GTRACE_FINDING_LEAK:
		tell_leak(to, finding);
		break;
	case GTRACE_FINDING_BROADCAST:
		tell_broadcast(to, finding);
		break;
	case GTRACE_FINDING_FINE:
		tell_fine(to, finding, summary);
		break;
	default:
		tell_function(to, finding);
	}
}

/* ------------------------------------------------------------------ rest -- */

/* Says at which PLACE goroutines of SUMMARY were at rest, and how long. */
static void say_rest(struct sentence *to, const struct gtrace_resting *place,
		     const struct gtrace_summary *summary)
{
	bool named = place->frame.function.size != 0;
	double known = known_time(summary);

	if (named)
		gti_say(to, "%i, ", place->frame.function);
	gti_say(to, "%s", gtrace_block_name(place->kind));
	add_inner(to, place->inner, place->frame.function);
	gti_say(to, ", %t", place->sum);
	if (known <= 0 || (double)place->sum <= known)
		return;
	gti_say(to, " (on average ");
	gti_say_average(to, (double)place->sum / known);
	gti_say(to, " goroutines)");
}

void gti_tell_rest(struct sentence *to, const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->at_rest_count; i++) {
		gti_say(to, i == 0 ? "At rest, longest: " : "; ");
		say_rest(to, &summary->at_rest[i], summary);
	}
	if (summary->at_rest[0].kind == GTRACE_BLOCK_NETWORK)
		gti_say(to, ". A trace or the log of the other end tells what "
			    "that did");
}
