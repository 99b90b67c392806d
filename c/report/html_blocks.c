/* SPDX-License-Identifier: BSD-3-Clause */
/* html_blocks.c - places where goroutines were blocked on an HTML page. */
#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/html.h"
#include "report/sentence.h"

void gti_html_blocked(struct page *page)
{
	const struct gtrace_block_report *blocks =
		page->report->summary->blocks;
	size_t i;

	for (i = 0; i < blocks->sum_count; i++) {
		const struct gtrace_block_sum *sum = &blocks->sums[i];

		gti_html(page, "<tr%s><td>%s%s<td>%c<td>%T<td>%T",
			 sum->rest ? " class=faint" : "",
			 gti_block_word(sum->kind),
			 sum->rest ? ", at rest" : "", (int64_t)sum->count,
			 sum->sum, sum->max);
	}
}

static void write_facts(struct page *page,
			const struct gtrace_block_place *place)
{
	gti_html(page,
		 "<dl class=facts><div><dt>median<dd>%T</div><div><dt>p99<dd>"
		 "%T</div><div><dt>longest<dd>G%d, %m to %m",
		 place->median, place->p99, place->max_g, place->max_start,
		 html_block_end(place));
	if (place->max_by != -1)
		gti_html(page, ", ended by G%d", place->max_by);
	gti_html(page, "</div>");
	if (place->lost != 0)
		gti_html(page, "<div><dt>without a processor<dd>%T</div>",
			 place->lost);
	if (place->before != 0)
		gti_html(page, "<div><dt>began before the trace<dd>%c</div>",
			 (int64_t)place->before);
	if (place->unfinished != 0)
		gti_html(page, "<div><dt>not over<dd>%c</div>",
			 (int64_t)place->unfinished);
	gti_html(page, "</dl>");
}

static void write_ender(struct page *page, const struct gtrace_unblocker *ender)
{
	gti_html(page, "<div><h3>Ended by <small>%s: %C, %T</small></h3>",
		 ender->by, (int64_t)ender->count, "block", ender->sum);
	if (strcmp(ender->by, "goroutine") == 0)
		gti_html_stack(page, ender->frames, ender->frame_count);
	else
		gti_html(page, "</div>");
}

static void write_body(struct page *page,
		       const struct gtrace_block_place *place)
{
	size_t i;

	write_facts(page, place);
	gti_html(page, "<div class=stacks><div><h3>Blocked at</h3>");
	gti_html_stack(page, place->frames, place->frame_count);
	for (i = 0; i < place->ender_count; i++)
		write_ender(page, &place->enders[i]);
	gti_html(page, "</div>");
	if (place->ended_more != 0)
		gti_html(page,
			 "<p class=faint>%C more, %T, ended by others</p>",
			 (int64_t)place->ended_more, "block",
			 place->ended_more_sum);
}

static void write_place(struct page *page, size_t i)
{
	const struct gtrace_block_place *place =
		page->report->summary->blocks->places[i];
	struct naming naming =
		gti_name_stack(place->frames, place->frame_count);
	const struct gtrace_string kind =
		string_of(gti_block_word(place->kind));
	const int64_t numbers[] = {place->max_start, html_block_end(place),
				   place->max_g,     place->max,
				   place->max_by,    place->sum};
	char text[64];
	struct sentence note = gti_sentence_begin(text, sizeof(text), false);
	struct shown count;
	const struct row row = {
		.list = "b",
		.number = i,
		.is_open = i == 0,
		.length = place->sum,
		.naming = &naming,
		.kind = &kind,
		.note = text,
		.aside = "longest",
		.aside_ns = place->max,
		.g = &place->max_g,
		.numbers = numbers,
		.number_count = sizeof(numbers) / sizeof(numbers[0]),
	};

	gti_show_count(&count, place->count, &gti_look_page);
	gti_say(&note, ", %s\xc3\x97", count.text);
	if (gti_html_begin_row(page, &row))
		write_body(page, place);
}

void gti_html_blocks(struct page *page)
{
	gti_html_list(page, HTML_BLOCKS, write_place);
}
