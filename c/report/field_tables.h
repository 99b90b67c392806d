/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * field_tables.h - the macros that tables of fields are made of.
 */
#ifndef GTRACE_REPORT_FIELD_TABLES_H_
#define GTRACE_REPORT_FIELD_TABLES_H_

#include "report/fields.h"

/* The kind of a member, by its type. */
#define KIND_OF(type, member)                                                  \
	_Generic(((struct type *)0)->member,                                   \
		int64_t: FIELD_SIGNED,                                         \
		uint64_t: FIELD_UNSIGNED,                                      \
		unsigned: FIELD_TYPE,                                          \
		int: FIELD_FLAG,                                               \
		double: FIELD_DECIMAL,                                         \
		struct gtrace_string: FIELD_STRING,                            \
		const char *: FIELD_TEXT,                                      \
		const uint64_t *: FIELD_NUMBERS,                               \
		const struct gtrace_string *: FIELD_STRINGS,                   \
		const char *const *: FIELD_TEXTS,                              \
		const struct gtrace_frame *: FIELD_STACK,                      \
		const struct gtrace_samples *: FIELD_SAMPLES)

/* The fields of the items of an array that is such a member. NULL: none. */
#define ITEMS_OF(type, member)                                                 \
	_Generic(((struct type *)0)->member,                                   \
		const struct gtrace_frame *: gti_frame_fields,                 \
		const struct gtrace_samples *: gti_sample_fields,              \
		default: NULL)

/*
 * Rows of a table: the formats, the name and the member; then the member that
 * `other` says, and the fields of a part or an item.
 */
/* clang-format off */
#define KIND(type, in, kind, name, member, other)                              \
	{name, FIELD_##kind, IN_##in, offsetof(struct type, member),           \
	 offsetof(struct type, other), 0, NULL}
#define FIELD(type, in, name, member)                                          \
	{name, KIND_OF(type, member), IN_##in, offsetof(struct type, member),  \
	 0, 0, NULL}
#define ARRAY(type, in, name, member, count)                                   \
	{name, KIND_OF(type, member), IN_##in, offsetof(struct type, member),  \
	 offsetof(struct type, count), sizeof(((struct type *)0)->member[0]),  \
	 ITEMS_OF(type, member)}
#define LIST(type, in, kind, name, member, count, of)                          \
	{name, FIELD_##kind, IN_##in, offsetof(struct type, member),           \
	 offsetof(struct type, count), sizeof(((struct type *)0)->member[0]), of}
#define PART(type, in, kind, name, member, of)                                 \
	{name, FIELD_##kind, IN_##in, offsetof(struct type, member), 0, 0, of}
#define UNLESS(type, in, name, member, flag, of)                               \
	{name, FIELD_UNLESS, IN_##in, offsetof(struct type, member),           \
	 offsetof(struct type, flag), 0, of}
#define BOTH(type, member)   FIELD(gtrace_##type, BOTH, #member, member)
#define JSON(type, member)   FIELD(gtrace_##type, JSON, #member, member)
#define CSV(type, member)    FIELD(gtrace_##type, CSV, #member, member)
#define KNOWN(type, in, member)                                                \
	KIND(gtrace_##type, in, KNOWN, #member, member, member)
#define LINE(in, kind, name) {name, FIELD_##kind, IN_##in, 0, 0, 0, NULL}
#define SAME(in, name, of)   {name, FIELD_PART, IN_##in, 0, 0, 0, of}
#define END                  {NULL, FIELD_END, 0, 0, 0, 0, NULL}
/* clang-format on */

#endif /* GTRACE_REPORT_FIELD_TABLES_H_ */
