/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flags.h - command line flags: one table of them, and the parser, which reads
 * them as Go's flag package does.
 */
#ifndef GTRACE_TOOLS_FLAGS_H_
#define GTRACE_TOOLS_FLAGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What kind of value a flag has, and the type of its field. */
enum flag_kind {
	/* int: 1 is -x, or -x=true; 0 is -x=false; from 2 on a word */
	FLAG_SWITCH,
	FLAG_COUNT,    /* size_t: a number that is not negative */
	FLAG_DURATION, /* int64_t: nanoseconds, written as in Go */
	FLAG_CHOICE,   /* int: which of the words in `word`, from 1 */
	FLAG_IDS,      /* struct flag_ids: numbers with commas between */
	FLAG_TEXT,     /* const char * */
	FLAG_FILE      /* const char *: a file's name */
};

struct flag_ids {
	int64_t *ids; /* to be freed */
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
	size_t offset;     /* of its field in the struct of values */
	const char *brief; /* what it is for, less than half a line */
	const char *help;  /* the rest, in sentences; NULL: nothing */
};

#define FLAGS_MESSAGE_SIZE 256
#define FLAGS_MAX          64

struct flags_result {
	int first;      /* index of the first argument after the flags */
	uint64_t given; /* a bit for each flag in the table that was given */
	char message[FLAGS_MESSAGE_SIZE];
	/* The flag at fault, or the one that was meant; NULL: not known. */
	const struct flag *at_fault;
	bool is_negative; /* the fault is that its value is below 0 */
};

/*
 * Reads flags from ARGUMENTS, which has COUNT of them and starts with the
 * program's name, up to the first argument that is none: -x, --x, -x=value, and
 * unless it is a switch -x value. FLAGS ends with a name of NULL and has at
 * most FLAGS_MAX entries; values go to the fields of VALUES. Returns false on
 * an error, which is in RESULT.
 */
bool flags_parse(const struct flag *flags, int count, char **arguments,
		 void *values, struct flags_result *result);

/* Returns the flag that TEXT is, with or without a value, or NULL. */
const struct flag *flags_find(const struct flag *flags, const char *text);

/* Returns whether the field in VALUES of FLAG, which was given, is zero. */
bool flags_is_zero(const struct flag *flag, const void *values);

#endif /* GTRACE_TOOLS_FLAGS_H_ */
