/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snappy.h - compression that all readers of Parquet know and that is little
 * code: bytes are literal, or a copy of others that came before.
 */
#ifndef GTRACE_TABLES_SNAPPY_H_
#define GTRACE_TABLES_SNAPPY_H_

#include "tables/bytes.h"

/* Adds the SIZE bytes at DATA, less than 2^32, to TO. */
void snappy_compress(struct bytes *to, const unsigned char *data, size_t size);

#endif /* GTRACE_TABLES_SNAPPY_H_ */
