/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_json.c - two traces side by side, as JSON. */
#include "report/compare.h"
#include "report/json.h"
#include "report/names.h"

static void write_trace(struct json *json, const char *name,
			const struct gtrace_summary *summary, const char *trace)
{
	const struct gtrace_stop_kind *stops = &summary->stops->all;

	gti_json_open(json, name, '{');
	gti_json_trace(json, trace);
	gti_json_signed(json, "length", summary->length);
	gti_json_signed(json, "procs", summary->procs);
	gti_json_lengths(json, &summary->slices);
	gti_json_open(json, "stops", '{');
	gti_json_unsigned(json, "measured", stops->measured);
	gti_json_signed(json, "stopping", stops->stopping);
	gti_json_signed(json, "median", stops->median);
	gti_json_signed(json, "p99", stops->p99);
	gti_json_signed(json, "max", stops->max);
	gti_json_close(json, '}');
	gti_json_close(json, '}');
}

static void write_amount(struct json *json, const char *name,
			 const struct compared_amount *amount, bool max)
{
	gti_json_open(json, name, '{');
	gti_json_unsigned(json, "count", amount->count);
	gti_json_signed(json, "sum", amount->sum);
	if (max)
		gti_json_signed(json, "max", amount->max);
	gti_json_signed(json, "rate", amount->rate);
	gti_json_close(json, '}');
}

/* MAX: the longest slice of each is known. */
static void write_list(struct json *json, const char *name,
		       const struct array *list, bool max)
{
	const struct compared *items = list->items;
	size_t i;

	gti_json_open(json, name, '[');
	for (i = 0; i < list->count; i++) {
		gti_json_open(json, NULL, '{');
		gti_json_string(json, "fn", items[i].function);
		gti_json_string(json, "caller", items[i].caller);
		gti_json_text(json, "work",
			      gti_work_word(items[i].work,
					    items[i].function.size != 0));
		write_amount(json, "old", &items[i].before, max);
		write_amount(json, "new", &items[i].after, max);
		gti_json_signed(json, "change",
				items[i].after.rate - items[i].before.rate);
		gti_json_close(json, '}');
	}
	gti_json_close(json, ']');
}

void gti_json_comparison(struct writer *writer,
			 const struct comparison *comparison)
{
	struct json json = {.writer = writer};

	gti_json_open(&json, NULL, '{');
	write_trace(&json, "old", comparison->before, comparison->names[0]);
	write_trace(&json, "new", comparison->after, comparison->names[1]);
	write_list(&json, "functions", &comparison->slices, true);
	write_list(&json, "holders", &comparison->holders, false);
	gti_json_close(&json, '}');
	gti_json_end_line(&json);
}
