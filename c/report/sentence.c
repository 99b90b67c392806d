/* SPDX-License-Identifier: BSD-3-Clause */
/* sentence.c - sentences that are made piece by piece. */
#include "report/sentence.h"

#include <string.h>

#include "base/output.h"
#include "base/strings.h"
#include "report/block_kinds.h"

struct sentence gti_sentence_begin(char *to, size_t size, bool in_ticks)
{
	struct sentence sentence = {to, size - 1, gti_look_of(in_ticks)};

	*to = '\0';
	return sentence;
}

static void add_bytes(struct sentence *sentence, const char *bytes, size_t size)
{
	if (size > sentence->left)
		return;
	memcpy(sentence->to, bytes, size);
	sentence->to += size;
	sentence->left -= size;
	*sentence->to = '\0';
}

void gti_sentence_add(struct sentence *sentence, const char *words)
{
	add_bytes(sentence, words, strlen(words));
}

void gti_sentence_shown(struct sentence *sentence, const struct shown *shown)
{
	add_bytes(sentence, shown->text, shown->size);
}

void gti_sentence_duration(struct sentence *sentence, int64_t ns)
{
	struct shown shown;

	gti_show_duration(&shown, ns, sentence->look);
	gti_sentence_shown(sentence, &shown);
}

void gti_sentence_share(struct sentence *sentence, uint64_t part,
			uint64_t whole)
{
	struct shown shown;

	gti_show_share(&shown, part, whole, &gti_look_terminal);
	gti_sentence_shown(sentence, &shown);
}

void gti_sentence_count(struct sentence *sentence, uint64_t count,
			const char *one, const char *more)
{
	struct shown shown;

	gti_show_count(&shown, count, &gti_look_terminal);
	gti_sentence_shown(sentence, &shown);
	gti_sentence_add(sentence, count == 1 ? one : more);
}

void gti_sentence_id(struct sentence *sentence, const char *words, int64_t id)
{
	char number[DECIMAL_MAX + 1];

	gti_sentence_add(sentence, words);
	add_bytes(sentence, number,
		  (size_t)(gti_put_signed(number, id) - number));
}

void gti_sentence_version(struct sentence *sentence, unsigned version)
{
	static const struct {
		unsigned version;
		const char *others;
	} shared[] = {
		{1005, " or 1.6"},  {1011, " to 1.18"}, {1019, " or 1.20"},
		{1023, " or 1.24"}, {1026, " or 1.27"},
	};
	size_t i;

	gti_sentence_id(sentence, "Go ", version / 1000);
	gti_sentence_id(sentence, ".", version % 1000);
	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (shared[i].version == version)
			gti_sentence_add(sentence, shared[i].others);
}

void gti_sentence_frame(struct sentence *sentence,
			const struct gtrace_frame *frame)
{
	struct naming naming = {.frame = frame};
	struct shown shown;

	gti_show_naming(&shown, &naming);
	gti_sentence_shown(sentence, &shown);
	if (frame->file.size == 0)
		return;
	gti_show_base(&shown, frame);
	gti_sentence_add(sentence, " (");
	gti_sentence_shown(sentence, &shown);
	gti_sentence_add(sentence, ")");
}

bool gti_sentence_inner(struct sentence *sentence, struct gtrace_string inner,
			struct gtrace_string function)
{
	struct shown shown;

	if (inner.size == 0 || string_equals(inner, function))
		return false;
	gti_show_function(&shown, inner);
	gti_sentence_add(sentence, gti_block_waits(inner)
					   ? ", until it blocked in "
					   : ", in ");
	gti_sentence_shown(sentence, &shown);
	return true;
}

void gti_sentence_work(struct sentence *sentence, enum gtrace_work work)
{
	if (work != GTRACE_WORK_SYSCALL && work < GTRACE_WORK_GC_DEDICATED)
		return;
	gti_sentence_add(sentence, " (");
	gti_sentence_add(sentence, gti_work_name(work));
	gti_sentence_add(sentence, ")");
}
