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

/* A terminal with so many lines shows whole sentences. */
#define HIGH 20

/* Lines that are not functions: totals, the head, findings, blank ones. */
#define OTHER_LINES      8
#define OTHER_LINES_HIGH 15

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
	if (function->ready_p99 >= 0)
		print_time(to, function->ready_p99);
	else
		fprintf(to, "%9s ", "-");
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
	const struct gtrace_function **functions = totals_functions(summary);
	size_t i;

	fputs("\n      ran   delayed   blocked ready p99   slices  function\n", to);
	for (i = 0; functions != NULL && functions[i] != NULL && i < count; i++)
		print_function(to, functions[i]);
	free(functions);
}

/* Prints of FOUND, after TITLE, when it was and what it is. */
static void print_found(FILE *to, const char *title, const struct found *found)
{
	fputs(title, to);
	totals_when(to, found->start, found->from);
	plain_print(to, found->text, strlen(found->text));
	fputc('\n', to);
}

/* Prints how to see more of FOUND, of which the trace is in the file NAME. */
static void print_command(FILE *to, const struct found *found, const char *name)
{
	char *command = lately_command(found, name);

	if (command != NULL)
		fprintf(to, "Shown by: %s\n", command);
	else if (name == NULL)
		fputs("The trace is not kept; | tee FILE | before gtrace "
		      "keeps it\n",
		      to);
	free(command);
}

/* Prints the worst findings. */
static void print_lately(FILE *to, const struct gtrace_summary *summary,
			 const struct lately *lately, const char *name)
{
	const struct found *recent = lately_recent(lately);
	const struct found *worst = lately_worst(lately);

	if (recent == NULL) {
		plain_print(to, summary->headline.data, summary->headline.size);
		fputc('\n', to);
	} else {
		print_found(to, "Last 10 s: ", recent);
	}
	if (worst == NULL)
		return;
	if (recent != NULL && recent->number == worst->number)
		fputs("Worst so far: the same\n", to);
	else
		print_found(to, "Worst so far: ", worst);
	print_command(to, worst, name);
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
		 const struct gtrace_generation *generation,
		 const struct gtrace_summary *summary,
		 const struct lately *lately, const char *name)
{
	struct extent extent = find_extent();
	size_t others = extent.height >= HIGH ? OTHER_LINES_HIGH : OTHER_LINES;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to == NULL)
		return;
	totals_print(to, generation, summary);
	fputc('\n', to);
	print_functions(to, summary,
			extent.height > others ? extent.height - others : 0);
	fputc('\n', to);
	print_lately(to, summary, lately, name);
	fprintf(to, "\n%s\n",
		screen->has_keys ? "q or Ctrl-C ends it" : "Ctrl-C ends it");
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
