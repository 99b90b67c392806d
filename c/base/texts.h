/* SPDX-License-Identifier: BSD-3-Clause */
/* texts.h - byte strings by number, each kept once. */
#ifndef GTRACE_BASE_TEXTS_H_
#define GTRACE_BASE_TEXTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "base/memory.h"

struct texts {
	const struct gtrace_allocator *memory;
	struct arena arena;
	struct array list;  /* struct gtrace_string */
	struct map numbers; /* by hash, plus one */
	uint64_t secret;
};

#define NO_TEXT UINT32_MAX

/* Takes no memory yet. */
void gti_texts_init(struct texts *texts, const struct gtrace_allocator *memory);

void gti_texts_free(struct texts *texts);

/*
 * Returns the number of the SIZE bytes at DATA, which are copied if they are
 * new: the next number from 0 on. NO_TEXT: there is no memory.
 */
uint32_t gti_texts_put(struct texts *texts, const void *data, size_t size);

static inline size_t texts_count(const struct texts *texts)
{
	return texts->list.count;
}

/* Returns text NUMBER, which lives as long as the texts. */
static inline struct gtrace_string texts_at(const struct texts *texts,
					    uint32_t number)
{
	return ((const struct gtrace_string *)texts->list.items)[number];
}

#endif /* GTRACE_BASE_TEXTS_H_ */
