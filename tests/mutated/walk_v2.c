/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_v2.c - traces of Go 1.22 and later, record by record: a random walk over
 * what threads, processors and goroutines may do next, with any reasons, names
 * and times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model.h"
#include "tests/mutated/mutations.h"
#include "tests/v2/builder.h"

#define THREADS    4
#define PROCESSORS 3
#define GOROUTINES 8
#define STACK_IDS  9

enum status { ABSENT, RUNNABLE, RUNNING, IN_CALL, WAITING };

struct thread {
	struct builder bytes; /* of its open batch */
	uint64_t last;        /* time of the last event in it */
	int p;                /* -1: none; and its goroutine */
	int g;
	bool stolen; /* its processor was, in a system call */
};

struct processor {
	int thread; /* -1: none holds it */
	uint64_t seq;
	bool sweeps;
};

struct goroutine {
	enum status status;
	uint64_t id;
	uint64_t seq;
	bool assists;
	uint64_t regions;
};

static struct {
	struct thread threads[THREADS];
	struct processor processors[PROCESSORS];
	struct goroutine goroutines[GOROUTINES];
	struct builder *to;
	uint64_t *seed;
	uint64_t time;
	unsigned version;
	unsigned step; /* times between events are below 2 to this power */
	uint64_t generation;
	uint64_t thread_base;
	uint64_t gc_seq;
	bool collects;
	int stopper; /* the goroutine that stopped the world, -1: none */
	uint64_t next_id;
	uint64_t tasks;
} walk;

static uint64_t below(uint64_t limit)
{
	return random_below(walk.seed, limit);
}

static const char *const names[] = {
	"",
	"preempted",
	"chan send",
	"chan receive",
	"select",
	"sync",
	"sync.(*Mutex).Lock",
	"network",
	"sleep",
	"forever",
	"system goroutine wait",
	"GC mark assist wait for work",
	"GC background sweeper wait",
	"GC (idle)",
	"GC (dedicated)",
	"GC (fractional)",
	"GC sweep termination",
	"GC mark termination",
	"runtime.gopark",
	"runtime.main",
	"main.main",
	"main.f",
	"main.(*T).g.func1",
	"net/http.(*conn).serve",
	"net/http.(*persistConn).readLoop",
	"sync.(*WaitGroup).Wait",
	"syscall.write",
	"runtime.gcBgMarkWorker",
	"runtime/trace.Start.func1",
	"<script>alert('x')</script>",
	"a\nb\"c,d\\",
	"\xff\xfe\x80",
	"=1+1",
	"\xe2\x80\xae\xc2\x9b[2J",
	"f[go.shape.int]",
	"main.f %s %n",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

/* ---------------------------------------------------------------- output -- */

static void write_batch(uint64_t thread, uint64_t time,
			const struct builder *data)
{
	builder_value(walk.to, BATCH);
	builder_value(walk.to, walk.generation);
	builder_value(walk.to, thread);
	builder_value(walk.to, time);
	builder_value(walk.to, data->size);
	builder_bytes(walk.to, data->bytes, data->size);
}

/* The batch of a thread is the time of its first event, and its data. */
static void end_batch_of(int t)
{
	struct thread *thread = &walk.threads[t];
	struct builder data;
	const uint8_t *p, *end;
	uint64_t time;

	if (thread->bytes.size == 0)
		return;
	p = thread->bytes.bytes;
	end = p + thread->bytes.size;
	time = take_value(&p, end);
	builder_open(&data, 0);
	builder_bytes(&data, p, (size_t)(end - p));
	write_batch(walk.thread_base + (uint64_t)t, time, &data);
	builder_close(&data);
	builder_close(&thread->bytes);
}

/* An event of thread T, now; LIST has the number of its values, and these. */
static void event(int t, uint8_t type, const uint64_t *list)
{
	struct thread *thread = &walk.threads[t];
	uint64_t i, more = below(UINT64_C(1) << below(walk.step));

	walk.time += more;
	if (thread->bytes.size > 200)
		end_batch_of(t);
	if (thread->bytes.size == 0) {
		builder_open(&thread->bytes, 0);
		builder_value(&thread->bytes, walk.time);
		thread->last = walk.time;
	}
	builder_bytes(&thread->bytes, &type, 1);
	builder_value(&thread->bytes, walk.time - thread->last);
	for (i = 1; i <= list[0]; i++)
		builder_value(&thread->bytes, list[i]);
	thread->last = walk.time;
}

#define EVENT(t, type, ...) event(t, type, (const uint64_t[]){__VA_ARGS__})

static uint64_t any_stack(void)
{
	return below(STACK_IDS + 1);
}

static uint64_t any_name(void)
{
	return 1 + below(NAMES);
}

static void write_strings(void)
{
	struct builder data;
	uint8_t type = STRINGS;
	size_t i;

	builder_open(&data, 0);
	builder_bytes(&data, &type, 1);
	for (i = 0; i < NAMES; i++) {
		type = STRING;
		builder_bytes(&data, &type, 1);
		builder_value(&data, i + 1);
		builder_value(&data, strlen(names[i]));
		builder_bytes(&data, names[i], strlen(names[i]));
	}
	write_batch(NONE, walk.time, &data);
	builder_close(&data);
}

static void write_stacks(void)
{
	struct builder data;
	uint8_t type = STACKS;
	uint64_t i, frames;

	builder_open(&data, 0);
	builder_bytes(&data, &type, 1);
	for (i = 1; i < STACK_IDS; i++) {
		type = STACK;
		frames = below(5);
		builder_bytes(&data, &type, 1);
		builder_value(&data, i);
		builder_value(&data, frames);
		for (; frames > 0; frames--) {
			uint64_t function = any_name();

			builder_value(&data, 64 + function);
			builder_value(&data, function);
			builder_value(&data, any_name());
			builder_value(&data, below(20) == 0
						     ? hostile_value(walk.seed)
						     : below(100));
		}
	}
	write_batch(NONE, walk.time, &data);
	builder_close(&data);
}

static void write_clock(uint64_t frequency)
{
	struct builder data;
	uint8_t type = SYNC;

	builder_open(&data, 0);
	if (walk.version >= 25) {
		builder_bytes(&data, &type, 1);
		type = SNAPSHOT;
		builder_bytes(&data, &type, 1);
		builder_value(&data, 1);
		builder_value(&data, walk.time);
		builder_value(&data, 3);
		builder_value(&data, 4);
	}
	type = FREQUENCY;
	builder_bytes(&data, &type, 1);
	builder_value(&data, frequency);
	write_batch(NONE, walk.time, &data);
	builder_close(&data);
}

static void write_samples(void)
{
	struct builder data;
	uint8_t type = SAMPLES;
	uint64_t n = below(6);

	builder_open(&data, 0);
	builder_bytes(&data, &type, 1);
	for (; n > 0; n--) {
		type = SAMPLE;
		builder_bytes(&data, &type, 1);
		builder_value(&data, walk.time - below(walk.time));
		builder_value(&data, walk.thread_base + below(THREADS));
		builder_value(&data, below(PROCESSORS));
		builder_value(&data, walk.goroutines[below(GOROUTINES)].id);
		builder_value(&data, any_stack());
	}
	write_batch(NONE, walk.time, &data);
	builder_close(&data);
}

/* ---------------------------------------------------------------- things -- */

/* One of the goroutines with STATUS, -1: there is none. */
static int goroutine_with(enum status status)
{
	int first = (int)below(GOROUTINES), i;

	for (i = 0; i < GOROUTINES; i++) {
		int g = (first + i) % GOROUTINES;

		if (walk.goroutines[g].status == status)
			return g;
	}
	return -1;
}

static int free_processor(void)
{
	int first = (int)below(PROCESSORS), i;

	for (i = 0; i < PROCESSORS; i++) {
		int p = (first + i) % PROCESSORS;

		if (walk.processors[p].thread < 0)
			return p;
	}
	return -1;
}

/* A thread in a system call with its processor, -1: there is none. */
static int thread_to_steal_from(void)
{
	int i;

	for (i = 0; i < THREADS; i++) {
		const struct thread *thread = &walk.threads[i];

		if (thread->p >= 0 && thread->g >= 0 &&
		    walk.goroutines[thread->g].status == IN_CALL)
			return i;
	}
	return -1;
}

static void take(int t, int p)
{
	walk.threads[t].p = p;
	walk.processors[p].thread = t;
}

static void give_up(int t)
{
	walk.processors[walk.threads[t].p].thread = -1;
	walk.threads[t].p = -1;
}

/* The goroutine of T leaves it, and has STATUS then. */
static void leave(int t, enum status status)
{
	walk.goroutines[walk.threads[t].g].status = status;
	walk.threads[t].g = -1;
}

static void run(int t, int g)
{
	walk.threads[t].g = g;
	walk.goroutines[g].status = RUNNING;
}

/* ----------------------------------------------------------------- steps -- */

static void step_without_processor(int t)
{
	int p = free_processor(), from = thread_to_steal_from();

	if (p >= 0 && below(3) != 0) {
		EVENT(t, PROC_START, 2, (uint64_t)p, ++walk.processors[p].seq);
		take(t, p);
	} else if (from >= 0 && from != t) {
		p = walk.threads[from].p;
		EVENT(t, PROC_STEAL, 3, (uint64_t)p, ++walk.processors[p].seq,
		      walk.thread_base + (uint64_t)from);
		walk.threads[from].stolen = true;
		give_up(from);
	}
}

static void unblock(int t)
{
	int g = goroutine_with(WAITING);

	if (g < 0)
		return;
	EVENT(t, GO_UNBLOCK, 3, walk.goroutines[g].id, ++walk.goroutines[g].seq,
	      any_stack());
	walk.goroutines[g].status = RUNNABLE;
}

static void create(int t)
{
	int g = goroutine_with(ABSENT);
	bool blocked = below(5) == 0;

	if (g < 0)
		return;
	walk.goroutines[g] = (struct goroutine){
		.status = blocked ? WAITING : RUNNABLE, .id = walk.next_id++};
	EVENT(t, blocked ? GO_CREATE_BLOCKED : GO_CREATE, 3,
	      walk.goroutines[g].id, any_stack(), any_stack());
}

static void step_without_goroutine(int t)
{
	struct processor *p = &walk.processors[walk.threads[t].p];
	int g = goroutine_with(RUNNABLE);

	switch (below(8)) {
	case 0:
		if (!p->sweeps) {
			EVENT(t, PROC_STOP, 0);
			give_up(t);
		}
		break;
	case 1:
		unblock(t);
		break;
	case 2:
		EVENT(t, (uint8_t)(HEAP_ALLOC + below(2)), 1,
		      below(2) == 0 ? hostile_value(walk.seed)
				    : below(1 << 20));
		break;
	case 3:
		create(t);
		break;
	default:
		if (g < 0)
			return;
		EVENT(t, GO_START, 2, walk.goroutines[g].id,
		      ++walk.goroutines[g].seq);
		run(t, g);
	}
}

static void step_in_call(int t)
{
	if (walk.threads[t].stolen) {
		EVENT(t, GO_SYSCALL_END_BLOCKED, 0);
		walk.threads[t].stolen = false;
		leave(t, RUNNABLE);
	} else {
		EVENT(t, GO_SYSCALL_END, 0);
		walk.goroutines[walk.threads[t].g].status = RUNNING;
	}
}

static void leave_processor(int t)
{
	struct goroutine *g = &walk.goroutines[walk.threads[t].g];
	int other = goroutine_with(WAITING);

	switch (below(5)) {
	case 0:
		EVENT(t, GO_STOP, 2, any_name(), any_stack());
		leave(t, RUNNABLE);
		break;
	case 1:
		if (g->assists || walk.stopper == walk.threads[t].g)
			return;
		EVENT(t, GO_DESTROY, 0);
		leave(t, ABSENT);
		break;
	case 2:
		if (other < 0 || walk.version < 23)
			return;
		EVENT(t, GO_SWITCH, 2, walk.goroutines[other].id,
		      ++walk.goroutines[other].seq);
		leave(t, WAITING);
		run(t, other);
		break;
	default:
		EVENT(t, GO_BLOCK, 2, any_name(), any_stack());
		leave(t, WAITING);
	}
}

static void change_range(int t)
{
	struct goroutine *g = &walk.goroutines[walk.threads[t].g];
	struct processor *p = &walk.processors[walk.threads[t].p];

	switch (below(4)) {
	case 0:
		if (walk.stopper < 0) {
			EVENT(t, STW_BEGIN, 2, any_name(), any_stack());
			walk.stopper = walk.threads[t].g;
		} else if (walk.stopper == walk.threads[t].g) {
			EVENT(t, STW_END, 0);
			walk.stopper = -1;
		}
		break;
	case 1:
		if (walk.collects)
			EVENT(t, GC_END, 1, ++walk.gc_seq);
		else
			EVENT(t, GC_BEGIN, 2, ++walk.gc_seq, any_stack());
		walk.collects = !walk.collects;
		break;
	case 2:
		if (p->sweeps)
			EVENT(t, SWEEP_END, 2, below(1 << 20),
			      hostile_value(walk.seed));
		else
			EVENT(t, SWEEP_BEGIN, 1, any_stack());
		p->sweeps = !p->sweeps;
		break;
	default:
		if (g->assists)
			EVENT(t, ASSIST_END, 0);
		else
			EVENT(t, ASSIST_BEGIN, 1, any_stack());
		g->assists = !g->assists;
	}
}

static void put_annotation(int t)
{
	struct goroutine *g = &walk.goroutines[walk.threads[t].g];

	switch (below(6)) {
	case 0:
		EVENT(t, TASK_BEGIN, 4, ++walk.tasks, below(walk.tasks),
		      any_name(), any_stack());
		break;
	case 1:
		EVENT(t, TASK_END, 2, 1 + below(walk.tasks + 1), any_stack());
		break;
	case 2:
		if (g->regions == 0)
			return;
		EVENT(t, REGION_END, 3, 0, g->regions, any_stack());
		g->regions = 0;
		break;
	case 3:
		if (g->regions != 0)
			return;
		g->regions = any_name();
		EVENT(t, REGION_BEGIN, 3, 0, g->regions, any_stack());
		break;
	case 4:
		EVENT(t, 44 /* a log */, 4, below(walk.tasks + 1), any_name(),
		      any_name(), any_stack());
		break;
	default:
		EVENT(t, 39 /* a label */, 1, any_name());
	}
}

static void step_of_goroutine(int t)
{
	switch (below(8)) {
	case 0:
		create(t);
		break;
	case 1:
		unblock(t);
		break;
	case 2:
		EVENT(t, GO_SYSCALL_BEGIN, 2,
		      ++walk.processors[walk.threads[t].p].seq, any_stack());
		walk.goroutines[walk.threads[t].g].status = IN_CALL;
		break;
	case 3:
		change_range(t);
		break;
	case 4:
		put_annotation(t);
		break;
	case 5:
		EVENT(t, PROCS_CHANGE, 2, 1 + below(PROCESSORS), any_stack());
		break;
	default:
		leave_processor(t);
	}
}

static void step(int t)
{
	const struct thread *thread = &walk.threads[t];

	if (thread->g >= 0 && walk.goroutines[thread->g].status == IN_CALL)
		step_in_call(t);
	else if (thread->p < 0)
		step_without_processor(t);
	else if (thread->g < 0)
		step_without_goroutine(t);
	else
		step_of_goroutine(t);
}

/* ----------------------------------------------------------- generations -- */

static void put_status_of_thread(int t)
{
	const struct thread *thread = &walk.threads[t];
	bool in_call =
		thread->g >= 0 && walk.goroutines[thread->g].status == IN_CALL;

	if (thread->p >= 0) {
		EVENT(t, PROC_STATUS, 2, (uint64_t)thread->p, in_call ? 3 : 1);
		if (walk.processors[thread->p].sweeps)
			EVENT(t, SWEEP_ACTIVE, 1, (uint64_t)thread->p);
	}
	if (thread->g >= 0) {
		EVENT(t, GO_STATUS, 3, walk.goroutines[thread->g].id,
		      walk.thread_base + (uint64_t)t, in_call ? 3 : 2);
		if (walk.goroutines[thread->g].assists)
			EVENT(t, ASSIST_ACTIVE, 1,
			      walk.goroutines[thread->g].id);
	}
}

/* All that a generation mentions has a status in it. */
static void put_statuses(void)
{
	int i;

	for (i = 0; i < THREADS; i++)
		put_status_of_thread(i);
	for (i = 0; i < PROCESSORS; i++) {
		walk.processors[i].seq = 0;
		if (walk.processors[i].thread < 0)
			EVENT(0, PROC_STATUS, 2, (uint64_t)i, 2);
	}
	for (i = 0; i < GOROUTINES; i++) {
		const struct goroutine *g = &walk.goroutines[i];

		walk.goroutines[i].seq = 0;
		if (g->status == RUNNABLE || g->status == WAITING)
			EVENT(0, GO_STATUS, 3, g->id, NONE,
			      g->status == RUNNABLE ? 1 : 4);
		if (g->assists && g->status != RUNNING && g->status != IN_CALL)
			EVENT(0, ASSIST_ACTIVE, 1, g->id);
	}
	walk.gc_seq = 0;
	if (walk.collects)
		EVENT(0, GC_ACTIVE, 1, walk.gc_seq);
}

static void walk_generation(uint64_t frequency)
{
	uint64_t n = below(120);
	uint8_t mark = END;
	int t;

	put_statuses();
	for (; n > 0; n--)
		step((int)below(THREADS));
	write_clock(frequency);
	for (t = 0; t < THREADS; t++)
		end_batch_of(t);
	write_samples();
	write_stacks();
	write_strings();
	if (walk.version >= 26)
		builder_bytes(walk.to, &mark, 1);
	walk.generation++;
	walk.time += 10;
}

static void begin_walk(void)
{
	int i;

	for (i = 0; i < THREADS; i++)
		walk.threads[i].p = walk.threads[i].g = -1;
	for (i = 0; i < PROCESSORS; i++)
		walk.processors[i].thread = -1;
	for (i = 0; i < GOROUTINES; i++) {
		static const enum status first[] = {ABSENT, RUNNABLE, WAITING};

		walk.goroutines[i].status = first[below(3)];
		walk.goroutines[i].id = walk.next_id++;
	}
	take(0, 0);
	if (below(2) == 0)
		run(0, 0);
	walk.stopper = -1;
}

void walk_v2(struct builder *to, uint64_t *seed)
{
	static const unsigned versions[] = {22, 23, 25, 26};
	char header[17] = "";
	uint64_t generations, frequency;

	memset(&walk, 0, sizeof(walk));
	walk.to = to;
	walk.seed = seed;
	walk.version = versions[below(4)];
	walk.time = below(3) == 0 ? hostile_value(seed) >> 1 : 100;
	walk.step = 1 + (unsigned)(below(3) == 0 ? below(60) : below(32));
	walk.thread_base = below(6) == 0 ? hostile_value(seed) >> 1 : 7;
	walk.next_id = below(6) == 0 ? hostile_value(seed) : 1;
	walk.generation = 1 + below(3);
	frequency = below(3) == 0 ? hostile_value(seed) : 1000000000;
	generations = 1 + below(3);
	begin_walk();
	snprintf(header, sizeof(header), "go 1.%u trace", walk.version);
	builder_bytes(to, header, 16);
	for (; generations > 0; generations--)
		walk_generation(frequency);
}
