/* SPDX-License-Identifier: BSD-3-Clause */
/* paths_profile.c - stacks of critical paths for pprof. */
#include "paths_profile.h"

#include <string.h>

#include "base/sort.h"
#include "base/strings.h"
#include "paths.h"

/* All causes of a path have so many frames at most. */
#define CAUSE_FRAMES 1024

/* And all paths together, those with the most time first. */
#define ALL_FRAMES ((size_t)1 << 22)

/* What stacks are made with. */
struct maker {
	struct run *run;
	struct pprof *pprof;
	struct gtrace_frame *frames; /* a buffer for those of one sample */
	size_t frames_max;
	size_t count; /* of these */
	size_t all;   /* of all samples */
};

size_t gti_path_frames_max(const struct gtrace *trace)
{
	/* And the kind, and what stands for causes that are left out. */
	return CAUSE_FRAMES + trace->format->frames_max + 2;
}

/* ---------------------------------------------------------------- frames -- */

/* Adds a frame that is no function of the program, called NAME. */
static void add_name(struct maker *maker, struct gtrace_string name)
{
	maker->frames[maker->count++] = (struct gtrace_frame){
		.function = name,
		.file = {"", 0},
	};
}

/*
 * Adds the frames of STACK, the innermost one last, unless there are more than
 * MOST then.
 */
static bool add_stack(struct maker *maker, uint32_t stack, size_t most)
{
	const struct gtrace_frame *frames = NULL;
	size_t count = 0;

	if (stack != NO_STACK)
		frames = names_frames(&maker->run->names, stack, &count);
	if (maker->count + (count != 0 ? count : 1) > most)
		return false;
	if (count == 0)
		add_name(maker, string_of("(no stack)"));
	while (count-- > 0)
		maker->frames[maker->count++] = frames[count];
	return true;
}

/* Adds the causes of NODE, from that of the request itself on. */
static void add_causes(struct maker *maker, const struct flames *flames,
		       uint32_t node)
{
	uint32_t stacks[FLAME_CAUSES + 1];
	struct flame_node at = gti_flames_node(flames, node);
	size_t count = at.depth, i;

	for (i = count; i > 0; i--) {
		stacks[i - 1] = at.stack;
		at = gti_flames_node(flames, at.above);
	}
	for (i = 0; i < count; i++)
		if (maker->all > ALL_FRAMES || stacks[i] == FLAME_DEEPER ||
		    !add_stack(maker, stacks[i], CAUSE_FRAMES)) {
			add_name(maker, string_of("(more goroutines)"));
			return;
		}
}

/* The kind of requests that NODE is below. */
static uint32_t kind_of(const struct flames *flames, uint32_t node)
{
	struct flame_node at = gti_flames_node(flames, node);

	while (at.above != NO_TEXT)
		at = gti_flames_node(flames, at.above);
	return at.stack;
}

static void reverse(struct gtrace_frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count / 2; i++) {
		struct gtrace_frame frame = frames[i];

		frames[i] = frames[count - 1 - i];
		frames[count - 1 - i] = frame;
	}
}

/* --------------------------------------------------------------- samples -- */

/* The stack of FLAME, of requests called KIND. NO_TEXT: there is no memory. */
static uint32_t put_flame(struct maker *maker, const struct flame *flame,
			  struct gtrace_string kind)
{
	const struct flame_key *key = &flame->key;
	bool is_blocked = key->state == CHAIN_BLOCKED;
	struct pprof_stack stack = {
		.frames = maker->frames,
		.labels = {{"state",
			    gti_path_state(key->state,
					   !is_blocked && key->block != 0),
			    0},
			   {"level", NULL, key->level},
			   {NULL, NULL, 0}},
	};

	if (is_blocked)
		stack.labels[2] = (struct pprof_label){
			"kind",
			gtrace_block_name((enum gtrace_block_kind)key->block),
			0};
	maker->count = 0;
	add_name(maker, kind);
	add_causes(maker, &run_paths(maker->run)->flames, key->node);
	add_stack(maker, key->stack, maker->frames_max);
	maker->all += maker->count;
	reverse(maker->frames, maker->count);
	stack.count = maker->count;
	return gti_pprof_put_stack(maker->pprof, &stack);
}

/* The most time first. */
static int compare_flames(const void *a, const void *b)
{
	const struct flame *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return memcmp(&x->key, &y->key, sizeof(x->key));
}

/* What requests of KIND, a number, are called: "task search". */
static struct gtrace_string name_kind(struct run *run, uint32_t kind)
{
	const struct path_kind *kinds = run_paths(run)->kinds.items;
	struct gtrace_string text, name = string_of("interval");
	const char *what;
	char *made;
	size_t size;

	if (run_paths(run)->is_of_times)
		return name;
	gti_make_requests_name(run, kinds[kind].name, &what, &text);
	size = strlen(what) + 1 + text.size;
	made = gti_make_array(run, size, 1);
	if (made == NULL)
		return name;
	memcpy(made, what, strlen(what));
	made[strlen(what)] = ' ';
	if (text.size != 0)
		memcpy(made + strlen(what) + 1, text.data, text.size);
	return (struct gtrace_string){made, size};
}

/* Adds the samples of all flames, of which KINDS are the names. */
static bool add_flames(struct maker *maker, const struct gtrace_string *kinds,
		       bool (*add)(void *context,
				   const struct pprof_sample *sample),
		       void *context)
{
	struct flames *flames = &run_paths(maker->run)->flames;
	struct array *all = &flames->flames;
	bool good = true;
	size_t i;

	if (all->count > 1)
		gti_sort(all->items, all->count, sizeof(struct flame),
			 compare_flames);
	for (i = 0; i < all->count && good; i++) {
		const struct flame *flame = (struct flame *)all->items + i;
		struct pprof_sample sample = {
			.values = {flame->count, flame->time},
			.g = PPROF_ANY_G,
		};

		sample.stack = put_flame(
			maker, flame, kinds[kind_of(flames, flame->key.node)]);
		good = sample.stack != NO_TEXT && add(context, &sample);
	}
	return good;
}

bool gti_add_paths(struct run *run, struct pprof *pprof,
		   bool (*add)(void *context,
			       const struct pprof_sample *sample),
		   void *context)
{
	size_t most = gti_path_frames_max(run->trace), i;
	size_t count = run_paths(run)->kinds.count;
	struct maker maker = {
		.run = run,
		.pprof = pprof,
		.frames =
			gti_allocate(run->memory, most * sizeof(*maker.frames)),
		.frames_max = most,
	};
	struct gtrace_string *kinds =
		gti_make_array(run, count, sizeof(*kinds));
	bool good = maker.frames != NULL && kinds != NULL;

	for (i = 0; i < count && good; i++)
		kinds[i] = name_kind(run, (uint32_t)i);
	good = good && add_flames(&maker, kinds, add, context);
	gti_release(run->memory, maker.frames, most * sizeof(*maker.frames));
	return good;
}
