/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_texts.c - the stacks of a dump as text. */
#include "report/stack_texts.h"

#include "base/array.h"

void gti_stack_texts_free(struct stack_texts *texts)
{
	gti_array_free(&texts->texts, sizeof(struct gtrace_string),
		       texts->bytes.memory);
	gti_arena_free(&texts->bytes);
	gti_dictionary_free(&texts->known, texts->bytes.memory);
}

/*
 * Returns whether a text of SIZE bytes can be kept. If not, frees the others,
 * provided that they have been used enough.
 */
static bool fits(struct stack_texts *texts, size_t size)
{
	if (size > texts->budget - texts->used &&
	    texts->hits > texts->texts.count) {
		gti_stack_texts_free(texts);
		texts->used = 0;
		texts->hits = 0;
	}
	return size <= texts->budget - texts->used;
}

/* Keeps the SIZE bytes at BYTES as the text of STACK. */
static bool keep(struct stack_texts *texts, uint64_t stack, const char *bytes,
		 size_t size)
{
	const struct gtrace_string text = {
		gti_arena_copy(&texts->bytes, bytes, size), size};

	if (text.data == NULL || array_add(&texts->texts, &text, sizeof(text),
					   texts->bytes.memory) == NULL)
		return false;
	texts->used += size;
	return gti_dictionary_set(&texts->known, stack, texts->texts.count,
				  texts->bytes.memory);
}

void gti_stack_texts_write_new(const struct line *line)
{
	struct stack_texts *texts = line->stacks;
	struct writer *writer = line->writer;
	uint64_t flushed = writer->flushed;
	size_t begin = writer->used, size;

	gti_write_stack(
		line, texts->frames,
		texts->frames_of(texts->context, line->stack, texts->frames));
	/* The text is what was added to the buffer, if it is still there. */
	if (writer->flushed != flushed)
		return;
	size = writer->used - begin;
	if (fits(texts, size) &&
	    !keep(texts, line->stack, writer->buffer + begin, size))
		*line->failed = true;
}
