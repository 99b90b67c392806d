/* SPDX-License-Identifier: BSD-3-Clause */
/* sentence.h - sentences that are made piece by piece. */
#ifndef GTRACE_REPORT_SENTENCE_H_
#define GTRACE_REPORT_SENTENCE_H_

#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "report/names.h"

/* Where the next piece goes. A piece that does not fit is left out. */
struct sentence {
	char *to;
	size_t left;             /* without the final NUL */
	const struct look *look; /* of its durations */
};

/*
 * Begins a sentence in the SIZE bytes at TO, which always end with a NUL. Its
 * times are IN_TICKS.
 */
struct sentence gti_sentence_begin(char *to, size_t size, bool in_ticks);

void gti_sentence_add(struct sentence *sentence, const char *words);
void gti_sentence_shown(struct sentence *sentence, const struct shown *shown);
void gti_sentence_duration(struct sentence *sentence, int64_t ns);
void gti_sentence_share(struct sentence *sentence, uint64_t part,
			uint64_t whole);

/* COUNT, and then ONE if it is 1, otherwise MORE. */
void gti_sentence_count(struct sentence *sentence, uint64_t count,
			const char *one, const char *more);

/* WORDS and then ID, without groups of digits. */
void gti_sentence_id(struct sentence *sentence, const char *words, int64_t id);

/* The versions of Go that write traces of VERSION: Go 1.26 or 1.27. */
void gti_sentence_version(struct sentence *sentence, unsigned version);

/* The function of FRAME and, if its file is known, where: main.f (main.go:7). */
void gti_sentence_frame(struct sentence *sentence,
			const struct gtrace_frame *frame);

/*
 * ", in INNER", or that it blocked there. Returns false, and adds nothing, if
 * INNER is empty or FUNCTION.
 */
bool gti_sentence_inner(struct sentence *sentence, struct gtrace_string inner,
			struct gtrace_string function);

/* WORK in brackets, if it is a system call or that of the collector. */
void gti_sentence_work(struct sentence *sentence, enum gtrace_work work);

#endif /* GTRACE_REPORT_SENTENCE_H_ */
