/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - slices and stops of the world added up by function. */
#include "totals.h"

#include <string.h>

#include "base/sort.h"
#include "base/strings.h"

/* Names are numbers of texts in struct totals. */
struct total_key {
	uint32_t function; /* of the program; NO_TEXT: no stack */
	uint32_t file;
	uint32_t inner; /* NO_TEXT: none */
	uint32_t work;  /* enum gtrace_work */
	uint64_t line;
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory)
{
	*totals = (struct totals){.memory = memory};
	gti_texts_init(&totals->names, memory);
	gti_texts_init(&totals->functions, memory);
	gti_texts_init(&totals->holders, memory);
}

void gti_totals_free(struct totals *totals)
{
	gti_texts_free(&totals->names);
	gti_texts_free(&totals->functions);
	gti_texts_free(&totals->holders);
}

void gti_totals_forget(void *context)
{
	struct totals *totals = context;

	gti_totals_free(totals);
	gti_totals_init(totals, totals->memory);
}

/*
 * Sets *NUMBER to that of TEXT, which is as none if it is empty. Returns false
 * if there is no memory.
 */
static bool put_name(struct totals *totals, struct gtrace_string text,
		     uint32_t *number)
{
	*number = NO_TEXT;
	if (text.size == 0)
		return true;
	*number = gti_texts_put(&totals->names, text.data, text.size);
	return *number != NO_TEXT;
}

/* The name of the key of NAMING in KEYS. NO_TEXT: there is no memory. */
static uint32_t put_key(struct totals *totals, struct texts *keys,
			const struct naming *naming)
{
	const struct gtrace_frame *own = naming_own(naming);
	const struct gtrace_frame *inner = naming_inner(naming);
	struct total_key key = {.work = naming->work};

	if (own == NULL || own->function.size == 0)
		own = &gti_no_frame;
	key.line = own->line;
	if (!put_name(totals, own->function, &key.function) ||
	    !put_name(totals, own->file, &key.file) ||
	    !put_name(totals, (inner != NULL ? inner : &gti_no_frame)->function,
		      &key.inner))
		return NO_TEXT;
	return gti_texts_put(keys, &key, sizeof(key));
}

uint32_t gti_totals_name(void *context, const struct naming *naming,
			 const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = context;

	(void)frames;
	(void)count;
	return put_key(totals, &totals->functions, naming);
}

uint32_t gti_totals_name_holder(void *context, const struct naming *naming,
				const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = context;

	(void)frames;
	(void)count;
	return put_key(totals, &totals->holders, naming);
}

/* --------------------------------------------------------------- results -- */

/* The key with NAME of KEYS, which are totals->functions or ->holders. */
static struct total_key total_key_at(const struct texts *keys, uint32_t name)
{
	struct total_key key;

	memcpy(&key, texts_at(keys, name).data, sizeof(key));
	return key;
}

/* Sets *TO to a copy of name NUMBER, which can be NO_TEXT. */
static bool own_name(struct arena *arena, const struct totals *totals,
		     uint32_t number, struct gtrace_string *to)
{
	*to = (struct gtrace_string){"", 0};
	if (number == NO_TEXT)
		return true;
	*to = texts_at(&totals->names, number);
	to->data = gti_arena_copy(arena, to->data, to->size);
	return to->data != NULL;
}

static int by_name(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;
	int order = string_compare(x->function, y->function);

	return order != 0 ? order : (int)x->work - (int)y->work;
}

/* By name; where that is equal, the line that comes first is to be shown. */
static int by_line(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;
	int order = by_name(a, b);

	if (order == 0 && x->delay != y->delay)
		order = x->delay > y->delay ? -1 : 1;
	if (order == 0 && x->sum != y->sum)
		order = x->sum > y->sum ? -1 : 1;
	if (order == 0 && x->line != y->line)
		order = x->line < y->line ? -1 : 1;
	return order != 0 ? order : string_compare(x->file, y->file);
}

static int by_sum(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;

	if (x->sum != y->sum)
		return (uint64_t)x->sum > (uint64_t)y->sum ? -1 : 1;
	return by_name(a, b);
}

static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void join(struct gtrace_function *to, const struct gtrace_function *from)
{
	if (string_compare(to->inner, from->inner) != 0)
		to->inner = (struct gtrace_string){"", 0};
	to->sum = add(to->sum, from->sum);
	if (from->max > to->max || to->count == 0) {
		to->max = from->max;
		to->max_start = from->max_start;
		to->max_g = from->max_g;
	}
	to->count += from->count;
	to->delay = add(to->delay, from->delay);
	to->delay_off_cpu = add(to->delay_off_cpu, from->delay_off_cpu);
	to->delaying += from->delaying;
	to->delaying_sum = add(to->delaying_sum, from->delaying_sum);
	to->blocked = add(to->blocked, from->blocked);
}

/* Joins those of the COUNT FUNCTIONS that have one name. Returns how many. */
static size_t join_all(struct gtrace_function *functions, size_t count)
{
	size_t kept = 0, i;

	if (count > 1)
		gti_sort(functions, count, sizeof(*functions), by_line);
	for (i = 0; i < count; i++)
		if (kept != 0 &&
		    by_name(&functions[kept - 1], &functions[i]) == 0)
			join(&functions[kept - 1], &functions[i]);
		else
			functions[kept++] = functions[i];
	if (kept > 1)
		gti_sort(functions, kept, sizeof(*functions), by_sum);
	return kept;
}

/* Adds FROM to the sums of the tracer. */
static void add_tracer(struct gtrace_summary *to,
		       const struct gtrace_function *from)
{
	to->tracer_count += from->count;
	to->tracer_sum = add(to->tracer_sum, from->sum);
	if (from->max > to->tracer_max)
		to->tracer_max = from->max;
}

/* Makes the function with KEY. Returns false if there is no memory. */
static bool make_function(struct arena *arena, const struct totals *totals,
			  struct total_key key, struct gtrace_function *to)
{
	to->work = (enum gtrace_work)key.work;
	to->line = key.line;
	return own_name(arena, totals, key.function, &to->function) &&
	       own_name(arena, totals, key.file, &to->file) &&
	       own_name(arena, totals, key.inner, &to->inner);
}

/* Makes one function for each place in REPORT, at TO. Returns the end. */
static struct gtrace_function *
make_blocked(const struct gtrace_block_report *blocks,
	     struct gtrace_function *to)
{
	size_t i;

	for (i = 0; blocks != NULL && i < blocks->place_count; i++) {
		const struct gtrace_block_place *place = blocks->places[i];
		struct naming naming =
			gti_name_stack(place->frames, place->frame_count);
		const struct gtrace_frame *own = naming_own(&naming);

		if (own != NULL && naming.work != GTRACE_WORK_RUNTIME)
			*to++ = (struct gtrace_function){
				.function = own->function,
				.file = own->file,
				.line = own->line,
				.inner = naming.frame->function,
				.work = naming.work,
				.blocked = place->sum,
				.max_start = -1,
				.max_g = -1,
			};
	}
	return to;
}

static bool make_functions(struct arena *arena, const struct totals *totals,
			   const struct run *run,
			   struct gtrace_summary *summary)
{
	const struct gtrace_block_report *blocks = summary->blocks;
	const struct clock *clock = &run->observer.clock;
	size_t count = profile_count(&run->profile), i;
	struct gtrace_function *to = gti_arena_allocate(
		arena, (count + (blocks != NULL ? blocks->place_count : 0)) *
			       sizeof(*to));

	if (to == NULL)
		return false;
	for (i = 0; i < count; i++) {
		const struct profile_entry *from = profile_at(&run->profile, i);

		to[i] = (struct gtrace_function){
			.count = from->count,
			.sum = (int64_t)from->time,
			.max = from->max,
			.max_start = clock_ns(clock, from->max_start),
			.max_g = (int64_t)from->max_g,
			.delay = wide_ns(from->delay),
			.delaying = from->delaying,
			.delaying_sum = (int64_t)from->delaying_time,
			.delay_off_cpu = (int64_t)from->delay_off_cpu,
		};
		if (!make_function(arena, totals,
				   total_key_at(&totals->functions, from->name),
				   &to[i]))
			return false;
		if (to[i].work == GTRACE_WORK_TRACER)
			add_tracer(summary, &to[i]);
	}
	count = join_all(to, (size_t)(make_blocked(blocks, to + count) - to));
	summary->functions = count != 0 ? to : NULL;
	summary->function_count = count;
	return true;
}

static int compare_delays(const void *a, const void *b)
{
	const struct gtrace_function *const *x = a, *const *y = b;

	if ((*x)->delay != (*y)->delay)
		return (*x)->delay > (*y)->delay ? -1 : 1;
	return by_sum(*x, *y);
}

/* After make_functions(). */
static bool make_delaying(struct arena *arena, struct gtrace_summary *summary)
{
	const struct gtrace_function **to = gti_arena_allocate(
		arena, summary->function_count * sizeof(const void *));
	size_t count = 0, i;

	for (i = 0; i < summary->function_count && to != NULL; i++)
		if (summary->functions[i].delay != 0)
			to[count++] = &summary->functions[i];
	if (count > 1)
		gti_sort(to, count, sizeof(const void *), compare_delays);
	summary->delaying = count != 0 ? to : NULL;
	summary->delaying_count = count;
	return to != NULL;
}

/* Functions hold what is needed of holders: `sum` is their `stopping`. */
static bool make_holders(struct arena *arena, const struct totals *totals,
			 const struct holders *holders,
			 struct gtrace_summary *summary)
{
	const struct profile *sums = &holders->sums;
	size_t count = profile_count(sums), i;
	struct gtrace_function *all =
		gti_arena_allocate(arena, count * sizeof(*all));
	struct gtrace_holder *to =
		gti_arena_allocate(arena, count * sizeof(*to));

	if (all == NULL || to == NULL)
		return false;
	for (i = 0; i < count; i++) {
		const struct profile_entry *from = profile_at(sums, i);

		all[i] = (struct gtrace_function){.count = from->count,
						  .sum = (int64_t)from->time};
		if (!make_function(arena, totals,
				   total_key_at(&totals->holders, from->name),
				   &all[i]))
			return false;
	}
	count = join_all(all, count);
	for (i = 0; i < count; i++)
		to[i] = (struct gtrace_holder){
			.function = all[i].function,
			.inner = all[i].inner,
			.work = all[i].work,
			.count = all[i].count,
			.stopping = all[i].sum,
			.file = all[i].file,
			.line = all[i].line,
			.off_cpu = all[i].work == GTRACE_WORK_SCHEDULER
					   ? holders->off_cpu
					   : 0,
		};
	summary->holders = count != 0 ? to : NULL;
	summary->holder_count = count;
	return true;
}

bool gti_totals_make(const struct totals *totals, const struct run *run,
		     struct arena *arena, struct gtrace_summary *to)
{
	return make_functions(arena, totals, run, to) &&
	       make_delaying(arena, to) &&
	       make_holders(arena, totals, &run->holders, to);
}
