/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof.c - collects the samples of a profile. */
#include "report/pprof.h"

#include <string.h>

#include "report/pprof_fields.h"

/*
 * So many samples have a goroutine; those of further ones are added up over all
 * goroutines.
 */
#define LABELLED_MAX ((size_t)1 << 15)

/* The most bytes of a location's id, which is at most NO_TEXT. */
#define ID_MAX 5

/* The most bytes of the beginning of a message. */
#define BEGIN_MAX 6

/* The most bytes of the label of the work. */
#define LABEL_MAX (BEGIN_MAX + 2 * (1 + ID_MAX))

/* The size of the buffer of one stack. */
static size_t stack_size(const struct pprof *pprof)
{
	return BEGIN_MAX + (pprof->stack_max + 1) * ID_MAX + LABEL_MAX;
}

static bool put_words(struct pprof *pprof)
{
	return gti_pprof_put_string(pprof, "") == PPROF_EMPTY &&
	       gti_pprof_put_string(pprof, "work") == PPROF_WORK &&
	       gti_pprof_put_string(pprof, "goroutine") == PPROF_GOROUTINE;
}

bool gti_pprof_init(struct pprof *pprof, size_t stack_max,
		    const struct gtrace_allocator *memory)
{
	*pprof = (struct pprof){.memory = memory, .stack_max = stack_max};
	gti_texts_init(&pprof->strings, memory);
	gti_texts_init(&pprof->functions, memory);
	gti_texts_init(&pprof->locations, memory);
	gti_texts_init(&pprof->stacks, memory);
	pprof->stack = gti_allocate(memory, stack_size(pprof));
	if (pprof->stack != NULL &&
	    gti_numbers_init(&pprof->sample_numbers, memory) &&
	    gti_numbers_init(&pprof->goroutine_numbers, memory) &&
	    put_words(pprof))
		return true;
	gti_pprof_free(pprof);
	return false;
}

void gti_pprof_free(struct pprof *pprof)
{
	gti_texts_free(&pprof->strings);
	gti_texts_free(&pprof->functions);
	gti_texts_free(&pprof->locations);
	gti_texts_free(&pprof->stacks);
	gti_array_free(&pprof->samples, sizeof(struct pprof_sample),
		       pprof->memory);
	gti_numbers_free(&pprof->sample_numbers);
	gti_array_free(&pprof->goroutines, sizeof(uint64_t), pprof->memory);
	gti_numbers_free(&pprof->goroutine_numbers);
	gti_release(pprof->memory, pprof->stack, stack_size(pprof));
	pprof->stack = NULL;
}

/* ---------------------------------------------------------------- stacks -- */

uint32_t gti_pprof_put_string(struct pprof *pprof, const char *text)
{
	return gti_texts_put(&pprof->strings, text, strlen(text));
}

/* Returns the number of a location. NO_TEXT: there is no memory. */
static uint32_t put_location(struct pprof *pprof, struct gtrace_string name,
			     struct gtrace_string file, int64_t line)
{
	struct pprof_function function = {
		.name = gti_texts_put(&pprof->strings, name.data, name.size),
		.file = gti_texts_put(&pprof->strings, file.data, file.size),
	};
	struct pprof_location location = {.line = line};

	if (function.name == NO_TEXT || function.file == NO_TEXT)
		return NO_TEXT;
	location.function =
		gti_texts_put(&pprof->functions, &function, sizeof(function));
	if (location.function == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&pprof->locations, &location, sizeof(location));
}

/* The number of FUNCTION, a constant, where there is no stack. Likewise. */
static uint32_t put_nothing(struct pprof *pprof, const char *function)
{
	struct gtrace_string name = {function, strlen(function)};
	struct gtrace_string none = {"", 0};

	return put_location(pprof, name, none, 0);
}

/*
 * Sets pprof->last_stack: the ids of the locations, and the label of the work.
 * The ids are written first, with space before them for the beginning of their
 * message, which has their size.
 */
static bool put_stack(struct pprof *pprof, const struct pprof_add *to)
{
	uint32_t work = gti_pprof_put_string(pprof, to->work), location;
	char *ids = pprof->stack + BEGIN_MAX, *begin, *end = ids;
	size_t count = to->count != 0 ? to->count : 1, i;

	for (i = 0; i < count; i++) {
		if (to->count == 0)
			location = put_nothing(pprof, to->nothing);
		else
			location = put_location(pprof, to->frames[i].function,
						to->frames[i].file,
						to->frames[i].line);
		if (location == NO_TEXT || work == NO_TEXT)
			return false;
		end = put_number(end, (uint64_t)location + 1);
	}
	begin = ids - field_size((uint64_t)(end - ids));
	put_message(begin, SAMPLE_LOCATIONS, (size_t)(end - ids));
	end = put_label(end, PPROF_WORK, work);
	pprof->last_stack =
		gti_texts_put(&pprof->stacks, begin, (size_t)(end - begin));
	return pprof->last_stack != NO_TEXT;
}

/* --------------------------------------------------------------- samples -- */

static uint64_t goroutine_key(const void *context, uint32_t number)
{
	return pprof_goroutine_at(context, number);
}

/* Returns the label of goroutine G. 0: there is no memory. */
static uint32_t put_goroutine(struct pprof *pprof, uint64_t g)
{
	struct numbers *numbers = &pprof->goroutine_numbers;
	struct array *goroutines = &pprof->goroutines;
	uint32_t at = numbers_place(numbers, g), label;

	for (; (label = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at))
		if (pprof_goroutine_at(pprof, label - 1) == g)
			return label;
	if (!gti_array_reserve(goroutines, sizeof(g), pprof->memory) ||
	    !gti_numbers_add(numbers, g, at, goroutine_key, pprof))
		return 0;
	((uint64_t *)goroutines->items)[goroutines->count++] = g;
	return numbers->count;
}

static uint64_t key_of(const struct pprof *pprof, uint64_t g, uint32_t stack)
{
	return stack + g * pprof->sample_numbers.multiplier;
}

static uint64_t sample_key(const void *context, uint32_t number)
{
	const struct pprof_sample *sample = pprof_sample_at(context, number);

	return key_of(context, sample->g, sample->stack);
}

/* Adds a sample of G and STACK. NULL: there is no memory. */
static struct pprof_sample *new_sample(struct pprof *pprof, uint64_t g,
				       uint32_t stack, uint32_t place)
{
	struct pprof_sample *sample;
	uint32_t label = 0;

	if (g != PPROF_ANY_G) {
		label = put_goroutine(pprof, g);
		if (label == 0)
			return NULL;
		pprof->labelled++;
	}
	if (!gti_array_reserve(&pprof->samples, sizeof(*sample),
			       pprof->memory) ||
	    !gti_numbers_add(&pprof->sample_numbers, key_of(pprof, g, stack),
			     place, sample_key, pprof))
		return NULL;
	sample = pprof_sample_at(pprof, pprof->samples.count++);
	*sample = (struct pprof_sample){.g = g, .stack = stack, .label = label};
	return sample;
}

/* The sample of G and STACK, new if there is none. Likewise. */
static struct pprof_sample *find_sample(struct pprof *pprof, uint64_t g,
					uint32_t stack)
{
	const struct numbers *numbers = &pprof->sample_numbers;
	uint32_t at = numbers_place(numbers, key_of(pprof, g, stack)), number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at)) {
		struct pprof_sample *sample =
			pprof_sample_at(pprof, number - 1);

		if (sample->g == g && sample->stack == stack)
			return sample;
	}
	return new_sample(pprof, g, stack, at);
}

bool gti_pprof_add(struct pprof *pprof, const struct pprof_add *to,
		   uint64_t count, uint64_t time)
{
	struct pprof_sample *sample;
	uint64_t g = to->g;

	if (pprof->stack == NULL || (!to->again && !put_stack(pprof, to)))
		return false;
	if (pprof->labelled >= LABELLED_MAX)
		g = PPROF_ANY_G;
	sample = find_sample(pprof, g, pprof->last_stack);
	if (sample == NULL)
		return false;
	sample->count += count;
	sample->time += time;
	return true;
}
