/* SPDX-License-Identifier: BSD-3-Clause */
/* html_axis.c - the time axis of a picture. */
#include "report/html_axis.h"

/* So many lines at most. */
#define STEPS_MAX 9

/* Returns 1, 2 or 5 times a power of ten, of which LENGTH has few. */
static int64_t step_of(int64_t length)
{
	int64_t step = 1;

	for (;;) {
		if (length / step <= STEPS_MAX)
			return step;
		if (length / (2 * step) <= STEPS_MAX)
			return 2 * step;
		if (length / (5 * step) <= STEPS_MAX)
			return 5 * step;
		step *= 10;
	}
}

static void put_label(struct page *page, const struct axis *axis, int64_t ns)
{
	if (ns == 0) {
		gti_page_put(page, "0");
		return;
	}
	if (ns < 0)
		gti_page_put(page, "\xe2\x88\x92"); /* minus */
	else if (axis->is_signed)
		gti_page_put(page, "+");
	gti_page_round(page, ns < 0 ? -ns : ns);
}

void gti_draw_axis(struct page *page, const struct axis *axis, int bottom)
{
	int64_t length = axis->to - axis->from, step = step_of(length);
	int64_t number = (axis->from - axis->zero) / step - 1;
	int64_t time;

	for (;; number++) {
		time = axis->zero + number * step;
		if (time < axis->from)
			continue;
		if (time > axis->to)
			break;
		gti_page_put(page, "<line class=grid x1=\"");
		gti_page_percent(page, time - axis->from, length);
		gti_page_put(page, "\" x2=\"");
		gti_page_percent(page, time - axis->from, length);
		gti_page_format(page, "\" y2=%d />", bottom);
		if ((time - axis->from) > length - length / 25)
			continue; /* its label would be cut off */
		gti_page_put(page, "<text x=\"");
		gti_page_percent(page, time - axis->from, length);
		gti_page_format(page, "\" y=%d text-anchor=%s class=\"%s\">",
				bottom + 13,
				time - axis->from < length / 15 ? "start"
								: "middle",
				number % 2 != 0 ? "time odd" : "time");
		put_label(page, axis, number * step);
		gti_page_put(page, "</text>");
	}
}
