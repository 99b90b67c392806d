/* SPDX-License-Identifier: BSD-3-Clause */
/* block_kinds.c - what goroutines that are blocked wait for. */
#include "report/block_kinds.h"

#include <string.h>

#include "base/naming.h"
#include "base/sort.h"
#include "base/strings.h"

const char *gtrace_block_name(enum gtrace_block_kind kind)
{
	static const char *const words[GTRACE_BLOCK_KINDS] = {
		[GTRACE_BLOCK_OTHER] = "other",
		[GTRACE_BLOCK_LOCK] = "lock",
		[GTRACE_BLOCK_WAIT_GROUP] = "wait group",
		[GTRACE_BLOCK_CONDITION] = "condition",
		[GTRACE_BLOCK_SEND] = "channel send",
		[GTRACE_BLOCK_RECEIVE] = "channel receive",
		[GTRACE_BLOCK_SELECT] = "select",
		[GTRACE_BLOCK_NETWORK] = "network",
		[GTRACE_BLOCK_SLEEP] = "sleep",
		[GTRACE_BLOCK_SYSCALL] = "system call",
		[GTRACE_BLOCK_ASSIST] = "assist",
		[GTRACE_BLOCK_COLLECTION] = "collection",
	};

	return (size_t)kind < GTRACE_BLOCK_KINDS ? words[kind] : NULL;
}

struct word {
	const char *text;
	enum gtrace_block_kind kind;
};

/* Reasons from Go 1.22 on, and events up to Go 1.21. */
static const struct word reasons[] = {
	{"sync", GTRACE_BLOCK_LOCK},
	{"sync.(*Cond).Wait", GTRACE_BLOCK_CONDITION},
	{"chan send", GTRACE_BLOCK_SEND},
	{"chan receive", GTRACE_BLOCK_RECEIVE},
	{"select", GTRACE_BLOCK_SELECT},
	{"network", GTRACE_BLOCK_NETWORK},
	{"sleep", GTRACE_BLOCK_SLEEP},
	{"GC mark assist wait for work", GTRACE_BLOCK_ASSIST},
	{"GC background sweeper wait", GTRACE_BLOCK_COLLECTION},
	{"GC weak to strong wait", GTRACE_BLOCK_COLLECTION},
	{"wait until GC ends", GTRACE_BLOCK_COLLECTION},
	{"GoBlockSync", GTRACE_BLOCK_LOCK},
	{"GoBlockCond", GTRACE_BLOCK_CONDITION},
	{"GoBlockSend", GTRACE_BLOCK_SEND},
	{"GoBlockRecv", GTRACE_BLOCK_RECEIVE},
	{"GoBlockSelect", GTRACE_BLOCK_SELECT},
	{"GoBlockNet", GTRACE_BLOCK_NETWORK},
	{"GoSleep", GTRACE_BLOCK_SLEEP},
	{"GoBlockGC", GTRACE_BLOCK_COLLECTION},
};

/*
 * How names of functions begin, for blocks without a reason, and where these
 * functions say more than the reason does.
 */
static const struct word functions[] = {
	{"sync.(*WaitGroup).", GTRACE_BLOCK_WAIT_GROUP},
	{"sync.(*Cond).", GTRACE_BLOCK_CONDITION},
	{"sync.(*Mutex).", GTRACE_BLOCK_LOCK},
	{"sync.(*RWMutex).", GTRACE_BLOCK_LOCK},
	{"internal/sync.(*Mutex).", GTRACE_BLOCK_LOCK},
	{"internal/poll.runtime_Semacquire", GTRACE_BLOCK_LOCK},
	{"internal/poll.runtime_pollWait", GTRACE_BLOCK_NETWORK},
	{"runtime.chansend", GTRACE_BLOCK_SEND},
	{"runtime.chanrecv", GTRACE_BLOCK_RECEIVE},
	{"runtime.selectgo", GTRACE_BLOCK_SELECT},
	{"time.Sleep", GTRACE_BLOCK_SLEEP},
	{"runtime.gcAssistAlloc", GTRACE_BLOCK_ASSIST},
	{"runtime.gcBgMarkWorker", GTRACE_BLOCK_COLLECTION},
	{"runtime.bgsweep", GTRACE_BLOCK_COLLECTION},
	{"runtime.bgscavenge", GTRACE_BLOCK_COLLECTION},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool has_function(const struct gtrace_frame *frames, size_t count,
			 const char *with)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (string_begins(frames[i].function, with))
			return true;
	return false;
}

static enum gtrace_block_kind kind_of_reason(struct gtrace_string reason)
{
	size_t i;

	for (i = 0; i < COUNT(reasons); i++)
		if (string_is(reason, reasons[i].text))
			return reasons[i].kind;
	return GTRACE_BLOCK_OTHER;
}

static enum gtrace_block_kind kind_of_function(struct gtrace_string function)
{
	size_t i;

	for (i = 0; i < COUNT(functions); i++)
		if (string_begins(function, functions[i].text))
			return functions[i].kind;
	return GTRACE_BLOCK_OTHER;
}

const char *gti_block_pool(struct gtrace_string function)
{
	if (string_is(function, "database/sql.(*DB).conn"))
		return "a database connection";
	return string_begins(function, "golang.org/x/sync/semaphore.")
		       ? "a semaphore"
		       : NULL;
}

bool gti_block_receives(struct gtrace_string function)
{
	return string_begins(function, "runtime.chanrecv");
}

/* How methods of locks and the like end in which no goroutine waits. */
static const char *const wakers[] = {
	".Add",    ".Broadcast",   ".Done",       ".Go",
	".Signal", ".RUnlock",     ".TryLock",    ".TryRLock",
	".Unlock", ".rUnlockSlow", ".unlockSlow",
};

static bool only_wakes(struct gtrace_string function)
{
	size_t i, size;

	for (i = 0; i < COUNT(wakers); i++) {
		size = strlen(wakers[i]);
		if (function.size > size &&
		    memcmp(function.data + function.size - size, wakers[i],
			   size) == 0)
			return true;
	}
	return false;
}

bool gti_block_waits(struct gtrace_string function)
{
	return kind_of_function(function) != GTRACE_BLOCK_OTHER &&
	       !only_wakes(function);
}

/* The kind that the innermost functions, of the standard library, tell. */
static enum gtrace_block_kind kind_of_stack(const struct gtrace_frame *frames,
					    size_t count)
{
	enum gtrace_block_kind kind = GTRACE_BLOCK_OTHER;
	size_t i;

	for (i = 0; i < count && kind == GTRACE_BLOCK_OTHER &&
		    gti_is_standard(frames[i].function);
	     i++)
		kind = kind_of_function(frames[i].function);
	return kind;
}

static bool is_in_pool(const struct gtrace_frame *frames, size_t count)
{
	struct naming naming = gti_name_stack(frames, count);

	return naming.frame != NULL &&
	       gti_block_pool(naming.frame->function) != NULL;
}

enum gtrace_block_kind gti_block_kind(struct gtrace_string reason,
				      const struct gtrace_frame *frames,
				      size_t count)
{
	enum gtrace_block_kind kind = kind_of_reason(reason);
	enum gtrace_block_kind told = kind_of_stack(frames, count);

	if (kind == GTRACE_BLOCK_SELECT && is_in_pool(frames, count))
		return GTRACE_BLOCK_LOCK;
	/* The collector stops it, wherever it is. */
	if (string_is(reason, "preempted"))
		return GTRACE_BLOCK_OTHER;
	if (kind == GTRACE_BLOCK_OTHER ||
	    (kind == GTRACE_BLOCK_LOCK && told == GTRACE_BLOCK_WAIT_GROUP) ||
	    (kind == GTRACE_BLOCK_COLLECTION && told == GTRACE_BLOCK_ASSIST))
		return told;
	return kind;
}

bool gti_block_rests(enum gtrace_block_kind kind,
		     const struct gtrace_frame *frames, size_t count)
{
	bool works = kind == GTRACE_BLOCK_LOCK || kind == GTRACE_BLOCK_SEND ||
		     kind == GTRACE_BLOCK_SYSCALL ||
		     kind == GTRACE_BLOCK_ASSIST;

	return !works || (kind == GTRACE_BLOCK_SYSCALL && count == 0) ||
	       gti_is_tracer(frames, count) ||
	       has_function(frames, count, "os/signal.signal_recv");
}

bool gti_block_collects(const struct gtrace_frame *frames, size_t count)
{
	return !has_function(frames, count, "runtime.gcBgMarkWorker") &&
	       (has_function(frames, count, "runtime.gcAssistAlloc") ||
		has_function(frames, count, "runtime.gcStart") ||
		has_function(frames, count, "runtime.gcMarkDone"));
}

bool gti_block_serves(enum gtrace_block_kind kind)
{
	return kind == GTRACE_BLOCK_CONDITION || kind == GTRACE_BLOCK_RECEIVE ||
	       kind == GTRACE_BLOCK_SELECT || kind == GTRACE_BLOCK_NETWORK;
}

bool gti_block_helps(struct gtrace_string function)
{
	static const char *const packages[] = {
		"bufio.", "crypto/tls.", "internal/", "io.",
		"net.",   "runtime.",    "sync.",
	};
	size_t i;

	for (i = 0; i < COUNT(packages); i++)
		if (string_begins(function, packages[i]))
			return true;
	return false;
}

enum by gti_block_ender(const struct gtrace_frame *frames, size_t count)
{
	struct naming naming = gti_name_stack(frames, count);

	if (count != 0 &&
	    string_is(frames->function, "runtime.systemstack_switch"))
		return BY_SYSTEM;
	if (has_function(frames, count, "runtime.timerproc"))
		return BY_TIMER;
	if (has_function(frames, count, "internal/poll."))
		return BY_NETWORK;
	return gti_is_named(&naming) && naming.work == GTRACE_WORK_RUNTIME
		       ? BY_RUNTIME
		       : BY_GOROUTINE;
}

/* ----------------------------------------------------------------- times -- */

static int compare_parts(const void *a, const void *b)
{
	const struct gtrace_part *x = a, *y = b;
	int order = strcmp(x->state, y->state);

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return order;
}

void gti_sort_parts(struct gtrace_part *parts, size_t count)
{
	if (count > 1)
		gti_sort(parts, count, sizeof(*parts), compare_parts);
}

size_t gti_times_parts(const struct gtrace_times *times,
		       struct gtrace_part parts[TIMES_PARTS])
{
	const struct gtrace_part others[] = {
		{"ran", {"", 0}, times->ran},
		{"assisted", {"", 0}, times->assisted},
		{"ready", {"", 0}, times->ready},
		{"after its goroutine", {"", 0}, times->ended},
	};
	size_t count = 0, i;

	for (i = 0; i < COUNT(others); i++)
		if (others[i].time != 0)
			parts[count++] = others[i];
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		if (times->blocked[i] != 0)
			parts[count++] = (struct gtrace_part){
				gtrace_block_name((enum gtrace_block_kind)i),
				{"", 0},
				times->blocked[i],
			};
	gti_sort_parts(parts, count);
	return count;
}
