/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - the report of where goroutines were blocked. */
#include "base/sort.h"
#include "causes.h"
#include "machine.h"
#include "run.h"

/* As many are listed of those who ended blocks at a place. */
#define ENDERS_MAX 3

/* --------------------------------------------------------------- enders -- */

/* Who ended blocks at a place, added up. */
struct ender {
	enum by by;
	uint32_t stack; /* NO_TEXT: none */
	uint64_t count;
	uint64_t sum;
};

enum by gti_block_ended_by(const struct run *run, uint32_t by, uint32_t kind)
{
	struct named_site site;

	if (by == BLOCK_OPEN || by == BLOCK_BY_NONE)
		return by_runtime((enum gtrace_block_kind)kind);
	site = gti_block_site(run, by);
	return by_event((enum by)site.by, (enum gtrace_block_kind)kind);
}

/*
 * Adds who ended the blocks of TALLY, of KIND, to the COUNT ENDERS, and takes
 * them from those that no goroutine ended.
 */
static size_t add_ender(const struct run *run, const struct block_tally *tally,
			enum gtrace_block_kind kind, struct ender *enders,
			size_t count)
{
	struct ender *none = &enders[by_runtime(kind)], *ender;
	uint32_t name = block_ended_by(tally);
	enum by by = gti_block_ended_by(run, name, kind);

	none->count -= tally->count;
	none->sum -= tally->sum;
	if (name == BLOCK_OPEN)
		return count;
	ender = &enders[by];
	if (by == BY_GOROUTINE) {
		ender = &enders[count++];
		ender->stack = gti_block_site(run, name).stack;
	}
	ender->by = by;
	ender->count += tally->count;
	ender->sum += tally->sum;
	return count;
}

static int compare_enders(const void *a, const void *b)
{
	const struct ender *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->stack > y->stack) - (x->stack < y->stack);
}

const char *gti_by_word(enum by by)
{
	static const char *const words[BYS] = {
		[BY_GOROUTINE] = "goroutine",
		[BY_TIMER] = "timer",
		[BY_NETWORK] = "network",
		[BY_RUNTIME] = "runtime",
	};

	return words[by];
}

static void make_ender(struct run *run, const struct ender *ender,
		       struct gtrace_unblocker *to)
{
	*to = (struct gtrace_unblocker){
		.by = gti_by_word(ender->by),
		.count = ender->count,
		.sum = (int64_t)ender->sum,
	};
	if (ender->by == BY_GOROUTINE)
		gti_make_named_frames(run, ender->stack, &to->frames,
				      &to->frame_count);
	to->frame = gti_name_stack(to->frames, to->frame_count).frame;
}

/* Gives TO the first of the COUNT ENDERS, which it sorts, and the rest. */
static void take_enders(struct run *run, struct ender *enders, size_t count,
			struct gtrace_block_place *to)
{
	struct gtrace_unblocker *kept =
		gti_make_array(run, ENDERS_MAX, sizeof(*kept));
	size_t i;

	if (kept == NULL)
		return;
	gti_sort(enders, count, sizeof(*enders), compare_enders);
	to->enders = kept;
	for (i = 0; i < count && enders[i].count != 0; i++) {
		if (i < ENDERS_MAX) {
			make_ender(run, &enders[i], &kept[to->ender_count++]);
			continue;
		}
		to->ended_more += enders[i].count;
		to->ended_more_sum += (int64_t)enders[i].sum;
	}
}

/* Gives TO, the place with NAME, those who ended its blocks. */
static void make_enders(struct run *run, size_t name,
			struct gtrace_block_place *to)
{
	const struct block_tally *tally;
	struct ender *enders;
	size_t count = BYS, total = 0, i;

	while (gti_blocks_ended_by(&run->blocks, name, total) != NULL)
		total++;
	enders = gti_allocate_zeroed(run->memory, BYS + total, sizeof(*enders));
	if (enders == NULL) {
		run->failed = true;
		return;
	}
	enders[by_runtime(to->kind)] = (struct ender){
		.by = by_runtime(to->kind),
		.count = to->count,
		.sum = (uint64_t)to->sum,
	};
	for (i = 0; i < total; i++) {
		tally = gti_blocks_ended_by(&run->blocks, name, i);
		count = add_ender(run, tally, to->kind, enders, count);
	}
	take_enders(run, enders, count, to);
	gti_release(run->memory, enders, (BYS + total) * sizeof(*enders));
}

/* ---------------------------------------------------------------- blocks -- */

/* Sets the names of the stack of TO, and that of who ended it. */
static void name_block(struct gtrace_block *to)
{
	struct naming at = gti_name_stack(to->frames, to->frame_count);
	struct naming by = gti_name_stack(to->by_frames, to->by_frame_count);

	to->frame = at.frame;
	to->caller = at.caller;
	to->by_frame = by.frame;
	to->by_caller = by.caller;
}

void gti_make_block(struct run *run, const struct ended_block *block,
		    struct gtrace_block *to)
{
	struct named_site site = gti_block_site(run, block->place);
	enum by by = gti_block_ended_by(run, block->by, site.kind);

	*to = (struct gtrace_block){
		.kind = (enum gtrace_block_kind)site.kind,
		.rest = site.rest != 0,
		.g = (int64_t)block->g,
		.start = run_ns(run, block->block.since),
		.length = block->length,
		.before = block->block.before,
		.over = block->by != BLOCK_OPEN,
		.clock_changed = block->clock_changed,
		.by_g = -1,
	};
	gti_machine_within(run->trace, to->start, to->length, &to->silent,
			   &to->off_cpu_min, &to->silent_class);
	if (to->over && to->kind != GTRACE_BLOCK_SYSCALL)
		to->by = gti_by_word(by);
	gti_make_named_frames(run, site.stack, &to->frames, &to->frame_count);
	if (by == BY_GOROUTINE) {
		to->by_g = (int64_t)block->by_g;
		gti_make_named_frames(run, gti_block_site(run, block->by).stack,
				      &to->by_frames, &to->by_frame_count);
	}
	name_block(to);
}

/* ---------------------------------------------------------------- places -- */

/* A place to be shown. */
struct found {
	const struct block_place *place;
	size_t name;
	struct named_site site;
};

/* A quantile of the blocks at PLACE. */
static int64_t quantile(const struct run *run, const struct block_place *place,
			unsigned permille)
{
	return gti_rough_quantile(&run->blocks.lengths, place->lengths,
				  place->count, place->max, permille);
}

static void make_place(struct run *run, const void *from, void *row)
{
	const struct found *found = from;
	const struct block_place *place = found->place;
	struct gtrace_block_place *to = row;

	*to = (struct gtrace_block_place){
		.kind = (enum gtrace_block_kind)found->site.kind,
		.rest = found->site.rest != 0,
		.count = place->count,
		.sum = (int64_t)place->sum,
		.median = quantile(run, place, 500),
		.p99 = quantile(run, place, 990),
		.max = place->max,
		.max_start = run_ns(run, place->max_since),
		.max_g = (int64_t)place->max_g,
		.lost = (int64_t)place->lost,
		.before = place->before,
		.unfinished = place->open,
		.max_by = gti_block_ended_by(run, place->max_by,
					     found->site.kind) == BY_GOROUTINE
				  ? (int64_t)place->max_by_g
				  : -1,
		.slow = (int64_t)place->slow,
		.slow_count = place->slow_count,
		.clock_changed = place->clock_changed,
	};
	if (place->count == 0)
		to->max_start = to->max_g = -1;
	gti_make_named_frames(run, found->site.stack, &to->frames,
			      &to->frame_count);
	to->frame = gti_name_stack(to->frames, to->frame_count).frame;
	if (to->kind != GTRACE_BLOCK_SYSCALL)
		make_enders(run, found->name, to);
	if (to->kind == GTRACE_BLOCK_LOCK && run->wanted->holds)
		gti_make_holders(run, found->site.stack, to);
}

/* Those at rest come last, and else the greatest sums first. */
static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	const struct block_place *p = x->place, *q = y->place;

	if (x->site.rest != y->site.rest)
		return x->site.rest != 0 ? 1 : -1;
	if (p->sum != q->sum)
		return p->sum > q->sum ? -1 : 1;
	if (p->max_since != q->max_since)
		return p->max_since < q->max_since ? -1 : 1;
	if (p->max_g != q->max_g)
		return p->max_g < q->max_g ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Makes those of the COUNT places at FOUND that are WANTED, *LISTED of them. */
static const void *make_list(struct run *run, const struct found *found,
			     size_t count, size_t *listed)
{
	size_t wanted = run->wanted->request.blocks;
	const struct list_of list = {
		.from = found,
		.count = wanted < count ? wanted : count,
		.size = sizeof(*found),
		.row_size = sizeof(struct gtrace_block_place),
		.make = make_place,
	};

	*listed = list.count;
	return gti_make_list(run, &list);
}

/* Adds the COUNT places at FOUND, those at rest last, to the sums of TO. */
static void add_sums(struct gtrace_block_sum *sums, const struct found *found,
		     size_t count, struct gtrace_block_report *to)
{
	size_t places[GTRACE_BLOCK_KINDS] = {0}, i;
	struct gtrace_block_sum *sum;

	for (i = 0; i < count; i++) {
		const struct named_site *site = &found[i].site;
		size_t *place = &places[site->kind];

		/* The first one at rest begins a sum of its own. */
		if (*place == 0 || sums[*place - 1].rest != (int)site->rest)
			*place = ++to->sum_count;
		sum = &sums[*place - 1];
		sum->kind = (enum gtrace_block_kind)site->kind;
		sum->rest = (int)site->rest;
		sum->count += found[i].place->count;
		sum->sum = (int64_t)((uint64_t)sum->sum + found[i].place->sum);
		if (found[i].place->max > sum->max)
			sum->max = found[i].place->max;
	}
	to->sums = sums;
}

/*
 * Whether receivers ended at least half of the time of the place with NAME, a
 * select: then goroutines were blocked there to send.
 */
static bool is_to_send(const struct run *run, size_t name)
{
	const struct block_tally *tally;
	const struct gtrace_frame *frames;
	uint64_t sum = 0;
	size_t count, i;

	for (i = 0;
	     (tally = gti_blocks_ended_by(&run->blocks, name, i)) != NULL;
	     i++) {
		if (block_ended_by(tally) == BLOCK_OPEN)
			continue;
		frames = names_frames(
			&run->names,
			gti_block_site(run, block_ended_by(tally)).stack,
			&count);
		if (count != 0 && gti_block_receives(frames[0].function))
			sum += tally->sum;
	}
	return sum != 0 && sum >= blocks_place(&run->blocks, name)->sum / 2;
}

/* What the place with NAME is. */
static struct named_site site_of(const struct run *run, size_t name)
{
	struct named_site site = gti_block_site(run, name);
	size_t count;
	const struct gtrace_frame *frames =
		names_frames(&run->names, site.stack, &count);

	if (site.kind == GTRACE_BLOCK_SELECT && !gti_is_tracer(frames, count) &&
	    is_to_send(run, name))
		site.rest = 0;
	return site;
}

/* Finds all places of RUN, *COUNT of them. NULL: there is no memory. */
static struct found *find_places(const struct run *run, size_t *count)
{
	const struct blocks *blocks = &run->blocks;
	size_t total = blocks->places.count, i;
	struct found *found =
		gti_allocate_zeroed(blocks->memory, total + 1, sizeof(*found));

	*count = 0;
	for (i = 0; found != NULL && i < total; i++)
		if (blocks_place(blocks, i)->count != 0 ||
		    blocks_place(blocks, i)->clock_changed != 0)
			found[(*count)++] = (struct found){
				.place = blocks_place(blocks, i),
				.name = i,
				.site = site_of(run, i),
			};
	if (*count > 1)
		gti_sort(found, *count, sizeof(*found), compare_found);
	return found;
}

void gti_make_blocks(struct run *run, void *made)
{
	struct gtrace_block_report *to = made;
	struct gtrace_block_sum *sums =
		gti_make_array(run, 2 * GTRACE_BLOCK_KINDS, sizeof(*sums));
	size_t count, rests = 0, i;
	struct found *found = find_places(run, &count);

	gti_lives_sum(run->blocks.lives.times, run->blocks.lives.count,
		      &to->times);
	run->failed |= found == NULL;
	gti_prepare_holders(run);
	if (!run->failed) {
		add_sums(sums, found, count, to);
		for (i = 0; i < count; i++)
			rests += found[i].site.rest;
		to->places =
			make_list(run, found, count - rests, &to->place_count);
		to->rests = make_list(run, found + (count - rests), rests,
				      &to->rest_count);
	}
	gti_release(run->memory, found,
		    (run->blocks.places.count + 1) * sizeof(*found));
}
