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

/* Stops by holder. */
struct total {
	struct total_key key;
	uint64_t count;
	uint64_t time;
};

/* What is added up while a pass is made. */
struct totals {
	const struct gtrace_allocator *memory;
	struct texts names;
	struct texts functions; /* struct total_key: names of the profile */
	struct texts holder_keys;
	struct array holders; /* struct total */
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory);
void gti_totals_free(struct totals *totals);

/* The key of the slices with NAME. */
struct total_key gti_totals_function(const struct totals *totals,
				     uint32_t name);

/* The functions of struct findings, whose context is a struct totals. */
uint32_t gti_totals_name(void *context, const struct naming *naming,
			 const struct gtrace_frame *frames, size_t count);
bool gti_totals_is_program(void *context, uint32_t name);
bool gti_totals_take_holder(void *context, const struct holder *holder,
			    const struct gtrace_frame *frames, size_t count);
void gti_totals_forget(void *context);

#endif /* GTRACE_TOTALS_H_ */
