/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.c - the lists of reports, from one or more traces. */
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "report/lists.h"

/* From this version on events have threads. */
#define VERSION_THREADS 1022

/* The name of trace AT as it is to be shown; NULL: not. */
static const char *name_of(const struct written *written, size_t at)
{
	if (written->request->format == GTRACE_FORMAT_TEXT &&
	    written->count < 2)
		return NULL;
	return written->names != NULL ? written->names[at] : NULL;
}

/* A line about trace AT, which can be without reports. */
static struct line line_of(const struct written *written, size_t at,
			   struct writer *writer)
{
	const struct gtrace_reports *reports = written->reports[at];

	return (struct line){
		.writer = writer,
		.format = written->request->format,
		.trace = name_of(written, at),
		.in_ticks = reports != NULL && reports->in_ticks,
		.has_record = reports != NULL && reports->has_record,
		.has_threads = reports != NULL &&
			       reports->trace_version >= VERSION_THREADS,
	};
}

/* ----------------------------------------------------------------- lists -- */

static const struct list *const lists[LIST_COUNT] = {
#define LISTS(NAME, name, ...) gti_##name##_lists,
	REPORTS(LISTS)
#undef LISTS
};

static size_t size_at(const void *item, size_t offset)
{
	size_t size;

	memcpy(&size, (const char *)item + offset, sizeof(size));
	return size;
}

static int64_t key_at(const void *item, size_t offset)
{
	int64_t key;

	memcpy(&key, (const char *)item + offset, sizeof(key));
	return key;
}

/* The report of LIST in trace AT of WRITTEN; NULL: there is none. */
static const void *report_of(const struct written *written, size_t at,
			     const struct list *list)
{
	const struct gtrace_reports *reports = written->reports[at];

	return reports != NULL ? field_pointer(reports, list->report) : NULL;
}

/* The pointers to the items of LIST in REPORT, *COUNT of them. */
static const void *items_of(const void *report, const struct list *list,
			    size_t *count)
{
	*count = report != NULL ? size_at(report, list->count) : 0;
	return *count != 0 ? field_pointer(report, list->items) : NULL;
}

/* How many items LIST has in all of WRITTEN. */
static size_t count_items(const struct written *written,
			  const struct list *list)
{
	size_t total = 0, count, at;

	for (at = 0; at < written->count; at++) {
		items_of(report_of(written, at, list), list, &count);
		total += count;
	}
	return total;
}

static int compare_listed(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	size_t i;

	for (i = 0; i < 2; i++)
		if (x->keys[i] != y->keys[i])
			return x->keys[i] > y->keys[i] ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Sets LISTED to the items of LIST, in their order. */
static void find_items(const struct written *written, const struct list *list,
		       struct writer *writer, struct listed *listed)
{
	size_t place = 0, count, at, i;
	size_t key = list->cpu_key != 0 && written->request->by_cpu
			     ? list->cpu_key
			     : list->keys[0];
	const void *items, *item;

	for (at = 0; at < written->count; at++) {
		const struct line line = line_of(written, at, writer);

		items = items_of(report_of(written, at, list), list, &count);
		for (i = 0; i < count; i++, place++) {
			item = field_pointer(items, i * sizeof(item));
			listed[place] = (struct listed){
				.item = item,
				.line = line,
				.keys = {key_at(item, key),
					 key_at(item, list->keys[1])},
				.place = place,
			};
		}
	}
	/* A report is in order, also where equal keys are. */
	if (written->count > 1 && place > 1)
		gti_sort(listed, place, sizeof(*listed), compare_listed);
}

/* ----------------------------------------------------------------- write -- */

/* Writes LISTED of LIST, in short if BRIEF. */
static void write_item(const struct list *list, const struct listed *listed,
		       bool brief)
{
	struct sentence to = gti_sentence_to(listed->line.writer,
					     brief ? LOOK_SCREEN : LOOK_EXACT,
					     listed->line.in_ticks);
	item_text *text = brief ? list->brief : list->text;

	if (listed->line.format != GTRACE_FORMAT_TEXT)
		gti_write_line(&listed->line, list->fields, listed->item);
	else if (text != NULL)
		text(&to, listed);
}

/* How many the head of LIST is about, of which COUNT are listed. */
static uint64_t head_count(const struct written *written,
			   const struct list *list, uint64_t count)
{
	const void *report;
	uint64_t sum = 0;
	size_t at;

	if (list->head_count == 0)
		return count;
	for (at = 0; at < written->count; at++) {
		report = report_of(written, at, list);
		if (report != NULL)
			sum += (uint64_t)key_at(report, list->head_count);
	}
	return sum;
}

/* Writes the head of the COUNT items of LIST. */
static void write_counted(const struct written *written,
			  const struct list *list, uint64_t count,
			  struct sentence *to)
{
	const char *head = list->heads[count < 2 ? count : 2];
	bool by_cpu = list->cpu_key != 0 && written->request->by_cpu;

	if (!written->request->brief) {
		if (list->head != NULL)
			gti_say(to, list->head, count, list->counted);
		return;
	}
	if (head != NULL)
		gti_say(to, head, count);
	if (head != NULL && by_cpu && count != 0)
		gti_say(to, ", by their time on a CPU");
	if (head != NULL)
		gti_say(to, count != 0 ? "\n\n" : "\n");
}

/* Writes what comes before the COUNT items of LIST in text. */
static void write_head(const struct written *written, const struct list *list,
		       uint64_t count, struct writer *writer)
{
	const enum look look =
		written->request->brief ? LOOK_SCREEN : LOOK_EXACT;
	struct sentence to = {.writer = writer, .look = look};
	sums_text *sums = look == LOOK_SCREEN && list->brief_sums != NULL
				  ? list->brief_sums
				  : list->sums;
	const void *report;
	size_t at;

	for (at = 0; sums != NULL && at < written->count; at++) {
		report = report_of(written, at, list);
		if (report == NULL)
			continue;
		to = gti_sentence_to(writer, look,
				     written->reports[at]->in_ticks != 0);
		gti_text_trace(&to, "", name_of(written, at));
		sums(&to, report);
	}
	count = head_count(written, list, count);
	if (list->head_count == 0 || count != 0)
		write_counted(written, list, count, &to);
}

/* Writes LIST, and if it is text no more than COUNT of it. */
static void write_list(const struct written *written, const struct list *list,
		       size_t count, struct listed *listed,
		       struct writer *writer)
{
	size_t total = count_items(written, list), i;
	bool text = written->request->format == GTRACE_FORMAT_TEXT;
	bool brief = text && written->request->brief;

	if (total < count || (list->whole && !text))
		count = total;
	find_items(written, list, writer, listed);
	if (text)
		write_head(written, list, count, writer);
	for (i = 0; i < count && writer->failure == 0; i++)
		write_item(list, &listed[i], brief);
}

/* ------------------------------------------------- one report each trace -- */

void gti_write_lines(const struct line *line, const struct field *fields,
		     const void *items, size_t count, size_t size)
{
	size_t i;

	for (i = 0; i < count && line->writer->failure == 0; i++)
		gti_write_line(line, fields, (const char *)items + i * size);
}

/* Writes REPORT of trace AT. */
static void write_trace(const struct written *written, size_t at,
			const struct list *list, const void *report,
			struct writer *writer)
{
	const struct line line = line_of(written, at, writer);
	bool rounds = list->each_rounds && written->request->brief;
	struct sentence to = gti_sentence_to(
		writer, rounds ? LOOK_SCREEN : LOOK_EXACT, line.in_ticks);

	if (line.format != GTRACE_FORMAT_TEXT) {
		list->each_lines(&line, report);
		return;
	}
	if (line.trace != NULL) {
		gti_say(&to, "==> ");
		gti_text_name(writer, line.trace);
		gti_say(&to, " <==\n");
	}
	list->each_text(&to, report);
}

/* Writes LIST of each trace. */
static void write_each(const struct written *written, const struct list *list,
		       struct writer *writer)
{
	const void *report;
	size_t at;

	for (at = 0; at < written->count; at++) {
		report = report_of(written, at, list);
		if (report != NULL)
			write_trace(written, at, list, report, writer);
	}
}

/* ------------------------------------------------------------------- all -- */

/* Writes the lists at LIST, which are those of one report. */
static void write_report(const struct written *written, const struct list *list,
			 size_t count, struct listed *listed,
			 struct writer *writer)
{
	const struct line head = line_of(written, 0, writer);

	gti_write_line_head(&head, list->fields);
	for (; list->fields != NULL; list++)
		if (list->each_text != NULL)
			write_each(written, list, writer);
		else
			write_list(written, list, count, listed, writer);
}

/* How many items the longest list of WRITTEN has, or 1. */
static size_t longest_list(const struct written *written)
{
	const struct list *list;
	size_t most = 1, count, i;

	for (i = 0; i < LIST_COUNT; i++)
		for (list = lists[i]; list->fields != NULL; list++) {
			count = list->each_text == NULL
					? count_items(written, list)
					: 0;
			most = count > most ? count : most;
		}
	return most;
}

/* Whether WRITTEN has something for the lists at LIST, in short. */
static bool has_short(const struct written *written, const struct list *list)
{
	for (; list->fields != NULL; list++)
		if (list->each_text != NULL ? list->each_rounds
					    : count_items(written, list) != 0)
			return true;
	return false;
}

/* Whether times are told in the form for people. */
static bool tells_times(const struct written *written)
{
	const struct gtrace_request *request = written->request;
	bool found = false;

#define FIND(NAME, name, asked, ...)                                           \
	found |= request->asked != 0 &&                                        \
		 has_short(written, lists[LIST_##NAME]);
	REPORTS(FIND)
#undef FIND
	return found && request->brief &&
	       request->format == GTRACE_FORMAT_TEXT;
}

/* Writes when the traces began, as far as they tell. */
static void write_began(const struct written *written, struct writer *writer)
{
	struct sentence to = gti_sentence_to(writer, LOOK_SCREEN, false);
	size_t at;

	for (at = 0; at < written->count; at++) {
		const struct gtrace_reports *reports = written->reports[at];

		if (reports == NULL || reports->began <= 0)
			continue;
		gti_text_trace(&to, "", name_of(written, at));
		gti_say(&to, "the trace began at ");
		gti_sentence_date(&to, reports->began);
		gti_say(&to, "\n");
	}
}

bool gti_write_reports(const struct written *written, struct writer *writer)
{
	const struct gtrace_request *request = written->request;
	size_t most = longest_list(written);
	struct listed *listed =
		gti_allocate_zeroed(writer->memory, most, sizeof(*listed));

	if (listed == NULL)
		return false;
	if (tells_times(written))
		write_began(written, writer);
#define WRITE(NAME, name, asked, ...)                                          \
	if (request->asked != 0)                                               \
		write_report(written, lists[LIST_##NAME],                      \
			     (size_t)request->asked, listed, writer);
	REPORTS(WRITE)
#undef WRITE
	gti_release(writer->memory, listed, most * sizeof(*listed));
	return true;
}
