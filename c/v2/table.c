/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - the event table by type and by type byte. */
#include "v2/table.h"

const struct event_line gti_v2_lines[EVENT_TYPES] = {
	[EV_NONE] = {"None", 0, 22, -1, 0, 0, 0, 0, 0, NEEDS_NOTHING},
	[EV_SYNC] = {"Sync", 0, 22, -1, 0, 0, 0, 0, 0, NEEDS_NOTHING},
#define EVENT_LINE(number, id, name, since, args, stack, g, begin, text1,      \
		   text2, needs)                                               \
	[EV_##id] = {name,  number, since, (args) - (stack), stack, g,         \
		     begin, text1,  text2, NEEDS_##needs},
	EVENT_LIST(EVENT_LINE)
#undef EVENT_LINE
};

const uint8_t gti_v2_types[256] = {
#define EVENT_BYTE_TYPE(number, id, name, since, args, ...)                    \
	[number] = (args) < 0 ? 0 : EV_##id,
	EVENT_LIST(EVENT_BYTE_TYPE)
#undef EVENT_BYTE_TYPE
};

const uint8_t gti_v2_value_counts[256] = {
#define EVENT_COUNT(number, id, name, since, args, ...) [number] = (args) + 1,
	EVENT_LIST(EVENT_COUNT)
#undef EVENT_COUNT
};
