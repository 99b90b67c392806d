/* SPDX-License-Identifier: BSD-3-Clause */
/* lately.c - the worst finding of the last ten seconds, and of all. */
#define _POSIX_C_SOURCE 200809L /* strndup, open_memstream */

#include "tools/lately.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plain.h"

/* How long a generation counts after its end, and a millisecond. */
#define LATELY INT64_C(10000000000)
#define MS     INT64_C(1000000)

/* The first finding of SUMMARY if that is its headline, or NULL. */
static const struct gtrace_finding *
finding_of(const struct gtrace_summary *summary)
{
	const struct gtrace_string *headline = &summary->headline;
	const struct gtrace_finding *first = summary->findings;

	if (summary->finding_count == 0 || first->text.size != headline->size ||
	    memcmp(first->text.data, headline->data, headline->size) != 0)
		return NULL;
	return first;
}

static void drop(struct lately *lately, size_t first, size_t count)
{
	size_t i;

	for (i = first; i < first + count; i++)
		free(lately->recent[i].text);
	lately->count -= count;
	memmove(&lately->recent[first], &lately->recent[first + count],
		(lately->count - first) * sizeof(lately->recent[0]));
}

/* Drops what was over ten seconds before NOW. */
static void drop_old(struct lately *lately, int64_t now)
{
	size_t count = 0;

	while (count < lately->count && now - lately->recent[count].to > LATELY)
		count++;
	drop(lately, 0, count);
}

/* Adds FOUND, and drops what it is worse than. */
static void add(struct lately *lately, struct found found)
{
	size_t kept = lately->count;

	while (kept > 0 && lately->recent[kept - 1].harm <= found.harm)
		kept--;
	drop(lately, kept, lately->count - kept);
	if (kept < LATELY_MAX)
		lately->recent[lately->count++] = found;
	else
		free(found.text);
}

void lately_take(struct lately *lately,
		 const struct gtrace_generation *generation,
		 const struct gtrace_summary *summary)
{
	const struct gtrace_finding *finding = finding_of(summary);
	struct found found = {
		.number = generation->number,
		.from = generation->from,
		.to = generation->to,
		.start = generation->start,
	};

	drop_old(lately, generation->to);
	if (finding == NULL)
		return;
	found.harm = finding->rank;
	if (lately->worst.text == NULL || found.harm > lately->worst.harm) {
		free(lately->worst.text);
		lately->worst = found;
		lately->worst.text =
			strndup(finding->text.data, finding->text.size);
	}
	found.text = strndup(finding->text.data, finding->text.size);
	if (found.text != NULL)
		add(lately, found);
}

const struct found *lately_recent(const struct lately *lately)
{
	return lately->count != 0 ? lately->recent : NULL;
}

const struct found *lately_worst(const struct lately *lately)
{
	return lately->worst.text != NULL ? &lately->worst : NULL;
}

/* Prints NAME as a word of a shell. */
static void print_word(FILE *to, const char *name)
{
	const char *quote = plain_needs_quotes(name) ? "'" : "";

	fputs(quote, to);
	for (; *name != '\0'; name++)
		if (*name == '\'')
			fputs("'\\''", to);
		else
			fputc(*name, to);
	fputs(quote, to);
}

static bool is_printable(const char *name)
{
	while (*name >= ' ' && *name <= '~')
		name++;
	return *name == '\0';
}

char *lately_command(const struct found *found, const char *name)
{
	char *command = NULL;
	size_t size;
	FILE *to;

	if (name == NULL || !is_printable(name))
		return NULL;
	to = open_memstream(&command, &size);
	if (to == NULL)
		return NULL;
	fprintf(to, "gtrace -from=%" PRId64 "ms -to=%" PRId64 "ms %s",
		found->from / MS, found->to / MS + 1,
		*name == '-' ? "-- " : "");
	print_word(to, name);
	if (fclose(to) == 0)
		return command;
	free(command);
	return NULL;
}

void lately_free(struct lately *lately)
{
	drop(lately, 0, lately->count);
	free(lately->worst.text);
}
