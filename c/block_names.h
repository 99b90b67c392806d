/* SPDX-License-Identifier: BSD-3-Clause */
/* block_names.h - what the names of the analysis of blocks are. */
#ifndef GTRACE_BLOCK_NAMES_H_
#define GTRACE_BLOCK_NAMES_H_

#include "front.h"
#include "report/block_kinds.h"
#include "run.h"

/* A name of the analysis of blocks: of a place, or of what ended blocks. */
struct named_site {
	uint32_t stack;
	/* enum gtrace_block_kind; _KINDS: it ended blocks, or see `subject`. */
	uint32_t kind;
	uint32_t rest; /* of a place: see struct gtrace_block_place */
	uint32_t by;   /* if it ended blocks: enum by */
	/* Not SUBJECT_NONE: the only frame of `stack` has the name. */
	uint32_t subject;
	uint32_t root; /* of a place: the site of its outermost function */
};

/* What NAME is. */
struct named_site gti_block_site(const struct run *run, size_t name);

/* Makes the frames of stack NUMBER. Returns false if there is no memory. */
bool gti_block_stack(struct event_maker *maker, const struct run *run,
		     uint32_t number, const struct gtrace_frame **frames,
		     size_t *count);

/* Allocates COUNT items of SIZE at *ITEMS, and pointers to them; or NULL. */
const void **gti_block_rows(struct event_maker *maker, size_t count,
			    size_t size, void **items);

/* Who ended a block of KIND by the name BY, see struct ended_block. */
enum by gti_block_ended_by(const struct run *run, uint32_t by, uint32_t kind);

#endif /* GTRACE_BLOCK_NAMES_H_ */
