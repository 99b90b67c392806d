/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline_events.c - trace events for viewers, as JSON. */
#include "report/sentence.h"
#include "timeline.h"

void gti_timeline_micros(struct json *json, const char *name, int64_t ns)
{
	writer_commit(json->writer, gti_put_micros(json_begin(json, name), ns));
}

void gti_timeline_event(struct json *json, const char *phase, int process,
			int64_t track)
{
	bool comma = json->comma;

	gti_json_end_line(json);
	json->comma = comma;
	gti_json_open(json, NULL, '{');
	gti_json_text(json, "ph", phase);
	gti_json_signed(json, "pid", process);
	gti_json_signed(json, "tid", track);
}

void gti_timeline_end(struct json *json)
{
	gti_json_close(json, '}');
	gti_json_close(json, '}');
}

void gti_timeline_name(struct json *json, bool is_process, int process,
		       int64_t track, const char *name, int64_t place)
{
	gti_timeline_event(json, "M", process, track);
	gti_json_text(json, "name",
		      is_process ? "process_name" : "thread_name");
	gti_json_open(json, "args", '{');
	gti_json_text(json, "name", name);
	gti_timeline_end(json);
	gti_timeline_event(json, "M", process, track);
	gti_json_text(json, "name",
		      is_process ? "process_sort_index" : "thread_sort_index");
	gti_json_open(json, "args", '{');
	gti_json_signed(json, "sort_index", place);
	gti_timeline_end(json);
}

void gti_timeline_span(struct json *json, int process, int64_t track,
		       int64_t begin, int64_t length)
{
	gti_timeline_event(json, "X", process, track);
	gti_timeline_micros(json, "ts", begin);
	gti_timeline_micros(json, "dur", length);
}

void gti_timeline_title(struct json *json, const char *what,
			const struct naming *naming)
{
	const struct gtrace_string none = {"(no stack)", 10};
	char text[SHOWN_SIZE + DECIMAL_MAX];
	struct sentence title = gti_sentence_begin(text, sizeof(text), false);

	gti_say(&title, "%s %i", what,
		gti_is_named(naming) ? naming->frame->function : none);
	gti_json_text(json, "name", text);
}

void gti_timeline_naming(struct json *json, const struct naming *naming)
{
	if (naming->frame == NULL)
		return;
	gti_json_string(json, "fn", naming->frame->function);
	gti_json_string(json, "file", naming->frame->file);
	gti_json_unsigned(json, "line", naming->frame->line);
	if (naming->caller != NULL)
		gti_json_string(json, "caller", naming->caller->function);
}
