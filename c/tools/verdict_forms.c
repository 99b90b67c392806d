/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict_forms.c - lines of verdicts as annotations of GitHub, and for JUnit.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "tools/durations.h"
#include "tools/jobs.h"

/* ---------------------------------------------------------------- github -- */

/*
 * Prints the SIZE bytes of TEXT for a command of GitHub's runners, which read
 * %XX, a line as the end, and in a property a comma and a colon, too.
 */
static void print_escaped(FILE *to, const char *text, size_t size,
			  const char *special)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (text[i] != '\0' && strchr(special, text[i]) != NULL)
			fprintf(to, "%%%02X", (unsigned)text[i]);
		else
			fputc(text[i], to);
}

static void print_message(FILE *to, const char *text, size_t size)
{
	print_escaped(to, text, size, "%\r\n");
}

static void print_property(FILE *to, struct gtrace_string text)
{
	print_escaped(to, text.data, text.size, "%\r\n,:");
}

/*
 * Moves FILE after the folder that the runner has the repository in. Returns
 * false if it is not in there: then it can be no file of the repository.
 */
static bool make_relative(struct gtrace_string *file)
{
	const char *root = getenv("GITHUB_WORKSPACE");
	size_t size = root != NULL ? strlen(root) : 0;

	if (size == 0 || file->size <= size + 1 ||
	    memcmp(file->data, root, size) != 0 || file->data[size] != '/')
		return false;
	file->data += size + 1;
	file->size -= size + 1;
	return true;
}

static void print_annotation(FILE *to, const char *title,
			     const struct gtrace_frame *frame, const char *text,
			     size_t size)
{
	struct gtrace_string file =
		frame != NULL ? frame->file : (struct gtrace_string){0};

	fputs("::error ", to);
	if (make_relative(&file)) {
		fputs("file=", to);
		print_property(to, file);
		fprintf(to, ",line=%" PRIu64 ",", frame->line);
	}
	fputs("title=", to);
	print_property(to, (struct gtrace_string){.data = title,
						  .size = strlen(title)});
	fputs("::", to);
	print_message(to, text, size);
	fputc('\n', to);
}

/* ----------------------------------------------------------------- junit -- */

/* Whether XML can hold the character that TEXT is at. */
static bool is_xml(const struct utf8 *text)
{
	uint32_t code = gti_utf8_code(text);

	return !text->bad && (code >= ' ' || code == '\n' || code == '\t') &&
	       code != 0xfffe && code != 0xffff;
}

/* Prints the SIZE bytes of TEXT, in an attribute or not. */
static void print_xml(FILE *to, const char *bytes, size_t size)
{
	struct utf8 text = utf8_of(bytes, size);

	while (gti_utf8_next(&text)) {
		if (!is_xml(&text))
			fputs(UTF8_REPLACEMENT, to);
		else if (*text.at == '&')
			fputs("&amp;", to);
		else if (*text.at == '<')
			fputs("&lt;", to);
		else if (*text.at == '>')
			fputs("&gt;", to);
		else if (*text.at == '"')
			fputs("&quot;", to);
		else
			fwrite(text.at, 1, text.size, to);
	}
}

void junit_begin(FILE *to, uint64_t cases, uint64_t failures, uint64_t errors)
{
	fprintf(to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites>\n"
		"<testsuite name=\"gtrace\" tests=\"%" PRIu64
		"\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\">\n",
		cases, failures, errors);
}

void junit_case(FILE *to, const char *class, const char *name, uint64_t count,
		const char *lines, const char *error)
{
	fputs("<testcase classname=\"", to);
	print_xml(to, class, strlen(class));
	fputs("\" name=\"", to);
	print_xml(to, name, strlen(name));
	if (error != NULL) {
		fputs("\"><error message=\"", to);
		print_xml(to, error, strlen(error));
		fputs("\"/></testcase>\n", to);
	} else if (count != 0) {
		fputs("\"><failure message=\"", to);
		if (count > 1)
			fprintf(to, "%" PRIu64 ": ", count);
		print_xml(to, lines, strcspn(lines, "\n"));
		fputs("\">", to);
		print_xml(to, lines, strlen(lines));
		fputs("</failure></testcase>\n", to);
	} else {
		fputs("\"/>\n", to);
	}
}

void junit_end(FILE *to)
{
	fputs("</testsuite>\n</testsuites>\n", to);
}

/* How many cases the report of all verdicts has; *FAILURES of them failed. */
static uint64_t count_cases(uint64_t *failures)
{
	uint64_t cases = 0;
	enum limited what;
	size_t i;

	for (i = 0; i < settings.file_count; i++)
		for (what = 0; what < LIMITED_COUNT; what++) {
			if (verdict_limit(what) == 0 || jobs.traces[i].failed)
				continue;
			cases++;
			*failures +=
				jobs.traces[i].violations.counts[what] != 0;
		}
	return cases + jobs.failed;
}

/* Prints the cases of the trace NUMBER. */
static void print_trace_cases(FILE *to, size_t number)
{
	const struct job *job = &jobs.traces[number];
	const char *name = settings.files[number];
	enum limited what;
	char limit[64];

	if (job->failed) {
		junit_case(to, name, "read", 0, NULL, "cannot be read");
		return;
	}
	for (what = 0; what < LIMITED_COUNT; what++) {
		if (verdict_limit(what) == 0)
			continue;
		snprintf(limit, sizeof(limit), "%s=%s", verdict_flag(what),
			 duration_text(verdict_limit(what)).text);
		junit_case(to, name, limit, job->violations.counts[what],
			   job->violations.lines[what], NULL);
	}
}

void junit_print(FILE *to)
{
	uint64_t failures = 0, cases = count_cases(&failures);
	size_t i;

	junit_begin(to, cases, failures, jobs.failed);
	for (i = 0; i < settings.file_count; i++)
		print_trace_cases(to, i);
	junit_end(to);
}

/* ----------------------------------------------------------------- lines -- */

bool case_lines_open(struct case_lines *lines, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		lines[i].to = lines[0].to;
		if (i == 0 || verdict_is_junit())
			lines[i].to =
				open_memstream(&lines[i].text, &lines[i].size);
		if (lines[i].to == NULL)
			return false;
	}
	return true;
}

bool case_lines_close(struct case_lines *lines, size_t count)
{
	bool is_good = true;
	size_t i;

	for (i = 0; i < (verdict_is_junit() ? count : 1); i++)
		if (lines[i].to == NULL ||
		    (ferror(lines[i].to) | fclose(lines[i].to)) != 0)
			is_good = false;
	return is_good;
}

void verdict_line(FILE *to, int format, const char *title,
		  const struct gtrace_frame *frame, const char *text,
		  size_t size)
{
	if (format == FORMAT_GITHUB) {
		print_annotation(to, title, frame, text, size);
		return;
	}
	fwrite(text, 1, size, to);
	fputc('\n', to);
}
