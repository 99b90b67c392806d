/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - the names of stacks: what is added up in a pass is added up by
 * them, as the format forgets its stacks. A name is a number.
 */
#ifndef GTRACE_NAMES_H_
#define GTRACE_NAMES_H_

#include "base/naming.h"
#include "base/texts.h"
#include "report/block_kinds.h"

/* What has names, each list its own ones from 0 on. */
enum named {
	NAMED_SLICES, /* or waits or mark assists: what is profiled */
	NAMED_HOLDERS,
	NAMED_BLOCKS, /* places, and what ended blocks */
	NAMED_ASSISTS,
	NAMED_SILENT, /* what kept processors without an event */
	NAMED_INNER,  /* the innermost frames of stacks */
	NAMED_LISTS
};

/* Which time of a stop the name of a holder is for. */
enum phase { PHASE_NONE, PHASE_STOPPING, PHASE_STOPPED, PHASE_RESTARTING };

/* What has a name. Bytes are compared: there is no padding. */
struct named_site {
	uint32_t stack; /* see names_frames() */
	/* Of slices and holders. */
	uint32_t work;  /* enum gtrace_work */
	uint32_t named; /* the stack has the name of a function */
	uint32_t phase;
	/*
	 * Of blocks: enum gtrace_block_kind; _KINDS: it ended blocks, or see
	 * `subject`.
	 */
	uint32_t kind;
	uint32_t rest; /* of a place: see struct gtrace_block_place */
	uint32_t by;   /* if it ended blocks: enum by */
	/* Not SUBJECT_NONE: the only frame of `stack` has the name. */
	uint32_t subject;
	uint32_t root; /* of a place: the site of its outermost function */
};

struct names {
	struct texts words;
	struct map known;    /* address of a text to its number, plus one */
	struct texts stacks; /* of frames with texts in `words` */
	struct texts sites[NAMED_LISTS]; /* struct named_site */
	struct array frames;             /* of the stack that gets a number */
};

void gti_names_init(struct names *names, const struct gtrace_allocator *memory);
void gti_names_free(struct names *names);

/* Forgets the addresses of texts, at which may be others from now on. */
void gti_names_forget(struct names *names);

/*
 * The number of the stack of the COUNT frames at FRAMES. NO_TEXT: there is no
 * memory.
 */
uint32_t gti_names_stack(struct names *names, const struct gtrace_frame *frames,
			 size_t count);

/* What NAME is. */
struct named_site gti_names_site(const struct names *names, enum named list,
				 size_t name);

/* The frames of a site's stack, *COUNT of them. */
static inline const struct gtrace_frame *
names_frames(const struct names *names, uint32_t stack, size_t *count)
{
	struct gtrace_string text = texts_at(&names->stacks, stack);

	*count = text.size / sizeof(struct gtrace_frame);
	return (const void *)text.data;
}

/* The outermost one of the COUNT frames at FRAMES; without a name: none. */
static inline const struct gtrace_frame *
frames_root(const struct gtrace_frame *frames, size_t count)
{
	return count != 0 ? &frames[count - 1] : &gti_no_frame;
}

#endif /* GTRACE_NAMES_H_ */
