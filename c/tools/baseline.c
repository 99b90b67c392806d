/* SPDX-License-Identifier: BSD-3-Clause */
/* baseline.c - what is worse in a new trace than in an old one. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "tools/baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/durations.h"
#include "tools/jobs.h"
#include "tools/plain.h"

/* Of fewer, the 99th percentile is the longest one. */
#define ENOUGH 100

/* Findings are ranked; those after as many are never a headline. */
#define FINDINGS_MAX 100

/* As many in a thousand of the total time make a finding a headline. */
#define NOTABLE_PERMILLE 10

/* What is compared: cases of a report of JUnit. */
enum { CASE_FINDINGS, CASE_P99, CASE_LIMITS, CASE_COUNT };

struct baseline {
	const char *name; /* of the new trace */
	uint64_t counts[CASE_COUNT];
	struct case_lines lines[CASE_COUNT];
};

static bool is_json(void)
{
	return settings.request.format == GTRACE_FORMAT_JSON;
}

/* Whether NEW is worse than OLD by more than the noise. */
static bool is_worse(int64_t old, int64_t new)
{
	double factor = 1 + (double)settings.noise / 100;

	return (double)new > factor *(double)old;
}

/* What became worse, from OLD to NEW: nanoseconds, in a second if IS_RATE. */
struct worse {
	const char *what; /* such as finding, p99 */
	const char *of;   /* of a finding its kind, else what is compared */
	const struct gtrace_frame *frame; /* or NULL */
	bool is_rate;
	int64_t old, new; /* old, -1: none is longer than the limit */
};

static void print_object(const struct baseline *baseline, FILE *to,
			 const struct worse *worse)
{
	fputs("{\"trace\":\"", to);
	plain_json(to, baseline->name, strlen(baseline->name));
	fprintf(to, "\",\"worse\":\"%s\",\"of\":\"%s\",\"fn\":\"", worse->what,
		worse->of);
	if (worse->frame != NULL)
		plain_json(to, worse->frame->function.data,
			   worse->frame->function.size);
	fprintf(to,
		"\",\"unit\":\"%s\",\"old\":%" PRId64 ",\"new\":%" PRId64
		",\"noise_percent\":%zu}\n",
		worse->is_rate ? "ns/s" : "ns", worse->old, worse->new,
		settings.noise);
}

static void print_sentence(FILE *to, const struct worse *worse)
{
	const struct gtrace_frame *frame = worse->frame;

	fprintf(to, "worse by more than %zu %%: %s%s%s", settings.noise,
		worse->what, strcmp(worse->what, "p99") == 0 ? " of " : " ",
		worse->of);
	if (frame != NULL && frame->function.size != 0) {
		fputc(' ', to);
		plain_print(to, frame->function.data, frame->function.size);
	}
	fprintf(to, ": %s%s", duration_text(worse->new).text,
		worse->is_rate ? " a second" : "");
	fprintf(to, ", before %s",
		worse->old < 0 ? "none over the limit"
			       : duration_text(worse->old).text);
}

/* Adds WORSE to the case NUMBER. Returns false if there is no memory. */
static bool add(struct baseline *baseline, int number,
		const struct worse *worse)
{
	FILE *to = baseline->lines[number].to, *line;
	char *text = NULL, title[64];
	size_t size = 0;

	baseline->counts[number]++;
	if (is_json()) {
		print_object(baseline, to, worse);
		return true;
	}
	line = open_memstream(&text, &size);
	if (line == NULL)
		return false;
	if (!verdict_is_junit()) {
		plain_print(line, baseline->name, strlen(baseline->name));
		fputs(": ", line);
	}
	print_sentence(line, worse);
	if (fclose(line) == 0) {
		snprintf(title, sizeof(title), "%s %s is worse", worse->what,
			 worse->of);
		verdict_line(to, settings.format, title, worse->frame, text,
			     size);
	}
	free(text);
	return true;
}

/* ------------------------------------------------------------- what is -- */

/* What the same kind of finding of the same function costs in SUMMARY. */
static int64_t rate_of(const struct gtrace_summary *summary,
		       const struct gtrace_finding *as)
{
	int64_t rate = 0;
	size_t i;

	for (i = 0; i < summary->finding_count; i++) {
		const struct gtrace_finding *at = &summary->findings[i];
		struct gtrace_string name = at->frame.function;

		if (strcmp(at->name, as->name) == 0 &&
		    name.size == as->frame.function.size &&
		    (name.size == 0 ||
		     memcmp(name.data, as->frame.function.data, name.size) ==
			     0))
			rate += at->rate;
	}
	return rate;
}

/* Whether FINDING, of SUMMARY, can be a headline. */
static bool is_notable(const struct gtrace_finding *finding,
		       const struct gtrace_summary *summary)
{
	double rank = (double)finding->rank, time = (double)summary->time;

	return rank * 1000 >= time * NOTABLE_PERMILLE;
}

static bool add_findings(struct baseline *baseline,
			 const struct gtrace_summary *old,
			 const struct gtrace_summary *new)
{
	size_t count = new->finding_count, i;

	for (i = 0; i < count && i < FINDINGS_MAX; i++) {
		const struct gtrace_finding *at = &new->findings[i];
		const struct worse worse = {
			.what = "finding",
			.of = at->name,
			.frame = &at->frame,
			.is_rate = true,
			.old = rate_of(old, at),
			.new = rate_of(new, at),
		};

		if (is_notable(at, new) && is_worse(worse.old, worse.new) &&
		    !add(baseline, CASE_FINDINGS, &worse))
			return false;
	}
	return true;
}

static bool add_p99(struct baseline *baseline, const struct gtrace_summary *old,
		    const struct gtrace_summary *new)
{
	const struct {
		const char *of;
		uint64_t counts[2];
		int64_t values[2];
	} all[] = {
		{"slices",
		 {old->slices.count, new->slices.count},
		 {old->slices.p99, new->slices.p99}},
		{"waits for a processor",
		 {old->waits->all.count, new->waits->all.count},
		 {old->waits->all.p99, new->waits->all.p99}},
		{"stop-the-world pauses, time to stop",
		 {old->stops->all.measured, new->stops->all.measured},
		 {old->stops->all.p99, new->stops->all.p99}},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct worse worse = {.what = "p99",
					    .of = all[i].of,
					    .old = all[i].values[0],
					    .new = all[i].values[1]};

		if (all[i].counts[0] >= ENOUGH && all[i].counts[1] >= ENOUGH &&
		    is_worse(worse.old, worse.new) &&
		    !add(baseline, CASE_P99, &worse))
			return false;
	}
	return true;
}

static bool add_limits(struct baseline *baseline)
{
	const struct violations *old = &jobs.traces[0].violations;
	const struct violations *new = &jobs.traces[1].violations;
	enum limited what;

	for (what = 0; what < LIMITED_COUNT; what++) {
		const struct worse worse = {
			.what = "longest",
			.of = verdict_name(what),
			.old = old->counts[what] != 0 ? old->longest[what] : -1,
			.new = new->longest[what]};

		if (new->counts[what] != 0 && is_worse(worse.old, worse.new) &&
		    !add(baseline, CASE_LIMITS, &worse))
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------- forms -- */

/* Returns a report of JUnit with what BASELINE has found. */
static char *make_report(const struct baseline *baseline)
{
	static const char *const names[] = {
		[CASE_FINDINGS] = "-compare: findings",
		[CASE_P99] = "-compare: 99th percentiles",
		[CASE_LIMITS] = "-compare: limits",
	};
	uint64_t failures = 0;
	char *report = NULL;
	size_t size, i;
	FILE *to = open_memstream(&report, &size);

	if (to == NULL)
		return NULL;
	for (i = 0; i < CASE_COUNT; i++)
		failures += baseline->counts[i] != 0;
	junit_begin(to, CASE_COUNT, failures, 0);
	for (i = 0; i < CASE_COUNT; i++)
		junit_case(to, baseline->name, names[i], baseline->counts[i],
			   baseline->lines[i].text, NULL);
	junit_end(to);
	return fclose(to) == 0 ? report : NULL;
}

char *baseline_find(uint64_t *count)
{
	struct baseline baseline = {.name = settings.files[1]};
	const struct gtrace_summary *old = jobs.traces[0].summary;
	const struct gtrace_summary *new = jobs.traces[1].summary;
	bool is_good = case_lines_open(baseline.lines, CASE_COUNT) &&
		       add_findings(&baseline, old, new) &&
		       add_p99(&baseline, old, new) && add_limits(&baseline);
	char *report = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < CASE_COUNT; i++)
		*count += baseline.counts[i];
	if (!case_lines_close(baseline.lines, CASE_COUNT))
		is_good = false;
	if (is_good && verdict_is_junit()) {
		report = make_report(&baseline);
	} else if (is_good) {
		report = baseline.lines[0].text;
		baseline.lines[0].text = NULL;
	}
	for (i = 0; i < CASE_COUNT; i++)
		free(baseline.lines[i].text);
	return report;
}
