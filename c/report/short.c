/* SPDX-License-Identifier: BSD-3-Clause */
/* short.c - the items of lists as text for people, all in one style. */
#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/text.h"

/* The head of an item that took TIME, after WORDS: its name, its trace. */
static void write_head(struct sentence *to, const struct listed *listed,
		       int64_t time, const char *words,
		       const struct naming *naming)
{
	gti_say(to, "%t  %s", time, words);
	if (gti_is_goroutine(naming))
		gti_say(to, "%f", naming_own(naming));
	else if (naming->off_cpu != 0)
		gti_say(to, NO_CPU "%t", naming->off_cpu);
	else
		gti_say(to, naming->work == GTRACE_WORK_NONE
				    ? NO_PROCESSOR
				    : WITHOUT_GOROUTINE);
	if (gti_is_goroutine(naming))
		gti_sentence_inner(to, naming_inner(naming),
				   naming_own(naming)->function);
	gti_sentence_work(to, naming->work);
	gti_say(to, "\n");
	gti_text_trace(to, "\t", listed->line.trace);
}

static void write_stack(struct sentence *to, const char *label,
			const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	if (count != 0)
		gti_say(to, label);
	for (i = 0; i < count; i++)
		gti_say(to, "\t\t%n %l\n", frames[i].function, &frames[i]);
}

/* ---------------------------------------------------------------- slices -- */

/* Whether the stack of START, of a slice, is that of what woke its goroutine.
 */
static bool is_woken(const struct gtrace_event *start)
{
	return start->walk_count != 0 &&
	       string_begins(string_of(start->walk[0]), "GoUnblock");
}

/* What is known of the times without events in SLICE. */
static void write_silent(struct sentence *to, const struct gtrace_slice *slice)
{
	int64_t likely = slice->off_cpu_likely - slice->off_cpu_min;

	gti_say(to, "\twithout an event for %t", slice->silent);
	if (slice->off_cpu_min != 0)
		gti_say(to, ", certainly without a CPU for %t",
			slice->off_cpu_min);
	if (likely != 0)
		gti_say(to,
			slice->silent_class == GTRACE_SILENT_ASLEEP
				? ", off the CPU for %t"
				: ", most likely without a CPU for %t",
			likely);
	if (slice->silent_class == GTRACE_SILENT_UNDECIDED)
		gti_say(to, ": computed or without a CPU, undecided");
	gti_say(to, "\n");
}

/* How long the thread of SLICE was on a CPU, or without one. */
static void write_cpu(struct sentence *to, const struct gtrace_slice *slice)
{
	if (slice->on_cpu >= 0)
		gti_say(to,
			"\ton a CPU for %t, preempted for %t, asleep for %t\n",
			slice->on_cpu, slice->preempted, slice->asleep);
	else if (slice->silent != 0)
		write_silent(to, slice);
}

static void write_slice(struct sentence *to, const struct listed *listed,
			int64_t time)
{
	const struct gtrace_slice *slice = listed->item;
	struct naming naming = slice_naming(slice);

	write_head(to, listed, time, "", &naming);
	gti_say(to, "\tG%d on P%d for %t from %t", slice->g, slice->p,
		slice->duration, slice->start.ts);
	if (slice->still_running)
		gti_say(to, ", still running");
	else
		gti_say(to, ", ended by %s", slice->end.name);
	if (slice->delay >= 0)
		gti_say(to, ", delayed others by %t", slice->delay);
	gti_say(to, "%s\n", slice->clock_changed ? ", " CLOCK_CHANGED : "");
	write_cpu(to, slice);
	if (slice->end.walk_count == 0)
		write_stack(to, "\tat its end\n", slice->end.frames,
			    slice->end.frame_count);
	write_stack(to, "\tlast event before its end\n", slice->last_frames,
		    slice->last_frame_count);
	write_stack(to,
		    is_woken(&slice->start) ? "\tmade ready in\n"
					    : "\tat its start\n",
		    slice->start.frames, slice->start.frame_count);
	gti_say(to, "\n");
}

void gti_short_slice(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;

	write_slice(to, listed, slice->duration);
}

void gti_short_delay(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;

	write_slice(to, listed, slice->delay);
}

/* ------------------------------------------------------- stops and waits -- */

/* So many stacks of samples are shown of a late processor. */
#define SAMPLES_SHOWN 3

/* The stacks that were sampled before LATE gave up its processor. */
static void write_samples(struct sentence *to, const struct gtrace_late *late)
{
	size_t i;

	for (i = 0; i < late->sample_count && i < SAMPLES_SHOWN; i++) {
		gti_say(to, "\tsampled %d", late->samples[i].count);
		write_stack(to, "\xc3\x97\n", late->samples[i].frames,
			    late->samples[i].frame_count);
	}
}

/* What the goroutine of LATE, which a stop waited for, did. */
static void write_late(struct sentence *to, const struct gtrace_late *late)
{
	if (late->own_on_cpu >= 0)
		gti_say(to, "\tG%d on P%d was on a CPU for %t of %t\n", late->g,
			late->p, late->own_on_cpu, late->own);
	write_stack(to, "\twaited for\n", late->frames, late->frame_count);
}

/* The other processors that STOP waited for. */
static void write_also_late(struct sentence *to, const struct gtrace_stop *stop)
{
	size_t i;

	for (i = 1; i < stop->late_count; i++) {
		const struct gtrace_late *late = &stop->late[i];

		gti_say(to, i == 1 ? "\talso late: P%d" : ", P%d", late->p);
		if (late->how != GTRACE_LATE_SCHEDULER)
			gti_say(to, " (G%d)", late->g);
		if (!stop->inferred)
			gti_say(to, " after %t",
				late->gave_up - stop->requested);
	}
	if (stop->late_count > 1)
		gti_say(to, "\n");
}

void gti_short_stop(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_stop *stop = listed->item;
	const struct gtrace_late *late = stop->late;
	struct naming naming = gti_name_holder(stop);
	int64_t waited = stop->inferred ? stop->stopping_max : stop->stopping;

	write_head(to, listed, waited, "", &naming);
	gti_say(to, "\t%n, requested by G%d at %t: %s%t to stop", stop->kind,
		stop->g, stop->inferred ? stop->requested_min : stop->requested,
		stop->inferred ? "at most " : "", waited);
	if (stop->stopped >= 0)
		gti_say(to, ", %t stopped", stop->stopped);
	if (stop->ended >= 0 && stop->requested >= 0)
		gti_say(to, ", %t in all", stop->ended - stop->requested);
	if (!stop->inferred && stop->idle != 0)
		gti_say(to, "; %d of %d processors were idle", stop->idle,
			stop->procs);
	gti_say(to, "%s\n", stop->clock_changed ? ", " CLOCK_CHANGED : "");
	if (gti_is_goroutine(&naming))
		write_late(to, late);
	if (stop->late_count != 0)
		write_samples(to, late);
	write_also_late(to, stop);
	write_stack(to, "\trequested in\n", stop->frames, stop->frame_count);
	gti_say(to, "\n");
}

/* The slices that WAIT was behind. */
static void write_kept(struct sentence *to, const struct gtrace_wait *wait)
{
	size_t i;

	for (i = 0; i < wait->kept_count; i++)
		gti_say(to, i == 0 ? "; behind G%d for %t" : ", G%d for %t",
			wait->kept[i].g, wait->kept[i].overlap);
	if (wait->kept_more != 0)
		gti_say(to, ", %C for %t", wait->kept_more, "more slice",
			wait->kept_more_overlap);
	if (wait->kept_none != 0)
		gti_say(to, "; behind no goroutine for %t", wait->kept_none);
	if (!wait->over)
		gti_say(to, "; not over");
	if (wait->before)
		gti_say(to, "; began before the trace");
}

void gti_short_wait(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_wait *wait = listed->item;
	const struct gtrace_kept *kept = wait->kept;
	struct naming naming = {.work = GTRACE_WORK_SCHEDULER};

	if (wait->kept_count != 0)
		naming = gti_name_kept(kept);
	write_head(to, listed, wait->length, "behind ", &naming);
	gti_say(to,
		"\tG%d waited from %t on: processors were busy %t, idle %t, "
		"stopped %t",
		wait->g, wait->start, wait->busy, wait->idle, wait->stopped);
	write_kept(to, wait);
	gti_say(to, "%s\n", wait->clock_changed ? "; " CLOCK_CHANGED : "");
	if (wait->kept_count != 0 && kept->last_frame_count != 0)
		write_stack(to, "\tbehind, last in\n", kept->last_frames,
			    kept->last_frame_count);
	else if (wait->kept_count != 0 && kept->at.walk_count == 0)
		write_stack(to, "\tbehind\n", kept->at.frames,
			    kept->at.frame_count);
	write_stack(to, "\tmade ready in\n", wait->ready.frames,
		    wait->ready.frame_count);
	gti_say(to, "\n");
}

/* ---------------------------------------------------------------- blocks -- */

/* What PLACE has beside its times. */
static void write_rest_of(struct sentence *to,
			  const struct gtrace_block_place *place)
{
	if (place->lost != 0)
		gti_say(to, "; without a processor %t", place->lost);
	if (place->before != 0)
		gti_say(to, "; %d began before the trace", place->before);
	if (place->unfinished != 0)
		gti_say(to, "; %d not over", place->unfinished);
	if (place->clock_changed != 0)
		gti_say(to, "; %d more where " CLOCK_CHANGED,
			place->clock_changed);
}

/* By whom the blocks of PLACE were ended: how many, if not all by one. */
static void write_enders(struct sentence *to,
			 const struct gtrace_block_place *place)
{
	size_t i;

	for (i = 0; i < place->ender_count; i++) {
		const struct gtrace_unblocker *ender = &place->enders[i];

		gti_say(to, "\tended by");
		if (ender->frame_count == 0)
			gti_say(to, " %s", ender->by);
		if (place->ender_count != 1 || place->ended_more != 0)
			gti_say(to, ": %C %t", ender->count, "time",
				ender->sum);
		gti_say(to, "\n");
		write_stack(to, "", ender->frames, ender->frame_count);
	}
	if (place->ended_more != 0)
		gti_say(to, "\tended by others: %C %t\n", place->ended_more,
			"time", place->ended_more_sum);
}

void gti_short_block(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_block_place *place = listed->item;
	const struct naming named =
		gti_name_stack(place->frames, place->frame_count);
	const struct naming naming = {.frame = naming_own(&named),
				      .work = named.work};
	size_t i;

	write_head(to, listed, place->sum, "", &naming);
	gti_say(to, "\t%s: %C, median %t, p99 %t, longest %t at %t, G%d",
		gtrace_block_name(place->kind), place->count, "time",
		place->median, place->p99, place->max, place->max_start,
		place->max_g);
	write_rest_of(to, place);
	gti_say(to, "\n");
	write_stack(to, "\tblocked in\n", place->frames, place->frame_count);
	write_enders(to, place);
	for (i = 0; i < place->holder_count; i++) {
		gti_say(to, "\t");
		gti_say_holder(to, &place->holders[i]);
		gti_say(to, "\n");
	}
	gti_say(to, "\n");
}
