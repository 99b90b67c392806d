/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - a table of what goes on, which is drawn again and again. */
#define _DEFAULT_SOURCE /* struct winsize, open_memstream */

#include "tools/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/platform.h"
#include "tools/durations.h"
#include "tools/keys.h"
#include "tools/plain.h"
#include "tools/totals.h"

#if HAS_TERMINALS
#include <sys/ioctl.h>
#endif

/* Of so many lines, there is room for whole sentences. */
#define HIGH 20

/* Lines that are not functions: totals, the head, findings, blank ones. */
#define OTHER_LINES      8
#define OTHER_LINES_HIGH 14

/* For so many seconds without a generation nothing is said about that. */
#define QUIET 2

/* What terminals understand: go home, clear to the end of the line, and of
 * the screen. */
#define HOME       "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

struct extent {
	size_t width, height;
};

bool screen_is_there(void)
{
#if HAS_TERMINALS
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term != NULL && *term != '\0' &&
	       strcmp(term, "dumb") != 0;
#else
	return false;
#endif
}

/* The thread of the keys prints too. */
static void lock(struct screen *screen)
{
#if HAS_THREADS
	pthread_mutex_lock(&screen->mutex);
#else
	(void)screen;
#endif
}

static void unlock(struct screen *screen)
{
#if HAS_THREADS
	pthread_mutex_unlock(&screen->mutex);
#else
	(void)screen;
#endif
}

static struct extent find_extent(void)
{
	struct extent extent = {80, 24};
#if HAS_TERMINALS
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 &&
	    size.ws_row != 0)
		extent = (struct extent){size.ws_col, size.ws_row};
#endif
	return extent;
}

/* ----------------------------------------------------------------- lines -- */

static int64_t cost_of(const struct gtrace_function *function)
{
	return function->sum / 2 + function->delay / 2 + function->blocked / 2;
}

static int compare(const void *a, const void *b)
{
	int64_t x = cost_of(*(const struct gtrace_function *const *)a);
	int64_t y = cost_of(*(const struct gtrace_function *const *)b);

	return x == y ? 0 : x > y ? -1 : 1;
}

/* Prints LENGTH in a column of nine, and a blank. */
static void print_time(FILE *to, int64_t length)
{
	struct duration text = totals_text(length);
	/* The letter µ has two bytes. */
	int width = 9 + (strstr(text.text, "µ") != NULL);

	fprintf(to, "%*s ", width, text.text);
}

static void print_function(FILE *to, const struct gtrace_function *function)
{
	const struct gtrace_frame *frame = &function->frame;

	print_time(to, function->sum);
	print_time(to, function->delay);
	print_time(to, function->blocked);
	fprintf(to, "%8" PRIu64 "  ", function->count);
	if (frame->function.size == 0)
		fputs("(no stack)", to);
	plain_print(to, frame->function.data, frame->function.size);
	fputc('\n', to);
}

/* Prints the functions that cost most, at most COUNT. */
static void print_functions(FILE *to, const struct gtrace_summary *summary,
			    size_t count)
{
	size_t all = summary->function_count, i;
	const struct gtrace_function **functions =
		calloc(all + 1, sizeof(*functions));

	if (functions == NULL)
		return;
	for (i = 0; i < all; i++)
		functions[i] = &summary->functions[i];
	qsort(functions, all, sizeof(*functions), compare);
	fputs("\n      ran   delayed   blocked   slices  function\n", to);
	for (i = 0; i < all && i < count; i++)
		print_function(to, functions[i]);
	free(functions);
}

/* Notes the finding of SUMMARY, at the time of GENERATION, if it is worse. */
static void note_worst(struct screen *screen,
		       const struct gtrace_generation *generation,
		       const struct gtrace_summary *summary)
{
	int64_t rank =
		summary->finding_count != 0 ? summary->findings[0].rank : 0;
	FILE *to;

	if (rank <= screen->rank)
		return;
	screen->rank = rank;
	memset(screen->worst, 0, sizeof(screen->worst));
	to = fmemopen(screen->worst, sizeof(screen->worst), "w");
	if (to == NULL)
		return;
	fputs("Worst so far, at ", to);
	totals_begin(to, generation);
	plain_print(to, summary->headline.data, summary->headline.size);
	fclose(to);
	screen->worst[sizeof(screen->worst) - 1] = '\0';
}

static void print_all(FILE *to, struct screen *screen,
		      const struct gtrace_generation *generation, size_t height)
{
	size_t others = height >= HIGH ? OTHER_LINES_HIGH : OTHER_LINES;
	size_t count = height > others ? height - others : 0;
	struct gtrace_summary *summary = totals_begin_all(to, generation);

	if (summary == NULL)
		return;
	fputc('\n', to);
	print_functions(to, summary, count);
	fputc('\n', to);
	plain_print(to, summary->headline.data, summary->headline.size);
	note_worst(screen, generation, summary);
	fprintf(to, "\n%s\n\n%s\n", screen->worst,
		screen->has_keys ? "q or Ctrl-C ends it" : "Ctrl-C ends it");
	gtrace_summary_free(summary);
}

/* --------------------------------------------------------------- drawing -- */

/* The part of SIZE bytes of TEXT that ends with a word; all, if none does. */
static size_t whole_words(const char *text, size_t size)
{
	size_t words = size;

	while (words > 0 && text[words - 1] != ' ')
		words--;
	return words > 0 ? words : size;
}

/*
 * Prints what fits of TEXT, up to END, into a line: whole words if it WRAPS.
 * Returns how much does.
 */
static size_t draw_line(const char *text, const char *end, size_t width,
			bool wraps)
{
	size_t size = 0, shown = 0;

	while (text + size < end) {
		/* The bytes after the first one of a character of UTF-8. */
		if (((unsigned char)text[size] & 0xc0) != 0x80 &&
		    ++shown > width)
			break;
		size++;
	}
	if (wraps && text + size < end && text[size] != ' ')
		size = whole_words(text, size);
	fwrite(text, 1, size, stdout);
	fputs(CLEAR_LINE "\n", stdout);
	return size;
}

/*
 * Prints the lines of TEXT. On a high terminal the rest of a sentence, which
 * does not begin with a blank as rows of the table do, is on the next line.
 */
static void draw_lines(const char *text, struct extent extent)
{
	bool wraps = extent.height >= HIGH;
	size_t lines;

	for (lines = 1; *text != '\0' && lines < extent.height; lines++) {
		const char *end = text + strcspn(text, "\n");
		bool is_sentence = wraps && *text != ' ';

		text += draw_line(text, end, extent.width, is_sentence);
		while (is_sentence && *text == ' ')
			text++;
		if (!is_sentence || text == end)
			text = end + (*end == '\n');
	}
}

void screen_draw(struct screen *screen,
		 const struct gtrace_generation *generation)
{
	struct extent extent = find_extent();
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to == NULL)
		return;
	print_all(to, screen, generation, extent.height);
	lock(screen);
	if (fclose(to) == 0) {
		fputs(HOME, stdout);
		draw_lines(text, extent);
		fputs(CLEAR_REST, stdout);
	}
	screen->drawn = time(NULL);
	unlock(screen);
	free(text);
}

/* The cursor is below the table. */
static void idle(void *context)
{
	struct screen *screen = context;
	struct tm at;

	lock(screen);
	if (screen->drawn != 0 && time(NULL) - screen->drawn > QUIET &&
	    gmtime_r(&screen->drawn, &at) != NULL) {
		printf("\rnothing has come since %02d:%02d:%02d UTC" CLEAR_LINE,
		       at.tm_hour, at.tm_min, at.tm_sec);
		fflush(stdout);
	}
	unlock(screen);
}

void screen_begin(struct screen *screen)
{
#if HAS_THREADS
	pthread_mutex_init(&screen->mutex, NULL);
#endif
	screen->has_keys = keys_begin(idle, screen);
}

void screen_end(struct screen *screen)
{
	if (screen->has_keys)
		keys_end();
#if HAS_THREADS
	pthread_mutex_destroy(&screen->mutex);
#endif
}
