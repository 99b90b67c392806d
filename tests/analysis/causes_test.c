/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes_test.c - for what goroutines could not go on: who is charged, who was
 * at rest, and that each moment counts once, in built and in random streams of
 * transitions; that steps are bounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/judged.h"
#include "tests/model.h"

/*
 * Stacks are numbers. The hundreds are the function that they are called by,
 * which is the first function of its kind if the tens are 0; the tens are the
 * calls below that. A stack that ends in 9 has no frame that is yours, one that
 * ends in 8 is in a write, one that ends in 7 wakes all, and no frame of one
 * that ends in 6 has a name.
 */
#define STACK(function, calls) ((function)*100u + (calls)*10u)

static struct gtrace_allocator memory;
static const struct clock clock = {.ns_per_tick = 1};
static struct feed *feed;
static struct causes *causes;
static struct judged judged;
static uint32_t slots[20000];
static int64_t idle; /* time of processors */

static bool describe(void *context, const struct site_key *key,
		     struct site *site)
{
	(void)context;
	*site = (struct site){
		.stack = (uint32_t)key->stack,
		.kind = (uint8_t)key->reason,
		.by = BY_GOROUTINE,
	};
	if (key->stack == 0)
		site->stack = NO_STACK;
	return true;
}

static void look(void *context, uint32_t stack, struct cause_stack *to)
{
	(void)context;
	to->own = stack % 10 == 6 ? 0 : stack / 100 + 1;
	to->depth = (uint16_t)(stack / 10 % 10);
	if (to->depth > 0)
		to->next[0] = stack / 100 + 1;
	if (to->depth > 1)
		to->next[1] = stack / 10 + 1;
	to->yours = stack % 10 != 9 && stack % 10 != 6;
	to->waits = stack % 10 != 9;
	to->sends = stack % 10 == 8;
	to->broadcasts = stack % 10 == 7;
}

static uint32_t root_of(void *context, uint32_t stack)
{
	(void)context;
	return stack / 1000 + 1;
}

static enum cause_root judge_root(void *context, uint32_t root)
{
	(void)context;
	return root == 10 ? ROOT_OF_RUNTIME : ROOT_COUNTS;
}

static int begin(void **state)
{
	struct consumer consumer;

	(void)state;
	memory = gti_allocator_or_default(NULL);
	idle = 0;
	feed = calloc(1, sizeof(*feed));
	causes = calloc(1, sizeof(*causes));
	assert_non_null(feed);
	assert_non_null(causes);
	memset(slots, 0, sizeof(slots));
	memset(&judged, 0, sizeof(judged));
	gti_feed_init(feed, &clock, &memory);
	gti_causes_init(causes, describe, NULL, &memory);
	causes->chain.root = root_of;
	causes->look = look;
	causes->root = judge_root;
	consumer = gti_causes_consumer(causes);
	gti_feed_add(feed, &consumer);
	return 0;
}

static int end(void **state)
{
	(void)state;
	gti_judged_free(&judged);
	gti_causes_free(causes);
	gti_feed_free(feed);
	free(causes);
	free(feed);
	return 0;
}

static void judge(int64_t length)
{
	gti_feed_finish(feed, length);
	assert_false(feed->failed || causes->failed);
	gti_judge(&judged, causes, length, idle);
	assert_false(judged.failed);
}

/* Goroutine BY makes a transition of KIND of goroutine G. */
static void put(unsigned kind, int64_t now, unsigned g, unsigned by,
		uint64_t stack, uint64_t arg)
{
	struct transition transition = {
		.now = now,
		.written = now,
		.stack = stack,
		.arg = arg,
		.kind = (uint8_t)kind,
	};

	transition.g = feed_slot(feed, &feed->goroutines, &slots[g], g);
	if (by != 0)
		transition.by =
			feed_slot(feed, &feed->goroutines, &slots[by], by);
	feed_record(feed, &transition);
}

/* G begins in the function of STACK, and runs. */
static void start(int64_t now, unsigned g, uint64_t stack)
{
	put(TRANSITION_CREATE, now, g, 0, 0, stack);
	put(TRANSITION_START, now, g, 0, 0, 0);
}

/* G has been in a state since before the trace. */
static void put_first(unsigned g, uint64_t stack, unsigned state)
{
	struct transition transition = {
		.stack = stack,
		.arg = state,
		.kind = TRANSITION_STATUS,
		.flags = TRANSITION_FIRST,
	};

	transition.g = feed_slot(feed, &feed->goroutines, &slots[g], g);
	feed_record(feed, &transition);
}

static void block(int64_t now, unsigned g, uint64_t stack, unsigned kind)
{
	put(TRANSITION_BLOCK, now, g, g, stack, kind);
}

/* BY, 0: a timer or the network, has G go on at once. */
static void wake(int64_t now, unsigned g, unsigned by, uint64_t stack)
{
	put(TRANSITION_READY, now, g, by, stack, 0);
	put(TRANSITION_START, now, g, 0, 0, 0);
}

/* G has written something. */
static void write_once(int64_t now, unsigned g)
{
	put(TRANSITION_CALL, now, g, g, STACK(70, 1) + 8, 0);
	put(TRANSITION_RETURN, now, g, g, 0, 0);
}

/* The sum that the function with the number of STACK has in PART. */
static int64_t sum_of(uint64_t stack, enum gtrace_hold part)
{
	const struct judged_function *functions = judged.functions.items;
	size_t i;

	for (i = 0; i < judged.functions.count; i++)
		if (functions[i].own == stack / 100 + 1)
			return functions[i].parts[part].sum;
	return 0;
}

/* All time that was judged. */
static int64_t judged_sum(void)
{
	const struct judged_function *functions = judged.functions.items;
	const struct judged_loss *losses = judged.losses.items;
	int64_t sum = judged.unassigned + judged.load + judged.collector +
		      judged.helping;
	size_t i;

	for (i = 0; i < judged.functions.count; i++)
		sum += functions[i].itself + functions[i].others;
	for (i = 0; i < judged.losses.count; i++)
		if (losses[i].function == NO_STACK)
			sum += losses[i].sum;
	return sum;
}

/* ------------------------------------------------------------------ rules --
 */

#define HOLDER STACK(20, 1)
#define WAITER STACK(30, 1)

/* Who waits for a lock is held up by what its holder does. */
static void test_lock(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	block(10, 1, HOLDER, GTRACE_BLOCK_SLEEP);
	block(20, 2, WAITER, GTRACE_BLOCK_LOCK);
	wake(1000, 1, 0, 0);
	put(TRANSITION_READY, 1200, 2, 1, STACK(20, 2), 0);
	put(TRANSITION_START, 1200, 2, 0, 0, 0);
	judge(100000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_SLEEP),
			 (1000 - 20) + (1000 - 10));
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_RAN), 1200 - 1000);
	assert_int_equal(
		((struct judged_function *)judged.functions.items)->others,
		1200 - 20);
}

/* Who started the trace did not create what that lists. */
static void test_listed(void **state)
{
	struct transition listed = {
		.stack = HOLDER,
		.arg = STACK(30, 0) + 9,
		.kind = TRANSITION_CREATE,
		.flags = TRANSITION_BEFORE,
	};

	(void)state;
	listed.g = feed_slot(feed, &feed->goroutines, &slots[2], 2);
	feed_record(feed, &listed);
	put(TRANSITION_START, 10, 2, 0, 0, 0);
	put(TRANSITION_CALL, 20, 2, 2, STACK(30, 0) + 9, 0);
	put(TRANSITION_RETURN, 1000020, 2, 2, 0, 0);
	judge(100000000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_CALL), 0);
	assert_int_equal(judged.unassigned, 1000000);
}

/* How long the one that gives a lock back at HOLDER did PART meanwhile. */
static int64_t held(uint32_t at, uint32_t holder, uint32_t part, uint32_t inner)
{
	const struct cause_hold hold = {at, holder, part, inner};
	uint32_t i;

	for (i = 0; i < causes->hold_sums.count; i++)
		if (memcmp(texts_at(&causes->holds, i).data, &hold,
			   sizeof(hold)) == 0)
			return ((const int64_t *)causes->hold_sums.items)[i];
	return 0;
}

/* A wait for a lock is divided between all that had it meanwhile. */
static void test_hand_over(void **state)
{
	(void)state;
	causes->wants_holds = true;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	start(0, 3, STACK(40, 0));
	block(10, 1, STACK(21, 1), GTRACE_BLOCK_SLEEP);
	block(20, 2, WAITER, GTRACE_BLOCK_LOCK);
	block(30, 3, STACK(40, 1), GTRACE_BLOCK_LOCK);
	wake(1000, 1, 0, 0);
	wake(1200, 2, 1, HOLDER);
	wake(1250, 3, 2, STACK(30, 2));
	judge(100000);
	assert_int_equal(causes->hold_sums.count, 5);
	assert_int_equal(held(WAITER, HOLDER, GTRACE_HOLD_SLEEP, STACK(21, 1)),
			 980);
	assert_int_equal(held(WAITER, HOLDER, GTRACE_HOLD_RAN, HOLDER), 200);
	assert_int_equal(
		held(STACK(40, 1), HOLDER, GTRACE_HOLD_SLEEP, STACK(21, 1)),
		970);
	assert_int_equal(held(STACK(40, 1), HOLDER, GTRACE_HOLD_RAN, HOLDER),
			 200);
	assert_int_equal(
		held(STACK(40, 1), STACK(30, 2), GTRACE_HOLD_RAN, STACK(30, 2)),
		50);
}

/*
 * Who waits for another lock holds nothing up; who waits for something else
 * does, and what that does is what is told.
 */
static void test_further_locks(void **state)
{
	(void)state;
	causes->wants_holds = true;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	start(0, 3, STACK(40, 0));
	start(0, 4, STACK(50, 0));
	block(10, 1, STACK(22, 1), GTRACE_BLOCK_SELECT);
	block(10, 2, STACK(31, 1), GTRACE_BLOCK_LOCK);
	block(10, 3, STACK(40, 1), GTRACE_BLOCK_LOCK);
	put(TRANSITION_CALL, 20, 4, 4, STACK(51, 1), 0);
	put(TRANSITION_RETURN, 800, 4, 4, 0, 0);
	wake(900, 1, 4, STACK(50, 1));
	wake(910, 2, 1, HOLDER);
	wake(920, 3, 2, STACK(30, 2));
	judge(100000);
	assert_int_equal(
		held(STACK(40, 1), HOLDER, GTRACE_HOLD_CALL, STACK(51, 1)),
		780);
	assert_int_equal(
		held(STACK(31, 1), HOLDER, GTRACE_HOLD_CALL, STACK(51, 1)),
		780);
	assert_int_equal(
		held(STACK(40, 1), STACK(30, 2), GTRACE_HOLD_RAN, STACK(30, 2)),
		10);
}

/* What runs on after a stack without names is told by the event before. */
static void test_nameless(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	block(10, 1, STACK(21, 1), GTRACE_BLOCK_SLEEP);
	wake(15, 1, 0, 0);
	block(20, 2, WAITER, GTRACE_BLOCK_LOCK);
	put(TRANSITION_PREEMPT, 500, 1, 1, STACK(22, 1) + 6, 0);
	put(TRANSITION_START, 510, 1, 0, 0, 0);
	wake(600, 2, 1, HOLDER);
	judge(100000);
	assert_int_equal(sum_of(STACK(21, 1), GTRACE_HOLD_RAN), 500 - 20);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_RAN), 600 - 510);
}

/* What a goroutine does in functions that are not yours is its creator's. */
static void test_creation(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	put(TRANSITION_CREATE, 10, 2, 1, HOLDER, STACK(30, 0) + 9);
	put(TRANSITION_START, 10, 2, 0, 0, 0);
	put(TRANSITION_CALL, 20, 2, 2, STACK(30, 0) + 9, 0);
	put(TRANSITION_RETURN, 1000020, 2, 2, 0, 0);
	block(1000030, 2, STACK(30, 1) + 9, GTRACE_BLOCK_LOCK);
	put(TRANSITION_READY, 1000040, 2, 0, 0, 0);
	judge(100000000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_CALL), 1000000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_LOCK), 10);
}

/* What others lost by a function wraps around, as its parts do. */
static void test_years(void **state)
{
	const int64_t years = INT64_C(3) << 61;

	(void)state;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	start(0, 3, STACK(31, 0));
	block(10, 1, HOLDER, GTRACE_BLOCK_SLEEP);
	block(20, 2, WAITER, GTRACE_BLOCK_LOCK);
	block(20, 3, STACK(31, 1), GTRACE_BLOCK_LOCK);
	wake(years, 1, 0, 0);
	put(TRANSITION_READY, years, 2, 1, STACK(20, 2), 0);
	put(TRANSITION_READY, years, 3, 1, STACK(20, 2), 0);
	judge(years);
	assert_int_equal(
		((struct judged_function *)judged.functions.items)->others,
		2 * ((uint64_t)years - 20));
}

#define WORKER STACK(40, 0)

/* A worker without work is at rest, no matter which goroutine brings it. */
static void test_loop(void **state)
{
	int64_t now;

	(void)state;
	start(0, 1, WORKER);
	start(0, 2, STACK(20, 0));
	for (now = 100; now < 1000; now += 100) {
		block(now, 1, WORKER, GTRACE_BLOCK_RECEIVE);
		block(now + 10, 2, HOLDER, GTRACE_BLOCK_NETWORK);
		wake(now + 50, 2, 0, 0);
		wake(now + 60, 1, 2, HOLDER);
	}
	judge(100000);
	assert_int_equal(sum_of(WORKER, GTRACE_HOLD_NETWORK), 0);
	assert_true(judged.loops.count > 0);
	/* What the other one waits for is no loop of its own. */
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_NETWORK), 0);
}

/* Goroutines that wait for what others of their kind have are not at rest. */
static void test_pool(void **state)
{
	int64_t now;

	(void)state;
	start(0, 1, WORKER);
	start(0, 2, WORKER);
	write_once(1, 2);
	for (now = 100; now < 1000; now += 100) {
		block(now, 1, WORKER, GTRACE_BLOCK_RECEIVE);
		block(now + 10, 2, STACK(41, 1), GTRACE_BLOCK_NETWORK);
		wake(now + 50, 2, 0, 0);
		wake(now + 60, 1, 2, STACK(41, 2));
	}
	judge(100000);
	assert_int_equal(sum_of(STACK(41, 1), GTRACE_HOLD_NETWORK),
			 9 * 40 + 9 * 40);
}

/* Who waits for its like is not at rest, although that rests itself. */
static void test_line(void **state)
{
	int64_t now;

	(void)state;
	start(0, 1, WORKER);
	start(0, 2, WORKER);
	start(0, 3, STACK(20, 0));
	for (now = 100; now < 1000; now += 100) {
		block(now, 1, WORKER, GTRACE_BLOCK_RECEIVE);
		block(now, 2, WORKER, GTRACE_BLOCK_RECEIVE);
		put(TRANSITION_CALL, now, 3, 3, HOLDER, 0);
		put(TRANSITION_RETURN, now + 50, 3, 3, 0, 0);
		wake(now + 50, 1, 3, HOLDER);
		wake(now + 60, 2, 1, WORKER);
	}
	judge(100000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_CALL), 9 * 50);
	assert_int_equal(sum_of(WORKER, GTRACE_HOLD_RAN), 9 * 10);
}

/* G loops at STACK, and the network ends its waits. */
static void loop_at(unsigned g, uint64_t stack)
{
	int64_t now;

	write_once(1, g);
	for (now = 100; now < 500; now += 100) {
		block(now, g, stack, GTRACE_BLOCK_NETWORK);
		wake(now + 50, g, 0, 0);
	}
}

/* A function that calls one for each goroutine is no kind. */
static void test_wrapper(void **state)
{
	(void)state;
	start(0, 1, STACK(50, 0));
	start(0, 2, STACK(50, 0));
	loop_at(1, STACK(51, 1));
	loop_at(2, STACK(52, 2));
	judge(100000);
	assert_int_equal(sum_of(STACK(52, 0), GTRACE_HOLD_NETWORK), 0);
}

/* If one goroutine calls several, it is. */
static void test_no_wrapper(void **state)
{
	(void)state;
	start(0, 1, STACK(50, 0));
	start(0, 2, STACK(50, 0));
	loop_at(1, STACK(51, 1));
	loop_at(2, STACK(52, 2));
	block(600, 2, STACK(53, 2), GTRACE_BLOCK_LOCK);
	wake(610, 2, 1, STACK(51, 1));
	judge(100000);
	assert_int_equal(sum_of(STACK(52, 0), GTRACE_HOLD_NETWORK), 4 * 50);
}

/* Blocks of more than half of the trace are rest; locks are not. */
static void test_long(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	start(0, 3, STACK(50, 0));
	block(10, 1, HOLDER, GTRACE_BLOCK_SLEEP);
	block(20, 2, WAITER, GTRACE_BLOCK_LOCK);
	block(20, 3, STACK(50, 1), GTRACE_BLOCK_WAIT_GROUP);
	wake(800, 1, 0, 0);
	wake(800, 2, 1, HOLDER);
	wake(800, 3, 1, HOLDER);
	judge(1000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_SLEEP), 800 - 20);
	assert_int_equal(judged_sum(), 790 + 780 + 780);
}

/* Short system calls are no harm. */
static void test_calls(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	put(TRANSITION_CALL, 10, 1, 1, HOLDER, 0);
	put(TRANSITION_RETURN, 10 + CAUSE_LEAST - 1, 1, 1, 0, 0);
	put(TRANSITION_CALL, 1000000, 1, 1, STACK(21, 1), 0);
	put(TRANSITION_RETURN, 1000000 + CAUSE_LEAST, 1, 1, 0, 0);
	judge(10000000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_CALL), 0);
	assert_int_equal(sum_of(STACK(21, 1), GTRACE_HOLD_CALL), CAUSE_LEAST);
}

/* G begins a send at NOW that is never over. */
static void send_for_ever(int64_t now, unsigned g, uint64_t stack)
{
	put(TRANSITION_CREATE, now, g, 1, HOLDER, WORKER);
	put(TRANSITION_START, now, g, 0, 0, 0);
	block(now + 1, g, stack, GTRACE_BLOCK_SEND);
}

/* So many of the sends that are not over are one leak. */
static void expect_leak(uint64_t count)
{
	judge(1000);
	assert_int_equal(judged.leaks.count, 1);
	assert_int_equal(((struct judged_leak *)judged.leaks.items)->count,
			 count);
}

/* Goroutines that never come out of a send are one leak. */
static void test_leak(void **state)
{
	unsigned g;

	(void)state;
	start(0, 1, STACK(20, 0));
	for (g = 2; g < 42; g++)
		send_for_ever(g * 20, g, WORKER);
	expect_leak(40);
}

/* The stacks are of one function, called from anywhere. */
static void test_leak_ground(void **state)
{
	unsigned g;

	(void)state;
	start(0, 1, STACK(20, 0));
	for (g = 2; g < 42; g++)
		send_for_ever(g * 20, g, WORKER + g % 6 + g % 3 * 10);
	expect_leak(40);
}

/*
 * What counts is that the block began in the trace, not that the goroutine did:
 * these were there.
 */
static void test_leak_of_old(void **state)
{
	unsigned g;

	(void)state;
	feed->origin = 0;
	for (g = 1; g < 42; g++)
		put_first(g, STACK(20, 0), GOROUTINE_RUNS);
	for (g = 2; g < 42; g++)
		block(g * 20, g, WORKER, GTRACE_BLOCK_SEND);
	put_first(42, WORKER, GOROUTINE_BLOCKED);
	expect_leak(40);
}

/* 1 waits at STACK for KIND until 2 has made a call. */
static void wait_for_call(int64_t now, uint64_t stack, unsigned kind)
{
	block(now, 1, stack, kind);
	put(TRANSITION_CALL, now + 10, 2, 2, HOLDER, 0);
	put(TRANSITION_RETURN, now + 60, 2, 2, 0, 0);
	wake(now + 60, 1, 2, HOLDER);
}

/* Stacks in one function are one place, and goroutines loop there. */
static void test_ground(void **state)
{
	int64_t now;

	(void)state;
	start(0, 1, WORKER);
	start(0, 2, STACK(20, 0));
	for (now = 100; now < 300; now += 100)
		wait_for_call(now, WORKER + 10 + (unsigned)now / 100,
			      GTRACE_BLOCK_RECEIVE);
	/* A wait of more calls is none. */
	wait_for_call(300, WORKER + 20, GTRACE_BLOCK_RECEIVE);
	judge(100000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_CALL), 50);
}

/* Of places with equally many calls, that where one waits first. */
static void test_first(void **state)
{
	(void)state;
	start(0, 1, WORKER);
	start(0, 2, STACK(20, 0));
	wait_for_call(100, WORKER + 10, GTRACE_BLOCK_RECEIVE);
	wait_for_call(200, WORKER + 10, GTRACE_BLOCK_SELECT);
	wait_for_call(300, WORKER + 10, GTRACE_BLOCK_SELECT);
	wait_for_call(400, WORKER + 10, GTRACE_BLOCK_SELECT);
	wait_for_call(500, WORKER + 10, GTRACE_BLOCK_RECEIVE);
	judge(100000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_CALL), 3 * 50);
}

/* The peer of a new goroutine that has written nothing is to begin. */
static void test_new(void **state)
{
	unsigned g;

	(void)state;
	for (g = 1; g <= 2; g++) {
		start(0, g, STACK(10 + 10 * g, 0));
		if (g == 2)
			write_once(5, g);
		block(10, g, STACK(11 + 10 * g, 1), GTRACE_BLOCK_NETWORK);
		wake(400, g, 0, 0);
	}
	judge(1000);
	assert_int_equal(sum_of(STACK(21, 0), GTRACE_HOLD_NETWORK), 0);
	assert_int_equal(sum_of(STACK(31, 0), GTRACE_HOLD_NETWORK), 390);
}

/* Who sends to one that waits for its input is at rest; if it sleeps, not. */
static void test_send(void **state)
{
	static const unsigned kinds[] = {
		GTRACE_BLOCK_NETWORK, GTRACE_BLOCK_SLEEP, GTRACE_BLOCK_SELECT};
	unsigned i, g;
	int64_t now;

	(void)state;
	for (i = 0; i < 3; i++) {
		g = 1 + 2 * i;
		start(0, g, STACK(20 + 10 * i, 0));
		start(0, g + 1, STACK(60 + i, 0));
		write_once(1, g);
		for (now = 100; now < 500; now += 100) {
			block(now, g, STACK(20 + 10 * i, 0), kinds[i]);
			block(now, g + 1, STACK(60 + i, 1), GTRACE_BLOCK_SEND);
			wake(now + 50, g, 0, 0);
			wake(now + 50, g + 1, g, STACK(20 + 10 * i, 0));
		}
	}
	judge(100000);
	assert_int_equal(sum_of(STACK(20, 0), GTRACE_HOLD_NETWORK), 0);
	assert_int_equal(sum_of(STACK(30, 0), GTRACE_HOLD_SLEEP), 4 * 50);
	assert_int_equal(sum_of(STACK(40, 0), GTRACE_HOLD_SLEEP), 4 * 50);
}

/* Workers wait for one that runs most of the time: 8 of them, 3 idle. */
static void wait_for_work(int64_t pause)
{
	unsigned g;
	int64_t now;

	start(0, 20, STACK(20, 0));
	for (g = 1; g <= 8; g++)
		start(0, g, WORKER);
	for (now = 0; now < 1000; now += 100) {
		for (g = 1; g <= 8; g++)
			block(now, g, WORKER, GTRACE_BLOCK_RECEIVE);
		block(now + 1, 20, HOLDER, GTRACE_BLOCK_SLEEP);
		wake(now + 1 + pause, 20, 0, 0);
		for (g = 1; g <= 8; g++)
			wake(now + 90, g, 20, HOLDER);
	}
	idle = 3000;
	judge(1000);
}

static void test_work(void **state)
{
	(void)state;
	wait_for_work(10);
	/* 8 * 79 of 100 waited for it to run, which 3 * 100 could have done. */
	assert_in_range(sum_of(HOLDER, GTRACE_HOLD_WORK), 2990, 3000);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_RAN), 0);
	assert_int_equal(judged_sum(), 10 * 10 + 10 * 8 * 90);
}

/* It has pauses: 40 of 1000, 8 times. */
static void test_no_work(void **state)
{
	(void)state;
	wait_for_work(85);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_WORK), 0);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_RAN), 0);
}

/* What is not over when the trace ends counts, but where nothing ends it. */
static void test_open(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	start(0, 3, STACK(40, 0));
	start(0, 4, STACK(50, 0));
	start(0, 5, STACK(60, 0));
	put(TRANSITION_CALL, 700000, 1, 1, STACK(20, 1), 0);
	block(800000, 2, STACK(30, 1), GTRACE_BLOCK_SLEEP);
	block(800000, 3, STACK(40, 1), GTRACE_BLOCK_LOCK);
	block(800000, 4, STACK(50, 1), GTRACE_BLOCK_RECEIVE);
	put(TRANSITION_PREEMPT, 800000, 5, 5, STACK(60, 1), 0);
	judge(1000000);
	assert_int_equal(sum_of(STACK(20, 0), GTRACE_HOLD_CALL), 300000);
	assert_int_equal(sum_of(STACK(30, 0), GTRACE_HOLD_SLEEP), 200000);
	assert_int_equal(judged.unassigned, 200000);
	assert_int_equal(causes->ready, 200000);
	assert_int_equal(judged_sum(), 900000);
}

/* Who waits until a timer ends it sleeps, but for the loop that it paces. */
static void test_timer(void **state)
{
	int64_t now;

	(void)state;
	start(0, 1, WORKER);
	for (now = 100; now < 500; now += 100) {
		block(now, 1, WORKER, GTRACE_BLOCK_SELECT);
		wake(now + 40, 1, 0, 0);
		block(now + 50, 1, STACK(41, 1), GTRACE_BLOCK_SELECT);
		wake(now + 80, 1, 0, 0);
	}
	judge(100000);
	assert_int_equal(sum_of(STACK(41, 1), GTRACE_HOLD_SLEEP), 4 * 30);
	assert_int_equal(sum_of(WORKER, GTRACE_HOLD_SLEEP), 0);
}

/* Others wait for one that helps the collector. */
static void test_collector(void **state)
{
	(void)state;
	start(0, 1, STACK(20, 0));
	start(0, 2, STACK(30, 0));
	block(10, 2, WAITER, GTRACE_BLOCK_LOCK);
	put(TRANSITION_ASSIST, 20, 1, 1, HOLDER, 0);
	put(TRANSITION_ASSIST_END, 60, 1, 1, HOLDER, 0);
	block(60, 1, HOLDER, GTRACE_BLOCK_ASSIST);
	wake(90, 1, 0, 0);
	wake(95, 2, 1, HOLDER);
	judge(100000);
	assert_int_equal(judged.collector, 70);
	assert_int_equal(judged.helping, 30);
	assert_int_equal(sum_of(HOLDER, GTRACE_HOLD_RAN), 15);
}

/* 1 wakes others by STACK; of these, 2 runs long, and 3 is in a call. */
static void wake_all(uint64_t stack)
{
	unsigned g;

	start(0, 1, STACK(20, 0));
	for (g = 2; g < 42; g++) {
		start(0, g, WORKER);
		block(10, g, WORKER, GTRACE_BLOCK_CONDITION);
	}
	for (g = 2; g < 42; g++)
		wake(1000, g, 1, stack);
	put(TRANSITION_CALL, 1100, 3, 3, WORKER, 0);
	put(TRANSITION_RETURN, 1200, 3, 3, 0, 0);
	for (g = 3; g < 42; g++) {
		block(2000, g, WORKER + 10, GTRACE_BLOCK_LOCK);
		wake(3000, g, 1, HOLDER);
		/* Another stack of the same function. */
		block(4000, g, WORKER + 1, GTRACE_BLOCK_CONDITION);
	}
	block(1000 + CAUSE_LEAST + 1, 2, WORKER, GTRACE_BLOCK_CONDITION);
	judge(10000000);
}

static void test_broadcast(void **state)
{
	const struct cause_broadcast *broadcast;

	(void)state;
	wake_all(HOLDER + 7);
	assert_int_equal(causes->broadcasts.count, 1);
	broadcast = causes->broadcasts.items;
	assert_int_equal(broadcast->by, HOLDER + 7);
	assert_int_equal(broadcast->woken, 40);
	assert_int_equal(broadcast->lost.count, 39);
	assert_int_equal(broadcast->lost.sum, 38 * 3000 + (CAUSE_LEAST + 1));
	assert_int_equal(broadcast->lost.worst, CAUSE_LEAST + 1);
}

/* Who wakes one after the other need not. */
static void test_no_broadcast(void **state)
{
	(void)state;
	wake_all(HOLDER);
	assert_int_equal(causes->broadcasts.count, 0);
}

/* The runtime's own goroutines do not count. */
static void test_runtime(void **state)
{
	(void)state;
	start(0, 1, STACK(90, 0));
	start(0, 2, STACK(20, 0));
	block(10, 1, STACK(90, 1), GTRACE_BLOCK_LOCK);
	wake(500, 1, 2, HOLDER);
	judge(1000);
	assert_int_equal(judged_sum(), 0);
}

/* ----------------------------------------------------------------- bounds --
 */

/* Behind a holder, a convoy in which each goroutine wakes the next one. */
static void test_convoy(void **state)
{
	const unsigned count = 10000;
	unsigned g;

	(void)state;
	start(0, 1, STACK(20, 0));
	for (g = 2; g < count; g++) {
		start(0, g, STACK(30, 0));
		block(10, g, WAITER, GTRACE_BLOCK_LOCK);
	}
	for (g = 2; g < count; g++)
		wake(1000 + g, g, g - 1, STACK(30, 2));
	judge(100000);
	assert_true(causes->chain.steps <=
		    64 * causes->transitions + 65536 + 2 * 4096);
	assert_true(judged_sum() > 0);
}

/* ----------------------------------------------------------------- random --
 */

#define GOROUTINES 40

/* Each moment of a block counts once, for whomever. */
static void test_sums(void **state)
{
	uint64_t random = 7;
	int64_t since[GOROUTINES] = {0}, now = 0, sum = 0;
	unsigned g, by, step;

	(void)state;
	for (g = 1; g < GOROUTINES; g++)
		start(0, g, STACK(20 + g / 10 * 10, 0));
	for (step = 0; step < 200000; step++) {
		now += (int64_t)random_below(&random, 3);
		g = 1 + (unsigned)random_below(&random, GOROUTINES - 1);
		by = 1 + (unsigned)random_below(&random, GOROUTINES - 1);
		if (since[g] == 0) {
			since[g] = now + 1;
			block(now, g,
			      STACK(20 + g / 10 * 10 +
					    (unsigned)random_below(&random, 9),
				    (unsigned)random_below(&random, 4)),
			      1 + (unsigned)random_below(&random, 8));
			continue;
		}
		sum += now - (since[g] - 1);
		since[g] = 0;
		if (by == g || since[by] != 0)
			by = 0;
		wake(now, g, by, by == 0 ? 0 : STACK(25, 1));
	}
	for (g = 1; g < GOROUTINES; g++)
		sum += since[g] != 0 ? now + 1 - (since[g] - 1) : 0;
	judge(now + 1);
	assert_int_equal(causes->every, 1);
	assert_int_equal(judged_sum(), sum);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lock),      TEST(test_years),
		TEST(test_loop),      TEST(test_pool),
		TEST(test_long),      TEST(test_calls),
		TEST(test_leak),      TEST(test_runtime),
		TEST(test_convoy),    TEST(test_sums),
		TEST(test_ground),    TEST(test_new),
		TEST(test_send),      TEST(test_work),
		TEST(test_open),      TEST(test_collector),
		TEST(test_no_work),   TEST(test_leak_ground),
		TEST(test_timer),     TEST(test_line),
		TEST(test_wrapper),   TEST(test_no_wrapper),
		TEST(test_broadcast), TEST(test_no_broadcast),
		TEST(test_first),     TEST(test_leak_of_old),
		TEST(test_nameless),  TEST(test_creation),
		TEST(test_hand_over), TEST(test_further_locks),
		TEST(test_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
