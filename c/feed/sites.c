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
	gti_array_free(&sites->known, sizeof(struct known_site), memory);
	gti_texts_free(&sites->keys);
}

void gti_sites_forget(struct sites *sites)
{
	const struct gtrace_allocator *memory = sites->keys.memory;

	gti_texts_free(&sites->keys);
	gti_texts_init(&sites->keys, memory);
	sites->first = sites->known.count;
	memset(sites->recent, 0, sizeof(sites->recent));
}

/* Looks KEY up where all of the generation are kept. */
static NOINLINE uint32_t find(struct sites *sites, const struct site_key *key)
{
	const struct known_site site = {.key = *key};
	uint32_t number;

	/* Without memory, numbers of keys and of sites may have parted. */
	if (sites->failed)
		return NO_SITE;
	number = gti_texts_put(&sites->keys, key, sizeof(*key));

	if (number == NO_TEXT || number >= NO_SITE - sites->first ||
	    (sites->first + number == sites->known.count &&
	     array_add(&sites->known, &site, sizeof(site),
		       sites->keys.memory) == NULL)) {
		sites->failed = true;
		return NO_SITE;
	}
	return (uint32_t)(sites->first + number);
}

uint32_t gti_sites_number(struct sites *sites, const struct site_key *key)
{
	size_t at = (size_t)(key->stack * 3 + key->role + key->reason * 31) %
		    SITES_RECENT;

	/* No key is zero: a stack, or a role, is not. */
	if (UNLIKELY(memcmp(&sites->recent[at].key, key, sizeof(*key)) != 0)) {
		sites->recent[at].number = find(sites, key);
		sites->recent[at].key = *key;
	}
	return sites->recent[at].number;
}

struct site gti_sites_describe(struct sites *sites, uint32_t number)
{
	static const struct site none = {.stack = NO_STACK};
	struct known_site *known =
		(struct known_site *)sites->known.items + number;

	if (!known->is_described &&
	    !sites->describe(sites->context, &known->key, &known->site)) {
		sites->failed = true;
		return none;
	}
	known->is_described = true;
	return known->site;
}
