/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - the event table for one version of the format. */
#include "v1/rules.h"

#include <stddef.h>
#include <string.h>

#define TYPE_BITS 6

struct row {
	uint8_t type;
	uint16_t since;
	uint8_t stack;
	uint8_t args;
	uint8_t args_before;
	uint16_t changed;
	uint8_t owner;
	uint8_t order;
	uint8_t text;
};

static const struct row rows[] = {
#define EVENT_ROW(type, id, name_1_8, name_1_19, name_1_21, since, stack,      \
		  args, before, changed, owner, order, text)                   \
	{type,    since,         stack,         args,       before,            \
	 changed, OWNER_##owner, ORDER_##order, TEXT_##text},
	EVENT_LIST(EVENT_ROW)
#undef EVENT_ROW
};

#define STEP(from, to, bump)                                                   \
	((bump) * (1 << PROGRESS_STATE_BITS) + ORDER_##to - ORDER_##from)

#define TRANSITION(from, to, bump, mask)                                       \
	{                                                                      \
		ORDER_##from, mask, STEP(from, to, bump), EFFECT_NONE          \
	}

/* Transitions, by order. */
static const struct requirement transitions[] = {
	[ORDER_FREE] = TRANSITION(DEAD, DEAD, 0, TEST_NOTHING),
	[ORDER_CREATE] = TRANSITION(DEAD, RUNNABLE, 1, TEST_SEQUENCE),
	[ORDER_WAIT] = TRANSITION(RUNNABLE, WAITING, 1, TEST_SEQUENCE),
	[ORDER_START] = TRANSITION(RUNNABLE, RUNNING, 1, TEST_SEQUENCE),
	[ORDER_START_LOCAL] = TRANSITION(RUNNABLE, RUNNING, 1, TEST_STATE),
	[ORDER_BLOCK] = TRANSITION(RUNNING, WAITING, 0, TEST_STATE),
	[ORDER_YIELD] = TRANSITION(RUNNING, RUNNABLE, 0, TEST_STATE),
	[ORDER_UNBLOCK] = TRANSITION(WAITING, RUNNABLE, 1, TEST_SEQUENCE),
	[ORDER_UNBLOCK_LOCAL] = TRANSITION(WAITING, RUNNABLE, 1, TEST_STATE),
	[ORDER_GC] = TRANSITION(DEAD, DEAD, 1, TEST_SEQUENCE),
};

static unsigned reported_type(unsigned type)
{
	switch (type) {
	case EV_GO_START_LOCAL:
		return EV_GO_START;
	case EV_GO_UNBLOCK_LOCAL:
		return EV_GO_UNBLOCK;
	case EV_GO_SYS_EXIT_LOCAL:
		return EV_GO_SYS_EXIT;
	default:
		return type;
	}
}

static enum effect effects_of(unsigned reported)
{
	switch (reported) {
	case EV_GO_SYS_BLOCK:
	case EV_GO_SYS_EXIT:
	case EV_GO_IN_SYSCALL:
	case EV_GO_END:
	case EV_GO_STOP:
		return EFFECT_TYPE;
	default:
		return EFFECT_NONE;
	}
}

static enum form form_of(const struct rule *rule)
{
	enum order like =
		rule->order == ORDER_YIELD ? ORDER_BLOCK : rule->order;

	if (rule->owner == OWNER_CONTROL || rule->owner == OWNER_SAMPLE)
		return FORM_RARE;
#define FORM_IF(form, an_order, an_args, a_stack)                              \
	if (like == ORDER_##an_order && rule->args == (an_args) &&             \
	    rule->stack == (a_stack))                                          \
		return FORM_##form;
	FORM_LIST(FORM_IF)
#undef FORM_IF
	return FORM_RARE;
}

static void init_rule(struct rules *rules, const struct row *row)
{
	struct rule *rule = &rules->by_type[row->type];

	rule->known = rules->version >= row->since;
	rule->args =
		rules->version >= row->changed ? row->args : row->args_before;
	rule->stack = row->stack;
	rule->values = (uint8_t)(rule->args + rule->stack);
	if (row->owner != OWNER_CONTROL)
		rule->values = (uint8_t)(rule->values + rules->deltas);
	rule->owner = row->owner;
	rule->order = row->order;
	rule->text = row->text;
	rule->reported = (uint8_t)reported_type(row->type);
	rule->form = (uint8_t)form_of(rule);
	rule->transition = transitions[row->order];
	rule->transition.effects = (uint8_t)effects_of(rule->reported);
	if (row->text == TEXT_STW_REASON && rules->version < VERSION_STW)
		rule->text = TEXT_NONE;
}

static bool is_plain(const struct rule *rule)
{
	return rule->known && rule->owner != OWNER_CONTROL &&
	       rule->owner != OWNER_SAMPLE && rule->text != TEXT_LOG &&
	       rule->reported != EV_STW_START &&
	       rule->reported != EV_FUTILE_WAKEUP;
}

void gti_rules_init(struct rules *rules, unsigned version)
{
	bool old = version < VERSION_MERGED;
	unsigned first_byte;
	size_t i;

	memset(rules, 0, sizeof(*rules));
	rules->version = version;
	rules->deltas = old ? 2 : 1;
	rules->inline_base = old ? 2 : 1;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		init_rule(rules, &rows[i]);
	for (first_byte = 0; first_byte < 256; first_byte++) {
		const struct rule *rule =
			&rules->by_type[first_byte & (EVENT_TYPES - 1)];
		unsigned values =
			(first_byte >> TYPE_BITS) + rules->inline_base;

		if (is_plain(rule) &&
		    (first_byte < SIZED_FIRST_BYTE ? rule->values == values
						   : rule->values >= values))
			rules->plain[first_byte] = rule->values;
	}
}
