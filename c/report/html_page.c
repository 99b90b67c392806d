/* SPDX-License-Identifier: BSD-3-Clause */
/* html_page.c - an HTML report, by the template in page/. */
#include "report/html_template.h"

/* It needs what comes before it. */
#include "report/page_data.inc"

struct stop_times gti_stop_times(const struct gtrace_stop *stop)
{
	struct stop_times times = {stop->requested, stop->obtained,
				   stop->restarted};

	if (stop->inferred)
		times = (struct stop_times){stop->requested_min, -1, stop->ts};
	else if (times.to == -1)
		times.to = stop->ended;
	if (times.from < 0)
		return (struct stop_times){-1, -1, -1};
	if (times.to < times.from)
		times.to = times.stood > times.from ? times.stood : times.from;
	return times;
}

const char *gti_html_name(const char *name)
{
	const char *slash = name != NULL ? strrchr(name, '/') : NULL;

	return name == NULL ? "trace" : slash != NULL ? slash + 1 : name;
}

static struct page page_to(struct writer *writer,
			   const struct html_report *report)
{
	return (struct page){
		.writer = writer,
		.to = gti_sentence_to(writer, LOOK_PAGE, false),
		.report = report,
	};
}

void gti_html_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted)
{
	struct page page = page_to(writer, NULL);

	fill_comparison(&page, comparison, wanted);
}

void gti_write_page(struct writer *writer, const struct html_report *report)
{
	struct page page = page_to(writer, report);
	size_t i;

	for (i = 0; i < HTML_LISTS; i++)
		page.rows_left += report->counts[i];
	set_sections(&page);
	fill_page(&page);
}
