/* SPDX-License-Identifier: BSD-3-Clause */
/* chunk.h - what a group of rows has of one column. */
#ifndef GTRACE_TABLES_CHUNK_H_
#define GTRACE_TABLES_CHUNK_H_

#include "tables/column.h"
#include "tables/texts.h"

/* Zero: no values. To be given to chunk_free(). */
struct chunk {
	enum column_type type;
	size_t rows;       /* with a value or not */
	size_t count;      /* of values */
	size_t capacity;   /* rows that there is memory for */
	uint32_t *present; /* by row: 1, there is a value; 0: none */
	/* By value; of texts their numbers. */
	union {
		int64_t *numbers;
		uint32_t *texts;
		unsigned char *truths;
		void *all;
	} values;
	struct texts texts;
	struct bytes scratch; /* for a text */
	bool failed;          /* there was no memory */
};

/* Where the pages of a chunk are in the file. */
struct chunk_places {
	uint64_t pages; /* the first one: set by the caller */
	uint64_t data;  /* the values */
	uint64_t end;
	uint64_t plain; /* bytes of the pages, if they were not compressed */
};

void chunk_free(struct chunk *chunk);

/* Forgets all values, and keeps the memory. */
void chunk_clear(struct chunk *chunk);

/* Adds what ROW has of COLUMN. */
void chunk_add(struct chunk *chunk, const struct column *column,
	       const void *row);

/* Adds the pages of CHUNK to TO, and sets where they are in PLACES. */
void chunk_write(struct chunk *chunk, struct bytes *to,
		 struct chunk_places *places);

/* Adds what the footer says of CHUNK, of the column NAME. */
void chunk_describe(const struct chunk *chunk, const char *name,
		    const struct chunk_places *places, struct bytes *to);

/* The number of the type of values in the format. */
int chunk_type(enum column_type type);

static inline bool chunk_failed(const struct chunk *chunk)
{
	return chunk->failed || chunk->texts.failed || chunk->scratch.failed;
}

#endif /* GTRACE_TABLES_CHUNK_H_ */
