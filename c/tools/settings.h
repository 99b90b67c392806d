/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - the settings of the command line, its flags, and the help. */
#ifndef GTRACE_TOOLS_SETTINGS_H_
#define GTRACE_TOOLS_SETTINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "base/reports.h"

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_BAD_TRACE = 1,
	EXIT_BAD_USAGE = 2,
	EXIT_VIOLATION = 3
};

/* What kind of value a flag has, and the type of its field. */
enum flag_kind {
	/* int: 1 is -x, or -x=true; 0 is -x=false; from 2 on a word */
	FLAG_SWITCH,
	FLAG_COUNT,    /* size_t: a number that is not negative */
	FLAG_PERCENT,  /* size_t: a number, with % after it or not */
	FLAG_SIZE,     /* size_t: bytes, with kB or MB after it or not */
	FLAG_DURATION, /* int64_t: nanoseconds, written as in Go */
	FLAG_MOMENT,   /* struct flag_moment */
	FLAG_CHOICE,   /* int: which of the words in `word`, from 1 */
	FLAG_IDS,      /* struct flag_ids: numbers with commas between */
	FLAG_TEXT,     /* const char * */
	FLAG_FILE,     /* const char *: a file's name */
	FLAG_LABELS    /* struct flag_labels: NAME=VALUE, one each time */
};

/*
 * Nanoseconds since the first event, below 0 since the end, or if IS_CLOCK
 * since midnight in UTC.
 */
struct flag_moment {
	int64_t time;
	int is_clock;
};

struct flag_ids {
	int64_t *ids; /* to be freed */
	size_t count;
};

struct flag_labels {
	const char **texts; /* to be freed */
	size_t count;
};

struct flag {
	const char *name;
	/*
	 * The name of its value in the help; of a FLAG_CHOICE or a FLAG_SWITCH
	 * all words, with | between. NULL: a switch without any.
	 */
	const char *word;
	enum flag_kind kind;
	unsigned group; /* in the help */
	/* The report that the flag selects, one bit. 0: none. */
	unsigned selects;
	/* The reports that it goes with, as bits. */
	unsigned goes_with;
	void *field;       /* of the settings, that it sets */
	const char *brief; /* what it is for, less than half a line */
	const char *help;  /* the rest, in sentences; NULL: nothing */
};

/* Reports, as bits; each has a flag. Lists come first. */
#define LIST_BIT(NAME, ...)   REPORT_##NAME = 1 << LIST_##NAME,
#define LIST_FOUND(NAME, ...) | REPORT_##NAME
#define LIST_NOT_CUT(NAME, report, asked, uses, filters, ...)                  \
	| (((filters)&FILTER_TIMES) == 0 ? REPORT_##NAME : 0)
#define LIST_NOT_FILTERED(NAME, report, asked, uses, filters, ...)             \
	| ((filters) != FILTER_ALL ? REPORT_##NAME : 0)
enum {
	REPORTS(LIST_BIT) REPORT_DUMP = 1 << LIST_COUNT,
	REPORT_VERDICT = 2 << LIST_COUNT,
	REPORT_SUMMARY = 4 << LIST_COUNT, /* if no flag selects another one */
	REPORT_PROFILE = 8 << LIST_COUNT,
	REPORT_TIMELINE = 16 << LIST_COUNT,
	REPORT_COMPARISON = 32 << LIST_COUNT,
	REPORT_PAGE = 64 << LIST_COUNT,
	REPORT_EDIT = 128 << LIST_COUNT, /* no report, but a trace */
	REPORT_TABLES = 256 << LIST_COUNT,
	REPORT_FOLLOW = 512 << LIST_COUNT,
	/* Those that one pass finds, which are printed as one of all traces. */
	REPORTS_FOUND = 0 REPORTS(LIST_FOUND),
	/* Those that are made of each trace as it is printed. */
	REPORTS_STREAMED =
		REPORT_DUMP | REPORT_PROFILE | REPORT_TIMELINE | REPORT_PAGE,
	/* Those that need nanoseconds. */
	REPORTS_TIMED = REPORT_VERDICT | REPORT_TIMELINE | REPORT_COMPARISON |
			REPORT_PAGE | REPORT_TABLES,
	/* Those that may be printed one after the other. */
	REPORTS_LISTS = REPORTS_FOUND | REPORT_DUMP,
	REPORTS_ALL = REPORTS_LISTS | REPORT_VERDICT | REPORT_SUMMARY |
		      REPORT_PROFILE | REPORT_TIMELINE | REPORT_COMPARISON |
		      REPORT_PAGE | REPORT_EDIT | REPORT_TABLES | REPORT_FOLLOW,
	/* Those that show times from the scheduling record of a kernel. */
	REPORTS_WITH_CPU = REPORT_GREEDY | REPORT_STOPS | REPORT_DELAYS |
			   REPORT_SUMMARY | REPORT_PROFILE | REPORT_VERDICT |
			   REPORT_TIMELINE | REPORT_PAGE,
	/* Those whose text is short without -format. */
	REPORTS_SHORT = REPORTS_FOUND & ~REPORT_GREEDY,
	/* Those that -from and -to apply to, and those that all filters do. */
	REPORTS_CUT = REPORTS_ALL & ~(REPORT_EDIT | REPORT_TABLES |
				      REPORT_FOLLOW REPORTS(LIST_NOT_CUT)),
	REPORTS_FILTERED = REPORTS_CUT & ~(0 REPORTS(LIST_NOT_FILTERED))
};

/*
 * Values of -format, of which those before FORMAT_SHORT are in the order of
 * enum gtrace_format, and of -by, in the order of their words.
 */
enum { FORMAT_TEXT = 1, FORMAT_SHORT = 4, FORMAT_GITHUB, FORMAT_JUNIT };
enum { BY_CPU = 2 };

/* Of -tables-format. */
enum { TABLES_CSV = 2 };

struct settings {
	/*
	 * What is asked of each trace. Flags set some fields, zero where they
	 * are not given, and the others follow from them.
	 */
	struct gtrace_request request;
	/* How to open a trace; flags set some fields. */
	struct gtrace_options options;
	/* With what is in g and p; flags set the other fields. */
	struct gtrace_filter filter;

	/* Other flags; zero: not given. */
	int dump;
	const char *page; /* the file to write it to */
	int profile;
	int by; /* what slices are ranked by */
	int timeline;
	int compare;
	const char *cut;
	int join, no_join, anonymise;
	const char *salt;
	const char *output; /* the trace to write */
	const char *tables; /* the folder to write them to */
	struct flag_labels labels;
	int tables_format; /* which word, from 1; 0: the first */
	int64_t max_slice;
	int64_t max_stop;
	int64_t max_wait;
	int64_t max_block;
	size_t noise;      /* percent; 0: not given */
	size_t max_output; /* bytes; 0: not given */
	struct flag_moment from;
	struct flag_moment to;
	struct flag_ids g;
	struct flag_ids p;
	int format;
	int follow;
	int quiet;
	const char *files_from;
	size_t seconds; /* to record; 0: not given */
	size_t threads;
	size_t frequency;
	int print;
	int help;
	int all_help;
	int version;

	uint64_t given;   /* a bit for each flag that was given */
	unsigned reports; /* bits */
	/* The traces, at least one; "-": standard input. */
	const char **files;
	size_t file_count;
};

/* The command line of the process. */
extern struct settings settings;

/* Every flag of the command, at most 64; the last one has no name. */
extern const struct flag settings_flags[];

/* Groups of flags, with the words that stand above each in the help. */
enum {
	GROUP_REPORTS,
	GROUP_VERDICT,
	GROUP_FILTERS,
	GROUP_REQUESTS, /* which ones there are */
	GROUP_TRACES,
	GROUP_TABLES,
	GROUP_OUTPUT,
	GROUP_INPUT,
	GROUP_OTHER,
	GROUP_ABOUT, /* not in the short help */
	GROUP_COUNT
};

extern const char *const settings_groups[GROUP_COUNT];

/*
 * Reads flags from ARGUMENTS, which has COUNT of them and starts with the
 * program's name: -x, --x, -x=value, and unless it is a switch -x value. Of a
 * list the value is 10 if no number follows. What is no flag, or comes after
 * --, is moved behind the flags. Returns the index of the first of these.
 */
int flags_parse(int count, char **arguments);

/* Returns the flag that TEXT is, with or without a value, or NULL. */
const struct flag *flags_find(const char *text);

/* Returns the flag that TEXT begins with, up to one of ENDS, or NULL. */
const struct flag *flags_named(const char *text, const char *ends);

/* Returns whether the field of FLAG, which was given, is zero. */
bool flags_is_zero(const struct flag *flag);

/* Prints the help that fits a screen of 80 by 24. */
void help_short(FILE *to);

/* Prints all of it. */
void help_long(FILE *to);

/*
 * Prints to stderr what is wrong with the command line, and the line of the
 * help about the first flag that is named there, or where the help is if none
 * is. Ends the program with the status CODE.
 */
_Noreturn void help_wrong(enum exit_code code, const char *format, ...);

/* Prints the text for agents. */
void skill_print(FILE *to);

/* Prints what the word NUMBER, from 1, of -print names. */
void help_document(FILE *to, int number);

/*
 * Sets the settings from the command line. If that is wrong, says why and ends
 * the program.
 */
void settings_read(int argc, char **argv);

/*
 * The request of the trace NAME for REPORT, enum gtrace_report, with those
 * settings that count for it. A comparison is of summaries.
 */
struct gtrace_request settings_request(int report, const char *name);

/* Whether the verdict is on what a visit gives. */
static inline bool settings_visit(void)
{
	return settings.max_slice != 0 || settings.max_stop != 0 ||
	       settings.max_block != 0;
}

/* Whether there is any limit. */
static inline bool settings_limits(void)
{
	return settings_visit() || settings.max_wait != 0;
}

#endif /* GTRACE_TOOLS_SETTINGS_H_ */
