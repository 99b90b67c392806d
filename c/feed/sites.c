/* SPDX-License-Identifier: BSD-3-Clause */
/* sites.c - what analyses have to know of stacks. */
#include "feed/sites.h"

#include <string.h>

#include "base/array.h"
#include "base/compiler.h"

void gti_sites_init(struct sites *sites,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory)
{
	memset(sites, 0, sizeof(*sites));
	sites->describe = describe;
	sites->context = context;
	gti_texts_init(&sites->keys, memory);
}

void gti_sites_free(struct sites *sites)
{
	const struct gtrace_allocator *memory = sites->keys.memory;

	if (memory == NULL)
		return;
	gti_array_free(&sites->known, sizeof(struct site), memory);
	gti_texts_free(&sites->keys);
}

void gti_sites_forget(struct sites *sites)
{
	const struct gtrace_allocator *memory = sites->keys.memory;

	gti_texts_free(&sites->keys);
	gti_texts_init(&sites->keys, memory);
	sites->known.count = 0;
	memset(sites->recent, 0, sizeof(sites->recent));
}

/* Looks KEY up where all are kept. */
static bool find(struct sites *sites, const struct site_key *key,
		 struct site *site)
{
	uint32_t number = gti_texts_put(&sites->keys, key, sizeof(*key));

	if (number < sites->known.count) {
		*site = ((const struct site *)sites->known.items)[number];
		return true;
	}
	return number != NO_TEXT &&
	       sites->describe(sites->context, key, site) &&
	       array_add(&sites->known, site, sizeof(*site),
			 sites->keys.memory) != NULL;
}

bool gti_sites_find(struct sites *sites, const struct site_key *key,
		    struct site *site)
{
	static const struct site none = {.stack = NO_STACK};
	size_t at = (size_t)(key->stack * 3 + key->role + key->reason * 31) %
		    SITES_RECENT;

	if (key->role == SITE_OF_EVENT && key->stack == 0) {
		*site = none;
		return true;
	}
	/* No key is zero: a stack, or a role, is not. */
	if (LIKELY(memcmp(&sites->recent[at].key, key, sizeof(*key)) == 0)) {
		*site = sites->recent[at].site;
		return true;
	}
	if (!find(sites, key, site))
		return false;
	sites->recent[at].key = *key;
	sites->recent[at].site = *site;
	return true;
}
