/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - slices and stops of the world added up by function. */
#ifndef GTRACE_TOTALS_H_
#define GTRACE_TOTALS_H_

#include "findings.h"

/* Names are numbers of texts in struct totals. */
struct total_key {
	uint32_t function; /* of the program; NO_TEXT: no stack */
	uint32_t file;
	uint32_t inner; /* NO_TEXT: none */
	uint32_t work;  /* enum gtrace_work */
	uint64_t line;
};

/* The names of what is added up while a pass is made. */
struct totals {
	const struct gtrace_allocator *memory;
	struct texts names;
	/* struct total_key: the names of the profile, and of the holders. */
	struct texts functions;
	struct texts holders;
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory);
void gti_totals_free(struct totals *totals);

/* The key with NAME of KEYS, which are totals->functions or ->holders. */
struct total_key gti_totals_key(const struct texts *keys, uint32_t name);

/* The functions of struct findings, whose context is a struct totals. */
name_function gti_totals_name, gti_totals_name_holder;
void gti_totals_forget(void *context);

#endif /* GTRACE_TOTALS_H_ */
