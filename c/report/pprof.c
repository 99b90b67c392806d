/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof.c - collects the stacks of a profile. */
#include "report/pprof.h"

#include <string.h>

#include "base/strings.h"
#include "report/pprof_fields.h"

/* The most bytes of a location's id, which is at most NO_TEXT. */
#define ID_MAX 5

/* The most bytes of the beginning of a message. */
#define BEGIN_MAX 6

/* The most bytes of the two labels of a stack. */
#define LABELS_MAX (2 * (BEGIN_MAX + 2 * (1 + ID_MAX)))

/* The size of the buffer of one stack. */
static size_t stack_size(const struct pprof *pprof)
{
	return BEGIN_MAX + (pprof->stack_max + 1) * ID_MAX + LABELS_MAX;
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
	if (pprof->stack != NULL && put_words(pprof))
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
			     struct gtrace_string file, uint64_t line)
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

/*
 * Returns the number of the location of frame AT of STACK, or of what STACK has
 * instead of frames. NO_TEXT: there is no memory.
 */
static uint32_t put_frame(struct pprof *pprof, const struct pprof_stack *stack,
			  size_t at)
{
	const struct gtrace_frame *frame;

	if (stack->count == 0)
		return put_location(pprof, string_of(stack->nothing),
				    string_of(""), 0);
	frame = &stack->frames[at];
	return put_location(pprof, frame->function, frame->file, frame->line);
}

/* Writes the label KEY of a stack at TO. NULL: there is no memory. */
static char *put_stack_label(struct pprof *pprof, char *to, const char *key,
			     const char *label)
{
	uint32_t name = gti_pprof_put_string(pprof, key);
	uint32_t value = gti_pprof_put_string(pprof, label);

	if (name == NO_TEXT || value == NO_TEXT)
		return NULL;
	return put_label(to, name, LABEL_STRING, value);
}

/*
 * The ids of the locations are written first, and moved behind the beginning of
 * their message, which has their size.
 */
uint32_t gti_pprof_put_stack(struct pprof *pprof,
			     const struct pprof_stack *stack)
{
	size_t count = stack->count != 0 ? stack->count : 1, size, i;
	char *ids, *end;
	uint32_t location;

	if (pprof->stack == NULL)
		return NO_TEXT;
	ids = end = pprof->stack + BEGIN_MAX;
	for (i = 0; i < count; i++) {
		location = put_frame(pprof, stack, i);
		if (location == NO_TEXT)
			return NO_TEXT;
		end = put_number(end, (uint64_t)location + 1);
	}
	size = (size_t)(end - ids);
	end = put_message(pprof->stack, SAMPLE_LOCATIONS, size);
	memmove(end, ids, size);
	end = put_stack_label(pprof, end + size, stack->key, stack->label);
	if (end != NULL && stack->phase != NULL)
		end = put_stack_label(pprof, end, "phase", stack->phase);
	if (end == NULL)
		return NO_TEXT;
	return gti_texts_put(&pprof->stacks, pprof->stack,
			     (size_t)(end - pprof->stack));
}
