/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis_text.c - findings in sentences, of which the first is the headline.
 */
#include "report/diagnosis.h"

#include <string.h>

#include "base/least.h"
#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/collector.h"
#include "report/machine_text.h"
#include "report/sentence.h"

#define SENTENCE_MAX 1024

/* A finding is as bad as the first with this percentage of its rank. */
#define SIMILAR 67

/* After the machine, what is wrong in the program is told from this part on. */
#define MACHINE_PART 5

/* Where sentences are made. */
struct telling {
	const struct gtrace_summary *summary;
	struct arena *arena;
	char text[SENTENCE_MAX];
	struct sentence to;
};

static struct sentence *begin(struct telling *tell)
{
	tell->to = gti_sentence_begin(tell->text, sizeof(tell->text),
				      tell->summary->in_ticks != 0);
	return &tell->to;
}

/* Begins the next sentence. */
static struct sentence *go_on(struct telling *tell)
{
	if (tell->text[0] != '\0')
		gti_say(&tell->to, ". ");
	return &tell->to;
}

/* Sets *TO to a copy of what was told. Returns false without memory. */
static bool keep(struct telling *tell, struct gtrace_string *to)
{
	size_t size = strlen(tell->text);
	char *copy = gti_arena_copy(tell->arena, tell->text, size + 1);

	*to = (struct gtrace_string){copy, size};
	return copy != NULL;
}

/* -------------------------------------------------------------- findings -- */

/* The share of FINDING, and how much it is. */
void gti_say_harm(struct sentence *to, const struct gtrace_finding *finding)
{
	gti_say(to, "%t, %p of the time there was", finding->harm,
		(uint64_t)finding->permille, (uint64_t)1000);
}

static void add_times(struct sentence *to, const struct gtrace_finding *finding,
		      const char *what)
{
	gti_say(to, finding->count == 1 ? ": %C, %t" : ": %C, the longest %t",
		finding->count, what, finding->worst);
}

static void add_who(struct sentence *to, const struct gtrace_finding *finding)
{
	gti_say(to, "%f", &finding->frame);
	if (gti_sentence_inner(to, finding->inner, finding->frame.function))
		gti_say(to, ",");
}

static void tell_delay(struct sentence *to,
		       const struct gtrace_finding *finding)
{
	if (finding->frame.function.size == 0)
		gti_say(to, "Goroutines without a stack");
	else
		add_who(to, finding);
	gti_say(to, " delayed other goroutines by ");
	gti_say_harm(to, finding);
	add_times(to, finding, "slice");
}

static void tell_load(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	gti_say(to, "Too much work at once for %C", (uint64_t)summary->procs,
		"processor");
	gti_say(to, " (GOMAXPROCS)%s: goroutines waited for a processor for ",
		gti_lacks(summary) ? ", or too few CPUs for them" : "");
	gti_say_harm(to, finding);
	add_times(to, finding, "wait");
}

static void tell_stop(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	if (finding->frame.function.size != 0) {
		add_who(to, finding);
		gti_say(to, " held up stops of the world, which cost ");
	} else {
		gti_say(to, "Stops of the world cost ");
	}
	gti_say_harm(to, finding);
	gti_say(to, ": %C waited %t for processors and stood %t",
		finding->count, "stop", summary->stops->all.stopping,
		summary->stops->all.stopped);
}

static void tell_block(struct sentence *to,
		       const struct gtrace_finding *finding)
{
	static const char *const words[] = {
		[GTRACE_FINDING_LOCK] = " waited for %s for ",
		[GTRACE_FINDING_SEND] = " waited to send to a channel for ",
		[GTRACE_FINDING_SYSCALL] = " was in slow system calls for ",
	};
	const char *pool = gti_block_pool(finding->inner);
	struct gtrace_string in_c = gti_name_in_c(finding->inner);

	if (finding->kind == GTRACE_FINDING_SYSCALL && in_c.size == 0)
		add_who(to, finding);
	else
		gti_say(to, "%f", &finding->frame);
	/* C may compute. */
	if (finding->kind == GTRACE_FINDING_SYSCALL && in_c.size != 0)
		gti_say(to, " was in C (%n) for ", in_c);
	else
		gti_say(to, words[finding->kind],
			pool != NULL ? pool : "a lock");
	gti_say_harm(to, finding);
	add_times(to, finding, "time");
	if (finding->kind != GTRACE_FINDING_SYSCALL &&
	    finding->holder.function.size != 0)
		gti_say(to,
			finding->kind == GTRACE_FINDING_SEND
				? "; received by %f"
				: "; held longest by %f",
			&finding->holder);
}

static void tell(struct sentence *to, const struct gtrace_finding *finding,
		 const struct gtrace_summary *summary)
{
	switch (finding->kind) {
	case GTRACE_FINDING_DELAY:
		tell_delay(to, finding);
		break;
	case GTRACE_FINDING_LOAD:
		tell_load(to, finding, summary);
		break;
	case GTRACE_FINDING_COLLECTOR:
		gti_tell_collector(to, finding, summary);
		break;
	case GTRACE_FINDING_STOP:
		tell_stop(to, finding, summary);
		break;
	case GTRACE_FINDING_MACHINE:
		gti_tell_machine(to, summary);
		break;
	case GTRACE_FINDING_SILENT:
		gti_tell_silent(to, gti_silent_of(summary, finding));
		break;
	case GTRACE_FINDING_STORM:
		gti_tell_storm(to, summary);
		break;
	case GTRACE_FINDING_FORCED:
		gti_tell_forced(to, finding, summary);
		break;
	case GTRACE_FINDING_FINALIZER:
		gti_tell_finalizer(to, finding);
		add_times(to, finding, "time");
		break;
	default:
		tell_block(to, finding);
	}
	if (finding->off_cpu > finding->harm / 100)
		gti_say(to, "; %t more while threads had no CPU",
			finding->off_cpu);
}

/* ------------------------------------------------------------------ next -- */

/* Whether TEXT can be quoted for a shell, and shown as it is. */
static bool is_plain(struct gtrace_string text)
{
	size_t i;

	for (i = 0; i < text.size; i++)
		if (text.data[i] < ' ' || text.data[i] > '~' ||
		    text.data[i] == '\'')
			return false;
	return text.size != 0 && text.size < SENTENCE_MAX / 4;
}

/* Adds a flag that lets only FUNCTION pass, if a shell can be told so. */
static void add_function(struct sentence *to, struct gtrace_string function)
{
	size_t i;

	if (!is_plain(function))
		return;
	gti_say(to, " -func='^");
	for (i = 0; i < function.size; i++) {
		char byte[3] = {'\\', function.data[i], '\0'};
		bool quoted = strchr(".*+?()[]{}|^$\\", byte[1]) != NULL;

		gti_say(to, "%s", quoted ? byte : byte + 1);
	}
	gti_say(to, "$'");
}

/* Adds the NAME of a trace that can be read again, if a shell can be told. */
static void add_name(struct sentence *to, const char *name)
{
	static const char special[] = " !\"#$&()*;<>?[\\]^`{|}~";

	if (name == NULL || strcmp(name, "-") == 0 ||
	    !is_plain(string_of(name)))
		return;
	gti_say(to, strpbrk(name, special) != NULL ? " '%s'" : " %s", name);
}

static void add_next(struct sentence *to, const struct gtrace_finding *finding,
		     const char *name)
{
	static const char *const flags[] = {
		[GTRACE_FINDING_DELAY] = "-delay=10",
		[GTRACE_FINDING_LOAD] = "-wait=10",
		[GTRACE_FINDING_COLLECTOR] = "-gctrace",
		[GTRACE_FINDING_STOP] = "-stw=10",
		[GTRACE_FINDING_LOCK] = "-block=10",
		[GTRACE_FINDING_SEND] = "-block=10",
		[GTRACE_FINDING_SYSCALL] = "-block=10",
		[GTRACE_FINDING_MACHINE] = "-wait=10",
		[GTRACE_FINDING_FORCED] = "-gctrace",
		[GTRACE_FINDING_FINALIZER] = "-block=10",
		[GTRACE_FINDING_SILENT] = "-diagreedy=10",
		[GTRACE_FINDING_STORM] = "-wait=10",
	};

	gti_say(to, flags[finding->kind]);
	if (finding->kind != GTRACE_FINDING_COLLECTOR &&
	    finding->kind != GTRACE_FINDING_FORCED)
		gti_say(to, " -format=short");
	if (finding->kind == GTRACE_FINDING_DELAY ||
	    finding->kind == GTRACE_FINDING_FINALIZER ||
	    finding->kind == GTRACE_FINDING_SILENT)
		add_function(to, finding->frame.function);
	add_name(to, name);
}

/* -------------------------------------------------------------- headline -- */

int64_t gti_longest_wait(const struct gtrace_wait_report *waits)
{
	return greatest_of(waits->all.max, waits->cut_max);
}

/* What there is to say if no finding is worth a headline. */
static void tell_nothing(struct sentence *to,
			 const struct gtrace_summary *summary)
{
	if (summary->slices.count == 0) {
		gti_say(to, summary->filtered
				    ? "No slice passes the filters"
				    : "No goroutine ran in this trace");
		return;
	}
	gti_say(to, "Nothing stands out: ");
	if (summary->idle >= 0)
		gti_say(to, "the processors were idle %p of the time, and ",
			(uint64_t)summary->idle,
			(uint64_t)summary->length * (uint64_t)summary->procs);
	gti_say(to, "no goroutine that was ready waited longer than %t",
		gti_longest_wait(summary->waits));
}

bool gti_told(const struct gtrace_summary *summary)
{
	return summary->finding_count != 0 &&
	       summary->findings->permille >= NOTABLE_PERMILLE;
}

const struct gtrace_finding *gti_also(const struct gtrace_summary *summary)
{
	const struct gtrace_finding *first = summary->findings;
	const struct gtrace_finding *end = first + summary->finding_count;
	const struct gtrace_finding *next = first + 1;
	double rank, least;

	if (!gti_told(summary))
		return NULL;
	least = (double)first->rank * SIMILAR / 100;
	if (first->kind == GTRACE_FINDING_MACHINE) {
		/* Too few CPUs make any work too much. */
		next += next != end && next->kind == GTRACE_FINDING_LOAD;
		least = (double)first->rank / MACHINE_PART;
	}
	if (next == end)
		return NULL;
	rank = (double)next->rank;
	/* It names no cause, but may be more than the first one, which does. */
	if (next->kind == GTRACE_FINDING_LOAD)
		rank = (double)next->harm - (double)first->harm;
	return rank >= least ? next : NULL;
}

/*
 * When the worst of the first finding was, the next finding if it is told,
 * and of what findings have their shares.
 */
static void explain(struct telling *telling)
{
	const struct gtrace_summary *summary = telling->summary;
	const struct gtrace_finding *finding = summary->findings;
	const struct gtrace_finding *also = gti_also(summary);

	/* The longest part of what the collector does says little of it. */
	if (finding->worst_start >= 0 &&
	    finding->kind != GTRACE_FINDING_COLLECTOR) {
		gti_say(go_on(telling),
			finding->count == 1 ? "It began at %t"
					    : "The longest began at %t",
			finding->worst_start);
		if (finding->worst_g >= 0)
			gti_say(&telling->to, ", G%d", finding->worst_g);
	}
	if (finding->kind == GTRACE_FINDING_SILENT ||
	    finding->kind == GTRACE_FINDING_STORM)
		gti_say(go_on(telling),
			"A CPU profile during the trace, or -sched, tells");
	if (also != NULL)
		gti_say(go_on(telling), "Also: %s", also->text.data);
	if (also != NULL || finding->kind != GTRACE_FINDING_MACHINE)
		gti_say(go_on(telling),
			"100 %% is %t: processors, waits, blocks",
			summary->time);
}

static bool tell_headline(struct telling *telling,
			  struct gtrace_summary *summary)
{
	begin(telling);
	if (gti_told(summary))
		gti_say(&telling->to, "%s", summary->findings[0].text.data);
	else
		tell_nothing(&telling->to, summary);
	if (!keep(telling, &summary->headline))
		return false;
	begin(telling);
	if (summary->known < summary->length)
		gti_say(&telling->to,
			"Events are missing: waits, delays, blocks and "
			"collections count up to %t",
			summary->origin + summary->known);
	if (gti_told(summary))
		explain(telling);
	if (summary->in_ticks)
		gti_say(go_on(telling),
			"Times are in ticks (t), of unknown length");
	return keep(telling, &summary->explanation);
}

bool gti_tell_findings(struct gtrace_summary *summary,
		       struct gtrace_finding *findings, struct arena *arena,
		       const char *name)
{
	struct telling telling = {.summary = summary, .arena = arena};
	size_t i;

	for (i = 0; i < summary->finding_count; i++) {
		tell(begin(&telling), &findings[i], summary);
		if (!keep(&telling, &findings[i].text))
			return false;
		add_next(begin(&telling), &findings[i], name);
		if (!keep(&telling, &findings[i].next))
			return false;
	}
	return tell_headline(&telling, summary);
}
