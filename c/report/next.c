/* SPDX-License-Identifier: BSD-3-Clause */
/* next.c - which report has the details of a finding, as flags of gtrace. */
#include "report/next.h"

#include <string.h>

#include "base/strings.h"
#include "report/causes.h"

/* Longer names are left out. */
#define NAME_MAX_BYTES 256

/* Whether TEXT can be quoted for a shell, and shown as it is. */
static bool is_plain(struct gtrace_string text)
{
	size_t i;

	for (i = 0; i < text.size; i++)
		if (text.data[i] < ' ' || text.data[i] > '~' ||
		    text.data[i] == '\'')
			return false;
	return text.size != 0 && text.size < NAME_MAX_BYTES;
}

/* Adds FLAG with an expression that only FUNCTION matches. */
static void add_function(struct sentence *to, const char *flag,
			 struct gtrace_string function)
{
	size_t i;

	if (!is_plain(function))
		return;
	gti_say(to, " %s='^", flag);
	for (i = 0; i < function.size; i++) {
		char byte[3] = {'\\', function.data[i], '\0'};
		bool quoted = strchr(".*+?()[]{}|^$\\", byte[1]) != NULL;

		gti_say(to, "%s", quoted ? byte : byte + 1);
	}
	gti_say(to, "$'");
}

/* Whether NAME is of a trace that can be read again, and a shell can be told.
 */
static bool has_name(const char *name)
{
	return name != NULL && strcmp(name, "-") != 0 &&
	       is_plain(string_of(name));
}

bool gti_next_lacks_name(const char *name)
{
	return name != NULL && !has_name(name);
}

/* Adds NAME, if it has_name(). */
static void add_name(struct sentence *to, const char *name)
{
	static const char special[] = " !\"#$&()*;<>?[\\]^`{|}~";

	if (!has_name(name))
		return;
	gti_say(to, strpbrk(name, special) != NULL ? " '%s'" : " %s", name);
}

/* How the report of a kind of findings is asked for. */
struct next {
	const char *flags;
	bool has_function; /* it can show one only */
	enum next_list list;
};

/* What a function did, by where it is seen. NULL flags: on the path. */
static const struct next holds[GTRACE_HOLDS] = {
	[GTRACE_HOLD_DELAY] = {"-delay=10", true, NEXT_SLICES},
	[GTRACE_HOLD_CALL] = {"-block=10", true, NEXT_BLOCKS},
	[GTRACE_HOLD_IN_C] = {"-block=10", true, NEXT_BLOCKS},
	[GTRACE_HOLD_LOCK] = {"-block=10", true, NEXT_BLOCKS},
	[GTRACE_HOLD_SEND] = {"-block=10", true, NEXT_BLOCKS},
};

static const struct next kinds[GTRACE_FINDING_KINDS] = {
	[GTRACE_FINDING_LOAD] = {"-wait=10", false, NEXT_WAITS},
	[GTRACE_FINDING_COLLECTOR] = {"-gctrace", false, NEXT_WHOLE},
	[GTRACE_FINDING_STOP] = {"-stw=10", false, NEXT_STOPS},
	[GTRACE_FINDING_MACHINE] = {"-wait=10", false, NEXT_WAITS},
	[GTRACE_FINDING_FORCED] = {"-gctrace", false, NEXT_WHOLE},
	[GTRACE_FINDING_SILENT] = {"-diagreedy=10 -format=short", true,
				   NEXT_SLICES},
	[GTRACE_FINDING_STORM] = {"-wait=10", false, NEXT_WAITS},
	[GTRACE_FINDING_FINALIZER] = {"-block=10", true, NEXT_BLOCKS},
	[GTRACE_FINDING_FUNCTION] = {"-block=10", true, NEXT_BLOCKS},
	[GTRACE_FINDING_HANDOVER] = {"-wait=10", false, NEXT_WAITS},
	[GTRACE_FINDING_LEAK] = {"-goroutines=10", false, NEXT_GOROUTINES},
	[GTRACE_FINDING_BROADCAST] = {"-goroutines=10", false, NEXT_GOROUTINES},
	[GTRACE_FINDING_FINE] = {"-goroutines=10", false, NEXT_GOROUTINES},
};

/*
 * Whether the path of the longest wait for the function of FINDING shows best
 * what it did: others waited for it, or it was where no list has it.
 */
static bool has_path(const struct gtrace_finding *finding)
{
	enum gtrace_hold hold = gti_greatest_part(finding);

	return finding->kind == GTRACE_FINDING_FUNCTION &&
	       hold != GTRACE_HOLD_DELAY &&
	       (holds[hold].flags == NULL ||
		finding->others >= finding->harm / 2) &&
	       finding->worst_start >= 0 && finding->worst_g >= 0 &&
	       finding->worst_start < INT64_MAX / 4 &&
	       finding->worst < INT64_MAX / 4;
}

/* The path of the wait, from the microsecond before it to the one after. */
static void add_path(struct sentence *to, const struct gtrace_finding *finding)
{
	gti_say(to, "-critical-path=1 -g=%d -from=%dus -to=%dus",
		finding->worst_g, finding->worst_start / 1000,
		(finding->worst_start + finding->worst + 999) / 1000);
}

static const struct next *next_of(const struct gtrace_finding *finding)
{
	if (finding->kind == GTRACE_FINDING_FUNCTION &&
	    holds[gti_greatest_part(finding)].flags != NULL)
		return &holds[gti_greatest_part(finding)];
	return &kinds[finding->kind];
}

enum next_list gti_next_list(const struct gtrace_finding *finding)
{
	return next_of(finding)->list;
}

void gti_say_next(struct sentence *to, const struct gtrace_finding *finding,
		  const char *name)
{
	const struct next *next = next_of(finding);

	if (!to->in_ticks && has_path(finding)) {
		add_path(to, finding);
	} else {
		gti_say(to, "%s", next->flags);
		if (next->has_function)
			add_function(to, "-func", finding->frame.function);
	}
	add_name(to, name);
}

void gti_say_rest_next(struct sentence *to, const struct gtrace_resting *at,
		       const char *name)
{
	gti_say(to, "-requests=10");
	add_function(to, "-at",
		     at->frame.function.size != 0 ? at->frame.function
						  : at->inner);
	add_name(to, name);
}

/* Before and after what is cut, and a millisecond. */
#define BESIDE INT64_C(1000000000)
#define MS     INT64_C(1000000)

void gti_say_cut(struct sentence *to, const struct gtrace_finding *finding,
		 int64_t start, int64_t length, int64_t end, const char *name)
{
	bool always = finding->kind == GTRACE_FINDING_LEAK ||
		      finding->kind == GTRACE_FINDING_FINE;
	int64_t from = start > BESIDE ? start - BESIDE : 0;

	if (always)
		from = end - BESIDE;
	else if (start < 0 || start > INT64_MAX / 4 || length > INT64_MAX / 4)
		return;
	if (!has_name(name) ||
	    (from <= 0 && (always || start + length + BESIDE >= end)))
		return;
	if (always)
		gti_say(to, "-cut=-1s,");
	else
		gti_say(to, "-cut=%dms,%dms", from / MS,
			(start + length + BESIDE + MS - 1) / MS);
	gti_say(to, " -o=worst.trace");
	add_name(to, name);
}
