/* SPDX-License-Identifier: BSD-3-Clause */
/* paths_text.c - critical paths as text. */
#include "report/paths.h"
#include "report/lists.h"

/* NAME, which may be empty. */
static struct gtrace_string name_or(struct gtrace_string name)
{
	static const struct gtrace_string none = {"(no stack)", 10};

	return name.size != 0 ? name : none;
}

/* The function of the program in the COUNT FRAMES. */
static struct gtrace_string own_function(const struct gtrace_frame *frames,
					 size_t count)
{
	const struct naming naming = gti_name_stack(frames, count);

	return naming_own(&naming)->function;
}

/* ----------------------------------------------------------------- table -- */

/* What one ROW is of, after its times. */
static void write_row_name(struct sentence *to,
			   const struct gtrace_path_row *row)
{
	gti_say(to, "%s", row->state);
	if (row->function.size != 0)
		gti_say(to, " in %S", row->function);
	if (row->cause != NULL)
		gti_say(to, ", behind %s in %S", row->cause->kind,
			name_or(row->cause->function));
}

/* As many rows are shown, and those with a difference of 1 % or more. */
#define ROWS_MAX 20

/* What is different, in one sentence. */
static void write_sentence(struct sentence *to, const struct gtrace_paths *kind)
{
	const struct gtrace_path_row *first = kind->rows;

	gti_say(to, "\tthe %d slowest of %d took %t, typical ones %t",
		(int64_t)kind->group, (int64_t)kind->requests,
		path_mean(kind, kind->slow), path_mean(kind, kind->typical));
	if (kind->row_count != 0 && first->slow > first->typical) {
		gti_say(to, ": %t more in ",
			path_mean(kind, first->slow) -
				path_mean(kind, first->typical));
		write_row_name(to, first);
		gti_say(to, ", in %d of %d", (int64_t)first->slow_in,
			(int64_t)kind->group);
	}
	gti_say(to, "\n");
}

static void write_rows(struct sentence *to, const struct gtrace_paths *kind)
{
	size_t shown = 0, i;

	write_sentence(to, kind);
	gti_say(to, "\t%12s %12s %9s %9s\n", "slow", "typical", "in slow",
		"in typical");
	for (i = 0; i < kind->row_count; i++) {
		const struct gtrace_path_row *row = &kind->rows[i];

		if (shown == ROWS_MAX || path_row_is_small(kind, row))
			continue;
		shown++;
		gti_say(to, "\t%12t %12t %9d %9d  ", path_mean(kind, row->slow),
			path_mean(kind, row->typical), (int64_t)row->slow_in,
			(int64_t)row->typical_in);
		write_row_name(to, row);
		gti_say(to, "\n");
	}
	if (kind->row_count != shown)
		gti_say(to, "\tand %C\n", (uint64_t)(kind->row_count - shown),
			"smaller difference");
}

/* ----------------------------------------------------------------- paths -- */

static void indent(struct sentence *to, uint64_t level)
{
	unsigned steps = path_indent(level);

	gti_say(to, "\t\t");
	while (steps-- > 0)
		gti_say(to, "  ");
}

static void write_cause(struct sentence *to,
			const struct gtrace_segment *segment)
{
	const struct gtrace_cause *cause = segment->cause;

	indent(to, segment->level);
	if (path_is_start(cause)) {
		gti_text_g(to, cause->g);
		gti_say(to, ", which ");
		gti_text_g(to, segment->g);
		gti_say(to, " started in %S\n",
			name_or(own_function(cause->frames,
					     cause->frame_count)));
		return;
	}
	gti_text_g(to, cause->g);
	gti_say(to, " %s in %S, which ", cause->kind,
		name_or(own_function(cause->frames, cause->frame_count)));
	gti_text_g(to, segment->g);
	gti_say(to, " ended in %S\n",
		name_or(own_function(cause->ended_frames,
				     cause->ended_frame_count)));
}

static void write_segment(struct sentence *to, const struct gtrace_path *path,
			  const struct gtrace_segment *segment)
{
	indent(to, segment->level);
	gti_say(to, gti_is_exact(to) ? "%t %t " : "+%t  %t  ",
		segment->start - path->start, segment->length);
	gti_text_g(to, segment->g);
	gti_say(to, " %s", segment->state);
	if (segment->kind[0] != '\0')
		gti_say(to, " (%s, %s)", segment->kind, segment->by);
	if (segment->frame_count != 0)
		gti_say(to, " in %S",
			own_function(segment->frames, segment->frame_count));
	gti_say(to, "\n");
}

static void write_path(struct sentence *to, const struct gtrace_path *path)
{
	const struct gtrace_segment *last = NULL;
	struct path_part part;
	size_t i = 0;

	gti_say(to, "\t");
	gti_text_where(to, path->g, path->start);
	gti_say(to, " took %t%s", path->length,
		path->unfinished ? ", and is not over" : "");
	if (path->dropped != 0)
		gti_say(to, "; what it needs of the first %t was dropped",
			path->dropped);
	gti_say(to, "\n");
	while (i < path->segment_count) {
		i = gti_path_part(path, i, &part);
		if (part.is_short) {
			gti_say(to, "\t\tand %C, %t\n", (uint64_t)part.count,
				"short one", part.length);
			continue;
		}
		if (gti_path_tells_cause(last, part.segment))
			write_cause(to, part.segment);
		last = part.segment;
		write_segment(to, path, part.segment);
	}
}

static void write_head(struct sentence *to, const struct gtrace_paths *kind)
{
	gti_say(to, "%s %S %d time%s", kind->what, name_or(kind->name),
		(int64_t)kind->requests, kind->requests == 1 ? "" : "s");
	if (kind->unfinished != 0)
		gti_say(to, ", and %d not over", (int64_t)kind->unfinished);
	gti_say(to, "\n");
}

static void write_paths(struct sentence *to, const void *from)
{
	const struct gtrace_path_report *report = from;
	size_t i, j;

	if (report->left_out)
		gti_say(to, "too many long requests overlap to compare them\n");
	if (report->dropped != 0)
		gti_say(to,
			"%C dropped, so that parts of paths and of the "
			"comparison are unknown\n",
			report->dropped, "transition");
	for (i = 0; i < report->count; i++) {
		const struct gtrace_paths *kind = &report->kinds[i];

		if (kind->requests + kind->unfinished != 0)
			write_head(to, kind);
		if (kind->group != 0)
			write_rows(to, kind);
		for (j = 0; j < kind->path_count; j++)
			write_path(to, &kind->paths[j]);
	}
}

/* Writes the segments of the paths of REPORT as CSV. */
static void write_segments(const struct line *line,
			   const struct gtrace_path_report *report)
{
	size_t i, j, k;

	for (i = 0; i < report->count; i++)
		for (j = 0; j < report->kinds[i].path_count; j++)
			for (k = 0; k < report->kinds[i].paths[j].segment_count;
			     k++) {
				const struct gtrace_path *path =
					&report->kinds[i].paths[j];
				const struct segment_line segment = {
					path, &path->segments[k]};

				gti_write_line(line, gti_segment_fields,
					       &segment);
			}
}

/* As JSON: kinds that are compared, and all paths. */
static void write_path_lines(const struct line *line, const void *from)
{
	const struct gtrace_path_report *report = from;
	size_t i;

	if (line->format != GTRACE_FORMAT_JSON) {
		write_segments(line, report);
		return;
	}
	for (i = 0; i < report->count; i++) {
		const struct gtrace_paths *kind = &report->kinds[i];

		if (kind->group != 0)
			gti_write_line(line, gti_paths_fields, kind);
		gti_write_lines(line, gti_path_fields, kind->paths,
				kind->path_count, sizeof(*kind->paths));
	}
}

const struct list gti_paths_lists[] = {
	{
		LIST_REPORT(paths),
		.fields = gti_segment_fields,
		.each_text = write_paths,
		.each_lines = write_path_lines,
		.each_rounds = true,
	},
	{.fields = NULL},
};
