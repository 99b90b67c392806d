/* SPDX-License-Identifier: BSD-3-Clause */
/* short.c - the items of lists as text for people, all in one style. */
#include "report/short.h"

#include <string.h>

#include "report/block_kinds.h"
#include "report/columns.h"
#include "report/sentence.h"
#include "report/text.h"
#include "report/stops_text.h"

/* A line that is made piece by piece. */
struct made_line {
	char text[1024];
	struct sentence to;
};

static struct sentence *begin(struct made_line *line,
			      const struct listed *listed)
{
	line->to = gti_sentence_begin(line->text, sizeof(line->text),
				      listed->from->in_ticks != 0);
	return &line->to;
}

/* The head of an item that took TIME: its name, its trace, and FACTS. */
static void write_head(struct writer *writer, const struct listed *listed,
		       int64_t time, const struct naming *naming,
		       const struct made_line *facts)
{
	static const struct gtrace_frame none = {.function = {"", 0},
						 .file = {"", 0}};
	const struct gtrace_frame *own = naming_own(naming);
	const struct gtrace_frame *inner = naming_inner(naming);
	struct made_line line;
	struct sentence *to = begin(&line, listed);

	gti_sentence_duration(to, time);
	gti_sentence_add(to, "  ");
	if (!gti_is_goroutine(naming))
		gti_sentence_add(to, naming->work == GTRACE_WORK_NONE
					     ? NO_PROCESSOR
					     : WITHOUT_GOROUTINE);
	else
		gti_sentence_frame(to, own != NULL ? own : &none);
	if (gti_is_goroutine(naming) && inner != NULL)
		gti_sentence_inner(to, inner->function, own->function);
	gti_sentence_work(to, naming->work);
	gti_table_last(writer, line.text, 0);
	gti_text_trace(writer, "\t", listed->trace);
	gti_table_text(writer, "\t");
	gti_table_last(writer, facts->text, 0);
}

static void write_stack(struct writer *writer, const char *label,
			const struct gtrace_frame *frames, size_t count)
{
	struct shown shown;
	size_t i;

	if (count != 0)
		gti_table_text(writer, label);
	for (i = 0; i < count; i++) {
		gti_table_text(writer, "\t\t");
		gti_show_text(&shown, frames[i].function);
		gti_write_bytes(writer, shown.text, shown.size);
		gti_table_text(writer, " ");
		gti_show_place(&shown, &frames[i]);
		gti_write_bytes(writer, shown.text, shown.size);
		gti_table_text(writer, "\n");
	}
}

/* Adds WORDS and TIME. */
static void add(struct sentence *to, const char *words, int64_t time)
{
	gti_sentence_add(to, words);
	gti_sentence_duration(to, time);
}

/* ---------------------------------------------------------------- slices -- */

static void write_slice(struct writer *writer, const struct listed *listed,
			int64_t time)
{
	const struct gtrace_slice *slice = listed->item;
	struct naming naming = slice_naming(slice);
	struct made_line line;
	struct sentence *to = begin(&line, listed);

	gti_sentence_id(to, "G", slice->g);
	gti_sentence_id(to, " on P", slice->p);
	add(to, " for ", slice->duration);
	add(to, " from ", slice->start.ts);
	gti_sentence_add(to, slice->still_running ? ", still running"
						  : ", ended by ");
	if (!slice->still_running)
		gti_sentence_add(to, slice->end.name);
	if (slice->delay >= 0)
		add(to, ", delayed others by ", slice->delay);
	write_head(writer, listed, time, &naming, &line);
	write_stack(writer, "\tat its end\n", slice->end.frames,
		    slice->end.frame_count);
	write_stack(writer, "\tat its start\n", slice->start.frames,
		    slice->start.frame_count);
	gti_table_text(writer, "\n");
}

void gti_short_slice(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;

	write_slice(writer, listed, slice->duration);
}

void gti_short_delay(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;

	write_slice(writer, listed, slice->delay);
}

/* -------------------------------------------------------- stops and waits --
 */

/* So many stacks of samples are shown of a late processor. */
#define SAMPLES_SHOWN 3

/* The stacks that were sampled before LATE gave up its processor. */
static void write_samples(struct writer *writer, const struct gtrace_late *late)
{
	size_t i;

	for (i = 0; i < late->sample_count && i < SAMPLES_SHOWN; i++) {
		gti_text_number(writer, "\tsampled ",
				(int64_t)late->samples[i].count);
		write_stack(writer, "\xc3\x97\n", late->samples[i].frames,
			    late->samples[i].frame_count);
	}
}

void gti_short_stop(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_stop *stop = listed->item;
	const struct gtrace_late *late = stop->late;
	struct naming naming = gti_name_holder(stop);
	struct made_line line;
	struct sentence *to = begin(&line, listed);
	struct shown kind;
	int64_t waited = stop->inferred ? stop->stopping_max : stop->stopping;

	gti_show_text(&kind, stop->kind);
	gti_sentence_shown(to, &kind);
	gti_sentence_id(to, ", requested by G", stop->g);
	add(to, " at ", stop->inferred ? stop->requested_min : stop->requested);
	add(to, stop->inferred ? ": waited at most " : ": waited ", waited);
	if (stop->stopped >= 0)
		add(to, ", stood ", stop->stopped);
	if (stop->ended >= 0 && stop->requested >= 0)
		add(to, ", over after ", stop->ended - stop->requested);
	write_head(writer, listed, waited, &naming, &line);
	if (gti_is_goroutine(&naming))
		write_stack(writer, "\twaited for\n", late->frames,
			    late->frame_count);
	if (stop->late_count != 0)
		write_samples(writer, late);
	write_stack(writer, "\trequested in\n", stop->frames,
		    stop->frame_count);
	gti_table_text(writer, "\n");
}

void gti_short_wait(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_wait *wait = listed->item;
	const struct gtrace_kept *kept = wait->kept;
	struct naming naming = {.work = GTRACE_WORK_SCHEDULER};
	struct made_line line;
	struct sentence *to = begin(&line, listed);

	if (wait->kept_count != 0)
		naming = gti_name_kept(kept);
	gti_sentence_id(to, "G", wait->g);
	add(to, " waited from ", wait->start);
	add(to, " on: processors were busy ", wait->busy);
	add(to, ", idle ", wait->idle);
	add(to, ", stopped ", wait->stopped);
	if (wait->kept_count != 0) {
		gti_sentence_id(to, "; behind G", kept->g);
		add(to, " for ", kept->overlap);
	}
	write_head(writer, listed, wait->length, &naming, &line);
	if (wait->kept_count != 0)
		write_stack(writer, "\tbehind\n", kept->at.frames,
			    kept->at.frame_count);
	write_stack(writer, "\tmade ready in\n", wait->ready.frames,
		    wait->ready.frame_count);
	gti_table_text(writer, "\n");
}

/* ---------------------------------------------------------------- blocks -- */

void gti_short_block(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_block_place *place = listed->item;
	const struct naming named =
		gti_name_stack(place->frames, place->frame_count);
	const struct naming naming = {.frame = naming_own(&named),
				      .work = named.work};
	struct made_line line;
	struct sentence *to = begin(&line, listed);

	gti_sentence_add(to, gti_block_word(place->kind));
	gti_sentence_add(to, ": ");
	gti_sentence_count(to, place->count, " time", " times");
	add(to, ", median ", place->median);
	add(to, ", p99 ", place->p99);
	add(to, ", longest ", place->max);
	add(to, " at ", place->max_start);
	gti_sentence_id(to, ", G", place->max_g);
	write_head(writer, listed, place->sum, &naming, &line);
	write_stack(writer, "\tblocked in\n", place->frames,
		    place->frame_count);
	if (place->ender_count != 0)
		write_stack(writer, "\tended in\n", place->enders->frames,
			    place->enders->frame_count);
	gti_table_text(writer, "\n");
}
