/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.c - what requests waited for, one thing after the other. */
#include "tables/work.h"

/* Whether FUNCTION is of a package that programs call to wait or to run. */
static bool is_beneath(struct gtrace_string function)
{
	static const char *const packages[] = {
		"runtime.", "runtime/", "internal/", "sync.", "syscall."};
	size_t i;

	for (i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
		size_t size = strlen(packages[i]);

		if (function.size > size &&
		    memcmp(function.data, packages[i], size) == 0)
			return true;
	}
	return false;
}

/* The innermost function that is none of these, or else the innermost. */
static struct gtrace_string function_of(const struct gtrace_frame *frames,
					size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!is_beneath(frames[i].function))
			return text_unless_empty(frames[i].function);
	return count != 0 ? text_unless_empty(frames[0].function)
			  : text_of(NULL);
}

static void set_cause(struct work *work, struct segments_row *row,
		      const struct gtrace_cause *cause)
{
	row->cause_kind = text_of(cause->kind);
	row->cause_g = cause->g;
	row->cause_function = function_of(cause->frames, cause->frame_count);
	row->cause_stack = work_stack(work, cause->frames, cause->frame_count);
}

static void add_segment(struct work *work, struct segments_row *row,
			const struct gtrace_segment *of)
{
	row->segment++;
	row->start_ns = of->start;
	row->length_ns = of->length;
	row->g = number_known(of->g);
	row->level = number_of(of->level);
	row->state = text_of(of->state);
	row->kind = text_unless_empty(text_of(of->kind));
	row->ended_by = text_unless_empty(text_of(of->by));
	row->function = function_of(of->frames, of->frame_count);
	row->inner_function =
		of->frame_count != 0 ? text_unless_empty(of->frames[0].function)
				     : text_of(NULL);
	row->stack = work_stack(work, of->frames, of->frame_count);
	row->cause_kind = row->cause_function = text_of(NULL);
	row->cause_g = row->cause_stack = COLUMN_NONE;
	if (of->cause != NULL)
		set_cause(work, row, of->cause);
	files_add(work->files, TABLE_SEGMENTS, row);
}

static void add_path(struct work *work, const struct gtrace_path *path)
{
	struct segments_row row = {
		.what = text_of(path->what),
		.name = path->name,
		.request_g = number_known(path->g),
		.request_start_ns = path->start,
		.request_length_ns = path->length,
		.unfinished = path->unfinished,
	};
	size_t i;

	for (i = 0; i < path->segment_count; i++)
		add_segment(work, &row, &path->segments[i]);
}

void work_paths(struct work *work, const struct gtrace_path_report *report)
{
	size_t i, j;

	for (i = 0; i < report->count; i++)
		for (j = 0; j < report->kinds[i].path_count; j++)
			add_path(work, &report->kinds[i].paths[j]);
}
