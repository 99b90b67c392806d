/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.h - the fields of what is printed as JSON and CSV: one table for each
 * public struct, in the order in which they are printed.
 *
 * c/README.md, "Adding something", says what a new field takes.
 */
#ifndef GTRACE_REPORT_FIELDS_H_
#define GTRACE_REPORT_FIELDS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "base/output.h"

/* What is at `offset`, and how it is printed. */
enum field_kind {
	FIELD_END,       /* nothing: it ends a table */
	FIELD_SIGNED,    /* int64_t */
	FIELD_SIGNED_IF, /* int64_t; in JSON only if not 0 at `other` */
	FIELD_KNOWN,     /* int64_t; in JSON only if not -1 */
	FIELD_SUM,       /* int64_t, to which that at `other` is added */
	FIELD_UNSIGNED,  /* uint64_t */
	FIELD_COUNT,     /* size_t */
	FIELD_TYPE,      /* unsigned */
	FIELD_FLAG,      /* int */
	FIELD_DECIMAL,   /* double, not negative: with three decimals */
	FIELD_STRING,    /* struct gtrace_string */
	FIELD_TEXT,      /* const char *; NULL: no member in JSON */
	FIELD_VERSION,   /* unsigned: of a trace */
	FIELD_HOW,       /* enum gtrace_late_how */
	FIELD_BLOCK,     /* enum gtrace_block_kind */
	FIELD_SILENT,    /* enum gtrace_silent_class */
	FIELD_WORK,      /* enum gtrace_work of the function at `other` */
	/* Of the line, not of the struct. */
	FIELD_TRACE,
	FIELD_UNIT,
	FIELD_LATER,  /* the stack of an event in a dump */
	FIELD_RECORD, /* what the line is, which is the name of the field */
	/* Arrays, with their size_t number of items at `other`. */
	FIELD_NUMBERS, /* uint64_t; in CSV a column for each of the first 3 */
	FIELD_STRINGS, /* struct gtrace_string; 2 columns in CSV */
	FIELD_TEXTS,   /* const char * */
	FIELD_STACK,   /* struct gtrace_frame */
	FIELD_SAMPLES, /* struct gtrace_samples */
	FIELD_LIST,    /* structs with the fields `of` */
	FIELD_SOME,    /* structs; in JSON only if there are any */
	FIELD_SLICES,  /* pointers to slices: a struct field_view each */
	FIELD_STOPS,   /* pointers to stops: a struct field_view each */
	/*
	 * Structs with the fields `of`. In JSON an object, or without a name
	 * more members of the same one. In CSV more columns, with the name
	 * before theirs.
	 */
	FIELD_PART,    /* the struct itself */
	FIELD_UNLESS,  /* the struct itself; none if not 0 at `other` */
	FIELD_POINTER, /* a pointer to it */
	FIELD_GIVEN,   /* a pointer to it; NULL: no member in JSON */
	FIELD_FIRST    /* the first of an array; none if 0 at `other` */
};

/* The formats that have a field. IN_CSV_CPU: CSV if there is a record. */
enum {
	IN_JSON = 1,
	IN_CSV = 2,
	IN_CSV_CPU = 4,
	IN_BOTH = IN_JSON | IN_CSV,
	IN_CPU = IN_JSON | IN_CSV_CPU
};

/* A segment of a path, as a line of CSV. */
struct segment_line {
	const struct gtrace_path *path;
	const struct gtrace_segment *segment;
};

/* The table of a struct ends with FIELD_END. */
struct field {
	const char *name; /* NULL: none */
	enum field_kind kind;
	int in;
	size_t offset;
	size_t other;
	size_t size; /* of the items of an array */
	const struct field *of;
};

/* A slice or a stop in a summary, and what it is named after. */
struct field_view {
	const void *item;
	int64_t p, g;
	struct gtrace_string function, caller, file;
	uint64_t line;
	const char *work;
};

extern const struct field gti_frame_fields[];      /* gtrace_frame */
extern const struct field gti_sample_fields[];     /* gtrace_samples */
extern const struct field gti_slice_fields[];      /* gtrace_slice */
extern const struct field gti_stop_fields[];       /* gtrace_stop */
extern const struct field gti_wait_fields[];       /* gtrace_wait */
extern const struct field gti_block_fields[];      /* gtrace_block_place */
extern const struct field gti_goroutines_fields[]; /* gtrace_goroutines */
extern const struct field gti_requests_fields[];   /* gtrace_requests */
extern const struct field gti_event_fields[];      /* gtrace_event */
extern const struct field gti_collection_fields[]; /* gtrace_collection */
extern const struct field gti_total_fields[];      /* ..._collection_total */
extern const struct field gti_assist_fields[];     /* gtrace_assist */
extern const struct field gti_function_fields[];   /* gtrace_assist */
extern const struct field gti_goroutine_fields[];  /* gtrace_assist */
extern const struct field gti_sched_fields[];      /* gtrace_sched_sample */
extern const struct field gti_path_fields[];       /* gtrace_path */
extern const struct field gti_paths_fields[];      /* gtrace_paths */
extern const struct field gti_segment_fields[];    /* segment_line */
extern const struct field gti_summary_fields[];    /* gtrace_summary */
extern const struct field gti_comparison_fields[]; /* comparison */

struct stack_texts;

/* What a line of JSON or a record of CSV begins with. */
struct line {
	struct writer *writer;
	int format;
	const char *trace; /* its name; NULL: none */
	bool in_ticks;     /* the unit of times */
	bool has_record;   /* the trace has a scheduling record */
	bool has_threads;  /* its events have them */
	/* Of a dump: the stack of an event without frames. */
	struct stack_texts *stacks;
	uint64_t stack;
	bool *failed; /* set if there is no memory */
};

/* Writes the struct ITEM as a line. */
void gti_write_line(const struct line *line, const struct field *fields,
		    const void *item);

/* Writes what comes before the first line: the names of columns, if CSV. */
void gti_write_line_head(const struct line *line, const struct field *fields);

/* Writes a stack of COUNT frames after what LINE has, in a dump. */
void gti_write_stack(const struct line *line, const struct gtrace_frame *frames,
		     size_t count);

/* Write a field of CSV: a text; an array of COUNT ITEMS, of such a KIND. */
void gti_csv_string(struct writer *writer, struct gtrace_string value);
void gti_csv_array(struct writer *writer, enum field_kind kind,
		   const void *items, size_t count);

/* How many columns of CSV an array of KIND has that are named after it. */
size_t gti_csv_columns(enum field_kind kind);

/* The member of ITEM at OFFSET, a pointer of any type. */
static inline const void *field_pointer(const void *item, size_t offset)
{
	const void *pointer;

	memcpy(&pointer, (const char *)item + offset, sizeof(pointer));
	return pointer;
}

#endif /* GTRACE_REPORT_FIELDS_H_ */
