/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thrift.h - structs in the compact protocol of Apache Thrift, in which Parquet
 * writes what it says about its data. A field is its number, relative to that
 * of the field before, its type and its value.
 */
#ifndef GTRACE_TABLES_THRIFT_H_
#define GTRACE_TABLES_THRIFT_H_

#include "tables/bytes.h"

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12
};

/* A struct that is written to `to`. */
struct thrift {
	struct bytes *to;
	unsigned last; /* the number of its last field; 0: none */
};

/* Begins the field NUMBER, at most 15 above the last one. */
void thrift_begin(struct thrift *thrift, unsigned number,
		  enum thrift_type type);

void thrift_int(struct thrift *thrift, unsigned number, enum thrift_type type,
		int64_t value);
void thrift_binary(struct thrift *thrift, unsigned number, const void *data,
		   size_t size);
void thrift_text(struct thrift *thrift, unsigned number, const char *text);

/* A list of COUNT elements of TYPE, which the caller adds. */
void thrift_list(struct thrift *thrift, unsigned number, enum thrift_type type,
		 size_t count);

/* A struct as field NUMBER, whose fields come next, up to thrift_end(). */
struct thrift thrift_open(struct thrift *thrift, unsigned number);

/* Ends the fields of a struct. */
void thrift_end(struct thrift *thrift);

/* A struct without fields, as one of several that a union can be. */
void thrift_empty(struct thrift *thrift, unsigned number);

#endif /* GTRACE_TABLES_THRIFT_H_ */
