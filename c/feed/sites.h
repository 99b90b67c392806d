/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.h - what analyses have to know of stacks: each is looked at once in a
 * generation, and what is known of it outlives the handle.
 */
#ifndef GTRACE_FEED_SITES_H_
#define GTRACE_FEED_SITES_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

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

/* The same stack has the same number in all generations. */
#define NO_STACK UINT32_MAX

struct site {
	uint32_t stack; /* its number; NO_STACK: it has no frames */
	uint8_t kind;   /* of a block: enum gtrace_block_kind */
	uint8_t by;     /* of an event that ends a block: enum by */
};

#define SITES_RECENT 1024

struct sites {
	/* Sets SITE to what KEY is. Returns false if there is no memory. */
	bool (*describe)(void *context, const struct site_key *key,
			 struct site *site);
	void *context;
	struct texts keys;
	struct array known; /* struct site, by number of their key */
	struct {
		struct site_key key;
		struct site site;
	} recent[SITES_RECENT];
};

void gti_sites_init(struct sites *sites,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory);
void gti_sites_free(struct sites *sites);

/* Handles are about to become those of other stacks. */
void gti_sites_forget(struct sites *sites);

/* Sets *SITE to what KEY is. Returns false if there is no memory. */
bool gti_sites_find(struct sites *sites, const struct site_key *key,
		    struct site *site);

#endif /* GTRACE_FEED_SITES_H_ */
