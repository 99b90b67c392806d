/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.h - what analyses have to know of stacks, which outlives the handle.
 *
 * A stack, with what an event did there, gets a number. What is known of it is
 * found when it is first asked for; that must be before the generation ends, or
 * it cannot be asked for at all.
 */
#ifndef GTRACE_FEED_SITES_H_
#define GTRACE_FEED_SITES_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/compiler.h"
#include "base/enders.h"
#include "base/texts.h"

/* What an event did at its stack. */
enum site_role {
	SITE_OF_EVENT,
	SITE_OF_BLOCK, /* it began a block, for `reason` */
	SITE_OF_CALL   /* a system call */
};

/* Bytes are compared: there is no padding. */
struct site_key {
	uint64_t stack;  /* handle */
	uint64_t reason; /* of a block: a string, or 0 */
	uint32_t type;   /* of a block: that of the event */
	uint32_t role;   /* enum site_role */
};

/* The number of an event without a stack. */
#define NO_SITE UINT32_MAX

/* The same stack has the same number in all generations. */
#define NO_STACK UINT32_MAX

struct site {
	uint32_t stack; /* its number; NO_STACK: it has no frames */
	uint8_t kind;   /* of a block: enum gtrace_block_kind */
	uint8_t by;     /* of an event that ends a block: enum by */
};

#define SITES_RECENT 1024

struct known_site {
	struct site_key key;
	struct site site;
	bool is_described;
};

struct sites {
	/* Sets SITE to what KEY is. Returns false if there is no memory. */
	bool (*describe)(void *context, const struct site_key *key,
			 struct site *site);
	void *context;
	struct texts keys;  /* of this generation */
	struct array known; /* struct known_site, by number */
	size_t first;       /* number of the first key of the generation */
	struct {
		struct site_key key;
		uint32_t number;
	} recent[SITES_RECENT];
	bool failed; /* there was no memory */
};

void gti_sites_init(struct sites *sites,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory);
void gti_sites_free(struct sites *sites);

/* Handles are about to become those of other stacks. */
void gti_sites_forget(struct sites *sites);

/* The number of KEY, which is not that of an event without a stack. */
uint32_t gti_sites_number(struct sites *sites, const struct site_key *key);

/* Describes NUMBER, which is not NO_SITE, unless that is done. */
struct site gti_sites_describe(struct sites *sites, uint32_t number);

/* What NUMBER is, which can be NO_SITE. */
static inline struct site sites_at(struct sites *sites, uint32_t number)
{
	static const struct site none = {.stack = NO_STACK};
	const struct known_site *known = sites->known.items;

	if (number == NO_SITE)
		return none;
	return LIKELY(known[number].is_described)
		       ? known[number].site
		       : gti_sites_describe(sites, number);
}

#endif /* GTRACE_FEED_SITES_H_ */
