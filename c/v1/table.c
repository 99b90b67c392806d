/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - names of events and of stop-the-world pauses. */
#include "v1/table.h"

static const struct {
	const char *name_1_8;
	const char *name_1_19;
	const char *name_1_21;
} names[EV_COUNT] = {
#define EVENT_NAMES(type, id, name_1_8, name_1_19, name_1_21, since, stack,    \
		    args, before, changed, owner, order, text)                 \
	[type] = {name_1_8, name_1_19, name_1_21},
	EVENT_LIST(EVENT_NAMES)
#undef EVENT_NAMES
};

const char *gti_event_name(unsigned type, unsigned version)
{
	if (type == EV_NONE || type >= EV_COUNT)
		return "None";
	if (version < VERSION_STW)
		return names[type].name_1_8;
	if (version < VERSION_STW_NAMES)
		return names[type].name_1_19;
	return names[type].name_1_21;
}

const char *const gti_stw_reasons[STW_REASONS] = {
	"unknown",
	"GC mark termination",
	"GC sweep termination",
	"write heap dump",
	"goroutine profile",
	"goroutine profile cleanup",
	"all goroutines stack trace",
	"read mem stats",
	"AllThreadsSyscall",
	"GOMAXPROCS",
	"start trace",
	"stop trace",
	"CountPagesInUse (test)",
	"ReadMetricsSlow (test)",
	"ReadMemStatsSlow (test)",
	"PageCachePagesLeaked (test)",
	"ResetDebugLog (test)",
};
