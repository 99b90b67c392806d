/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_test.c - compares the merge with a model that follows the definition:
 * in each round it tests all streams, sorts its list and takes the first. On
 * generated traces, whole and damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sort.h"
#include "tests/bytes.h"
#include "tests/generator.h"
#include "tests/model.h"
#include "v1/merge.h"

/* ----------------------------------------------------------------- model -- */

#define ANY UINT64_MAX

struct read_event {
	unsigned type; /* in the file */
	int64_t ticks;
	uint64_t g; /* that runs there, or that it starts */
	uint64_t args[3];
	uint64_t ordinal;
};

struct read_stream {
	int64_t p;
	bool samples;
	int64_t ticks;
	uint64_t runs;
	struct read_event *events;
	size_t count, capacity, next;
	bool listed;
};

struct known_goroutine {
	uint64_t id;
	bool gc;
	uint64_t sequence;
	int state;
};

struct model {
	unsigned version;
	struct read_stream *streams;
	size_t stream_count;
	struct known_goroutine *known;
	size_t known_count;
	struct sort_item *list; /* ticks and streams */
	size_t list_count;
	uint64_t events;
};

static struct read_stream *stream_of(struct model *model, int64_t p,
				     bool samples)
{
	struct read_stream *streams = model->streams;
	size_t i;

	for (i = 0; i < model->stream_count; i++)
		if (streams[i].p == p && streams[i].samples == samples)
			return &streams[i];
	streams = realloc(streams, (i + 1) * sizeof(*streams));
	assert_non_null(streams);
	streams[i] = (struct read_stream){.p = p, .samples = samples};
	model->streams = streams;
	model->stream_count++;
	return &streams[i];
}

static void add_event(struct read_stream *stream, struct read_event event)
{
	if (stream->count == stream->capacity) {
		stream->capacity = stream->capacity * 2 + 64;
		stream->events =
			realloc(stream->events,
				stream->capacity * sizeof(*stream->events));
		assert_non_null(stream->events);
	}
	stream->events[stream->count++] = event;
}

static bool stops(unsigned type)
{
	return type == EV_GO_END || type == EV_GO_STOP || type == EV_GO_SCHED ||
	       type == EV_GO_PREEMPT || type == EV_GO_SLEEP ||
	       (type >= EV_GO_BLOCK && type <= EV_GO_BLOCK_NET &&
		type != EV_GO_UNBLOCK) ||
	       type == EV_GO_BLOCK_GC || type == EV_GO_SYS_BLOCK;
}

static bool starts(unsigned type)
{
	return type == EV_GO_START || type == EV_GO_START_LOCAL ||
	       type == EV_GO_START_LABEL;
}

/* Adds an event of the processor P to its stream. */
static void take_record(struct model *model, const struct record *record,
			const struct rule *rule, int64_t p)
{
	struct read_stream *stream = stream_of(model, p, false);
	struct read_event event = {.type = record->type};
	unsigned i;

	for (i = 0; i < rule->args; i++)
		event.args[i] = record->values[1 + i];
	stream->ticks = (int64_t)((uint64_t)stream->ticks + record->values[0]);
	event.ticks = stream->ticks;
	event.ordinal = ++model->events;
	if (starts(record->type))
		stream->runs = event.args[0];
	event.g = stream->runs;
	if (stops(record->type))
		stream->runs = 0;
	if (record->type == EV_CPU_SAMPLE) {
		event.ticks = (int64_t)event.args[0];
		stream = stream_of(model, 0, true);
	}
	add_event(stream, event);
}

static int by_ticks(const void *a, const void *b)
{
	const struct read_event *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static void read_streams(struct model *model, const uint8_t *data, size_t size)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct dictionary strings = {0};
	struct gtrace_error error;
	struct rules rules;
	struct reader reader = {
		.data = data,
		.size = size,
		.offset = HEADER_SIZE,
		.rules = &rules,
		.strings = &strings,
		.memory = &memory,
		.error = &error,
	};
	struct record record;
	int64_t p = 0;
	size_t i;

	gti_rules_init(&rules, model->version);
	for (;;) {
		const struct rule *rule;

		assert_int_equal(gti_record_read(&reader, &record), GTRACE_OK);
		rule = &rules.by_type[record.type];
		if (record.type == EV_NONE)
			break;
		if (record.type == EV_BATCH) {
			p = (int64_t)record.values[0];
			stream_of(model, p, false)->ticks =
				(int64_t)record.values[1];
		} else if (rule->owner != OWNER_CONTROL) {
			take_record(model, &record, rule, p);
		}
	}
	gti_dictionary_free(&strings, &memory);
	for (i = 0; i < model->stream_count; i++)
		if (model->streams[i].samples)
			qsort(model->streams[i].events, model->streams[i].count,
			      sizeof(struct read_event), by_ticks);
}

static struct known_goroutine *know(struct model *model, uint64_t id, bool gc)
{
	struct known_goroutine *known = model->known;
	size_t i;

	for (i = 0; i < model->known_count; i++)
		if (known[i].id == id && known[i].gc == gc)
			return &known[i];
	known = realloc(known, (i + 1) * sizeof(*known));
	assert_non_null(known);
	known[i] = (struct known_goroutine){.id = id, .gc = gc};
	model->known = known;
	model->known_count++;
	return &known[i];
}

/* Sets the precondition and the transition of an event. False: it has none. */
static bool precondition_of(const struct read_event *event, uint64_t *id,
			    uint64_t *sequence, int *from, int *then,
			    unsigned *bump)
{
	*id = event->args[0];
	*sequence = ANY;
	*bump = 1;
	*from = *then = DEAD;
	switch (event->type) {
	case EV_GO_CREATE:
		*sequence = 0;
		*then = RUNNABLE;
		return true;
	case EV_GO_WAITING:
	case EV_GO_IN_SYSCALL:
		*sequence = 1;
		*from = RUNNABLE;
		*then = WAITING;
		return true;
	case EV_GO_START:
	case EV_GO_START_LABEL:
		*sequence = event->args[1];
		*from = RUNNABLE;
		*then = RUNNING;
		return true;
	case EV_GO_START_LOCAL:
		*from = RUNNABLE;
		*then = RUNNING;
		return true;
	case EV_GO_UNBLOCK:
	case EV_GO_SYS_EXIT:
		*sequence = event->args[1];
		*from = WAITING;
		*then = RUNNABLE;
		return true;
	case EV_GO_UNBLOCK_LOCAL:
	case EV_GO_SYS_EXIT_LOCAL:
		*from = WAITING;
		*then = RUNNABLE;
		return true;
	case EV_GC_START:
		*id = 0;
		*sequence = event->args[0];
		return true;
	default:
		if (!stops(event->type) || event->type == EV_GO_END ||
		    event->type == EV_GO_STOP)
			return false;
		*id = event->g;
		*bump = 0;
		*from = RUNNING;
		*then = event->type == EV_GO_SCHED ||
					event->type == EV_GO_PREEMPT
				? RUNNABLE
				: WAITING;
		return true;
	}
}

/* Returns whether EVENT is ready. If so and if GO, makes its transition. */
static bool try_event(struct model *model, const struct read_event *event,
		      bool go)
{
	struct known_goroutine *known;
	uint64_t id, sequence;
	int from, then;
	unsigned bump;

	if (!precondition_of(event, &id, &sequence, &from, &then, &bump))
		return true;
	known = know(model, id, event->type == EV_GC_START);
	if (known->state != from ||
	    (sequence != ANY && known->sequence != sequence))
		return false;
	if (go) {
		known->state = then;
		known->sequence += bump;
	}
	return true;
}

/* Sorts the list as in the release of Go that is the reference. */
static void sort_list(struct model *model)
{
	if (model->version <= 1008)
		gti_sort_go1_8(model->list, model->list_count);
	else
		gti_sort_go1_19(model->list, model->list_count);
}

/* The next event, or NULL if none is ready. */
static const struct read_event *next_event(struct model *model)
{
	struct read_stream *stream;
	size_t i;

	for (i = 0; i < model->stream_count; i++) {
		stream = &model->streams[i];
		if (stream->listed || stream->next == stream->count ||
		    !try_event(model, &stream->events[stream->next], false))
			continue;
		stream->listed = true;
		model->list[model->list_count++] = (struct sort_item){
			stream->events[stream->next].ticks, (uint32_t)i};
	}
	if (model->list_count == 0)
		return NULL;
	sort_list(model);
	stream = &model->streams[model->list[0].value];
	model->list[0] = model->list[--model->list_count];
	stream->listed = false;
	stream->next++;
	if (!try_event(model, &stream->events[stream->next - 1], true))
		return NULL;
	return &stream->events[stream->next - 1];
}

static void free_model(struct model *model)
{
	size_t i;

	for (i = 0; i < model->stream_count; i++)
		free(model->streams[i].events);
	free(model->streams);
	free(model->known);
	free(model->list);
}

/* ----------------------------------------------------------------- tests -- */

/* The merge gives the events of the model. Returns whether all were merged. */
struct comparison {
	struct model model;
	struct merge merge;
	uint64_t count; /* of events that agree */
};

static bool compare_event(void *context, struct event *got)
{
	struct comparison *c = context;
	const struct read_event *want = next_event(&c->model);

	assert_non_null(want);
	assert_true(got->ordinal == want->ordinal);
	assert_true(c->merge.ticks == want->ticks);
	c->count++;
	return true;
}

static bool compare(const struct index *index)
{
	static struct comparison c;
	struct gtrace_error error;
	enum gtrace_status status;

	c = (struct comparison){.model.version = index->rules.version};
	read_streams(&c.model, index->data, index->size);
	assert_true(c.model.events == index->events);
	c.model.list = calloc(c.model.stream_count, sizeof(*c.model.list));
	assert_non_null(c.model.list);
	assert_int_equal(gti_merge_init(&c.merge, index, MERGE_FORGET, &error),
			 GTRACE_OK);
	status = gti_merge_run(&c.merge, compare_event, &c, &error);
	assert_null(next_event(&c.model));
	if (c.count != c.model.events) {
		assert_int_equal(status, GTRACE_ERROR_ORDER);
		assert_string_equal(
			error.message,
			"no consistent ordering of events possible");
	}
	gti_merge_free(&c.merge);
	free_model(&c.model);
	return c.count == c.model.events;
}

/* The outcome of a trace. */
enum { NO_TRACE, STUCK, MERGED };

static int merge_bytes(const struct builder *b)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct input input = {.data = b->bytes, .size = b->size};
	struct gtrace_error error;
	struct index index;
	bool merged;

	if (gti_index_init(&index, &input, NULL, 0, &memory, &error) !=
	    GTRACE_OK)
		return NO_TRACE;
	merged = compare(&index);
	gti_index_free(&index);
	return merged ? MERGED : STUCK;
}

static void test_like_the_model(void **state)
{
	static const unsigned versions[] = {1007, 1008, 1009, 1011, 1019, 1021};
	static const uint32_t processors[] = {1, 2, 3, 8, 11, 50};
	unsigned outcomes[3] = {0, 0, 0};
	uint64_t seed = 11;
	size_t i, j, k, n;

	(void)state;
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		for (j = 0; j < sizeof(processors) / sizeof(processors[0]);
		     j++) {
			struct builder b;
			struct generator_options options = {
				.version = versions[i],
				.events = 2000,
				.processors = processors[j],
				.goroutines = 40,
				.churn = 60,
				.samples = 20,
				.ties = 3,
				.seed = (uint32_t)(1 + i * 10 + j),
				.write = builder_write,
				.context = &b,
			};

			builder_open(&b, 0);
			generate_trace(&options);
			assert_int_equal(merge_bytes(&b), MERGED);
			/* One damaged bit at a time, half of them among the
			 * events, after which come strings and stacks. */
			for (k = 0; k < rounds(150); k++) {
				uint8_t was;

				n = (size_t)random_below(
					&seed,
					k % 2 == 0 ? b.size : b.size / 4);
				was = b.bytes[n];
				b.bytes[n] ^=
					(uint8_t)(1u << random_below(&seed, 8));
				outcomes[merge_bytes(&b)]++;
				b.bytes[n] = was;
			}
			builder_close(&b);
		}
	print_message("of the damaged ones %u were no traces, %u got stuck, "
		      "%u were merged\n",
		      outcomes[NO_TRACE], outcomes[STUCK], outcomes[MERGED]);
	assert_true(outcomes[STUCK] > rounds(100) &&
		    outcomes[MERGED] > rounds(100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
