/* SPDX-License-Identifier: BSD-3-Clause */
/* flames.c - adds up critical paths by the stacks of all of the chain. */
#include "analysis/flames.h"

#include <string.h>

#include "base/array.h"

void gti_flames_init(struct flames *flames,
		     const struct gtrace_allocator *memory)
{
	gti_texts_init(&flames->nodes, memory);
	gti_texts_init(&flames->keys, memory);
	flames->flames = (struct array){.count = 0};
	flames->failed = false;
}

void gti_flames_free(struct flames *flames)
{
	const struct gtrace_allocator *memory = flames->nodes.memory;

	if (memory == NULL)
		return;
	gti_texts_free(&flames->nodes);
	gti_texts_free(&flames->keys);
	gti_array_free(&flames->flames, sizeof(struct flame), memory);
}

void gti_flames_restart(struct flames *flames)
{
	const struct gtrace_allocator *memory = flames->nodes.memory;

	gti_flames_free(flames);
	gti_flames_init(flames, memory);
}

/* Without memory it is any. */
static uint32_t put_node(struct flames *flames, const struct flame_node *node)
{
	uint32_t number = gti_texts_put(&flames->nodes, node, sizeof(*node));

	flames->failed |= number == NO_TEXT;
	return number;
}

uint32_t gti_flames_kind(struct flames *flames, uint32_t kind)
{
	return put_node(flames, &(struct flame_node){NO_TEXT, kind, 0});
}

struct flame_node gti_flames_node(const struct flames *flames, uint32_t number)
{
	struct flame_node node;

	memcpy(&node, texts_at(&flames->nodes, number).data, sizeof(node));
	return node;
}

uint32_t gti_flames_join(void *context, uint32_t node,
			 const struct chain_cause *cause)
{
	struct flames *flames = context;
	struct flame_node next = {node, cause->stack, 0};

	if (flames->failed)
		return node;
	next.depth = gti_flames_node(flames, node).depth + 1;
	if (next.depth > FLAME_CAUSES + 1)
		return node;
	if (next.depth > FLAME_CAUSES)
		next.stack = FLAME_DEEPER;
	return put_node(flames, &next);
}

void gti_flames_add(struct flames *flames, const struct chain_piece *piece,
		    bool is_new)
{
	struct flame_key key = {
		.node = piece->node,
		.stack = piece->stack,
		.state = piece->state,
		.block = piece->state == CHAIN_BLOCKED ? piece->kind
						       : piece->ended,
		.level = piece->level,
	};
	const struct flame empty = {.key = key};
	uint32_t number;
	struct flame *flame;

	if (flames->failed)
		return;
	number = gti_texts_put(&flames->keys, &key, sizeof(key));
	if (number == NO_TEXT ||
	    (number == flames->flames.count &&
	     array_add(&flames->flames, &empty, sizeof(empty),
		       flames->keys.memory) == NULL)) {
		flames->failed = true;
		return;
	}
	flame = (struct flame *)flames->flames.items + number;
	flame->count += is_new;
	flame->time += (uint64_t)piece->length;
}
