/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - slices and stops of the world added up by function. */
#ifndef GTRACE_TOTALS_H_
#define GTRACE_TOTALS_H_

#include "findings.h"

/* Names are numbers of texts in struct totals. */
struct total_key {
	uint32_t function; /* NO_TEXT: no stack */
	uint32_t caller;   /* NO_TEXT: none, or several */
	uint32_t work;     /* enum gtrace_work */
};

/* The names of what is added up while a pass is made. */
struct totals {
	const struct gtrace_allocator *memory;
	struct texts names;
	struct texts functions; /* struct total_key: names of the profile */
	/* Those of holders, without callers, and with a caller if it is one. */
	struct texts holder_keys;
	struct array holders; /* struct total_key */
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory);
void gti_totals_free(struct totals *totals);

/* The key of the slices, or of the holders, with NAME. */
struct total_key gti_totals_function(const struct totals *totals,
				     uint32_t name);
struct total_key gti_totals_holder(const struct totals *totals, uint32_t name);

/* The functions of struct findings, whose context is a struct totals. */
name_function gti_totals_name, gti_totals_name_holder;
bool gti_totals_is_program(void *context, uint32_t name);
void gti_totals_forget(void *context);

#endif /* GTRACE_TOTALS_H_ */
