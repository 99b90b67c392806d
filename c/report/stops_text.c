/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_text.c - the report of stop-the-world pauses as text. */
#include "report/lists.h"

/* ----------------------------------------------------------------- table -- */

static void write_kind_row(struct sentence *to,
			   const struct gtrace_stop_kind *kind,
			   struct gtrace_string name, uint64_t count)
{
	bool known = kind->measured != 0;

	gti_say(to,
		gti_is_exact(to) ? "%-28S %6d %14u %14u %14u %14u %14u %14u\n"
				 : "%-28S %6c %8t %8t %8t %8t %8t %8t\n",
		name, count, known ? kind->stopping : TIME_UNKNOWN,
		known ? kind->median : TIME_UNKNOWN,
		known ? kind->p99 : TIME_UNKNOWN,
		known ? kind->max : TIME_UNKNOWN, kind->stopped,
		known ? kind->total : TIME_UNKNOWN);
}

static void write_table_head(struct sentence *to)
{
	if (gti_is_exact(to))
		gti_say(to,
			"kind (times in %-13s  stops       stopping         "
			"median            p99            max        stopped   "
			" "
			"      total\n",
			to->in_ticks ? "ticks)" : "us)");
	else
		gti_say(to,
			"%28s pauses  to stop   median      p99  longest  "
			"stopped    total\n",
			"");
}

static void write_table(struct sentence *to,
			const struct gtrace_stop_report *report)
{
	static const struct gtrace_string all = {"all measured", 12};
	size_t i;

	if (report->measured + report->unmeasured == 0)
		return;
	write_table_head(to);
	for (i = 0; i < report->kind_count; i++)
		write_kind_row(to, &report->kinds[i], report->kinds[i].kind,
			       report->kinds[i].count);
	if (report->measured > 0 && report->kind_count >= 2)
		write_kind_row(to, &report->all, all, report->measured);
	if (report->sampled > 1)
		gti_say(to,
			gti_is_exact(to)
				? "median and p99: of one in %d stops\n"
				: "median and p99: of one in %d pauses\n",
			report->sampled);
}

void gti_text_stops_sums(struct sentence *to, const void *from)
{
	const struct gtrace_stop_report *report = from;

	gti_say(to,
		gti_is_exact(to) ? "stops of the world: %d measured, %d not "
				   "measured, %d inferred\n"
				 : "stop-the-world pauses: %d measured, %d not "
				   "measured, %d inferred\n",
		report->measured, report->unmeasured, report->inferred);
	write_table(to, report);
}

/* ----------------------------------------------------------------- stops -- */

/* How a processor was given up. */
static void write_how(struct sentence *to, const struct gtrace_stop *stop,
		      const struct gtrace_late *late)
{
	gti_say(to, "%s %s",
		late->how == GTRACE_LATE_SYSCALL     ? " in a system call,"
		: late->how == GTRACE_LATE_SCHEDULER ? " no goroutine,"
						     : "",
		late->event);
	if (late->how == GTRACE_LATE_RAN && late->reason.size != 0)
		gti_say(to, " %S", late->reason);
	else if (late->how == GTRACE_LATE_SCHEDULER && late->own > 0)
		gti_say(to, ", G: %d ran %t until +%t", late->g, late->own,
			late->left - stop->requested);
	gti_say(to, "\n");
	gti_text_frames(to, late->frames, late->frame_count);
}

/* The processor that LATE gave up, and its goroutine. */
static void write_late(struct sentence *to, const struct gtrace_late *late)
{
	gti_say(to, " P: %d", late->p);
	if (late->how != GTRACE_LATE_SCHEDULER)
		gti_say(to, " G: %d", late->g);
}

/* When LATE gave up its processor, after the request of STOP. */
static void write_gave_up(struct sentence *to, const struct gtrace_stop *stop,
			  const struct gtrace_late *late)
{
	gti_say(to, " gave up: +%t", late->gave_up - stop->requested);
	if (late->how == GTRACE_LATE_RAN) {
		gti_say(to, " left: +%t", late->left - stop->requested);
		if (late->start != -1)
			gti_say(to, " ran: %t", late->left - late->start);
	} else if (late->how == GTRACE_LATE_SYSCALL && late->left != -1) {
		gti_say(to, " in call: %t", late->gave_up - late->left);
	}
}

/* Writes the end of the first line, and where STOP was requested or ended. */
static void write_place(struct sentence *to, const struct listed *listed,
			const char *what)
{
	const struct gtrace_stop *stop = listed->item;

	gti_say(to, " %S\n", stop->kind);
	gti_text_trace(to, "\t\t", listed->line.trace);
	gti_say(to, "\t\t%s Ts: %d P: %d G: %d\n", what, stop->ts, stop->p,
		stop->g);
	gti_text_frames(to, stop->frames, stop->frame_count);
}

static void write_stop(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_stop *stop = listed->item;
	size_t i;

	gti_say(to, "\tstopping %t stopped %t total %t waited %t",
		stop->stopping, stop->stopped, stop->total, stop->waited);
	write_place(to, listed, "requested");
	for (i = 0; i < stop->late_count; i++) {
		gti_say(to, i == 0 ? "\t\theld up by" : "\t\talso late");
		write_late(to, &stop->late[i]);
		write_gave_up(to, stop, &stop->late[i]);
		write_how(to, stop, &stop->late[i]);
	}
	gti_say(to, "\t\tidle: %d of %d\n", stop->idle, stop->procs);
}

static void write_inferred(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_stop *stop = listed->item;
	size_t i;

	gti_say(to, "\tstopping %t to %t", stop->stopping_min,
		stop->stopping_max);
	write_place(to, listed, "ended");
	for (i = 0; i < stop->late_count; i++) {
		gti_say(to,
			i == 0 ? "\t\tlast to give up" : "\t\talso gave up");
		write_late(to, &stop->late[i]);
		gti_say(to, " Ts: %d", stop->late[i].gave_up);
		write_how(to, stop, &stop->late[i]);
	}
}

void gti_text_stop(struct sentence *to, const struct listed *listed)
{
	if (((const struct gtrace_stop *)listed->item)->inferred)
		write_inferred(to, listed);
	else
		write_stop(to, listed);
}

const struct list gti_stops_lists[] = {
	{
		LIST_REPORT(stops),
		LIST_ITEMS(gtrace_stop_report, stops, stop_count),
		LIST_KEYS(gtrace_stop, stopping, stopping),
		.fields = gti_stop_fields,
		.text = gti_text_stop,
		.brief = gti_short_stop,
		.sums = gti_text_stops_sums,
		.head = "the %d that took longest to stop\n",
		.heads = {NULL, "the pause that took longest to stop",
			  "the %d pauses that took longest to stop"},
	},
	{
		LIST_REPORT(stops),
		LIST_ITEMS(gtrace_stop_report, inferred_stops, inferred_count),
		LIST_KEYS(gtrace_stop, stopping_min, stopping_max),
		.fields = gti_stop_fields,
		.text = gti_text_stop,
		.brief = gti_short_stop,
		.head = "inferred from Gomaxprocs: %d, no begin event, bounds "
			"only\n",
		.heads = {NULL,
			  "a pause inferred from Gomaxprocs: bounds only, as "
			  "it has no begin event",
			  "%d pauses inferred from Gomaxprocs: bounds only, as "
			  "they have no begin event"},
		.head_count = offsetof(struct gtrace_stop_report, inferred),
	},
	/* Their times are -1, so that they stay in the order of the trace. */
	{
		LIST_REPORT(stops),
		LIST_ITEMS(gtrace_stop_report, unmeasured_stops,
			   unmeasured_count),
		LIST_KEYS(gtrace_stop, stopping_min, stopping_max),
		.fields = gti_stop_fields,
	},
	{.fields = NULL},
};
