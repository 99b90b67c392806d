/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anonymise_test.c - traces with other names: in all of testdata each event is
 * as before but for its texts, a text has one new text of its length and no
 * other one has it, names of the standard library stay, and no other text is
 * left in the file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/files.h"
#include "tests/traces.h"

/* A trace of TRACE with other names. False: it cannot be read. */
static bool anonymise(struct gtrace *trace, const char *salt, struct bytes *to)
{
	const struct gtrace_edit edit = {
		.size = sizeof(edit), .anonymise = 1, .salt = salt};
	const struct gtrace_output output = {
		.size = sizeof(output), .write = add_bytes, .context = to};

	*to = (struct bytes){.room = SIZE_MAX};
	return gtrace_edit(&trace, 1, &edit, &output, NULL, NULL) == GTRACE_OK;
}

/* ----------------------------------------------------------------- texts -- */

/* All texts of the events of a trace, one after the other. */
struct texts {
	struct gtrace_string *items;
	size_t count;
	uint64_t sum; /* of all else */
	size_t next;  /* that is compared */
};

static void add_text(struct texts *texts, struct gtrace_string text)
{
	struct gtrace_string copy = {NULL, text.size};
	char *data = malloc(text.size + 1);

	if ((texts->count & (texts->count - 1)) == 0)
		texts->items = realloc(texts->items,
				       (2 * texts->count + 1) * sizeof(copy));
	assert_non_null(data);
	assert_non_null(texts->items);
	memcpy(data, text.data, text.size);
	data[text.size] = '\0';
	copy.data = data;
	texts->items[texts->count++] = copy;
}

static void mix(struct texts *texts, uint64_t number)
{
	texts->sum = (texts->sum ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	texts->sum ^= texts->sum >> 32;
}

/* A stack is looked at once: equal ones have one array of frames. */
static int add_event(void *context, const struct gtrace_event *event)
{
	struct texts *texts = context;
	size_t i;

	mix(texts, event->type);
	mix(texts, (uint64_t)event->ts);
	mix(texts, (uint64_t)event->g);
	mix(texts, (uint64_t)event->p);
	mix(texts, event->offset);
	for (i = 0; i < event->arg_count; i++)
		mix(texts, event->args[i]);
	for (i = 0; i < event->string_count; i++)
		add_text(texts, event->strings[i]);
	for (i = 0; i < event->frame_count; i++) {
		mix(texts, event->frames[i].pc);
		mix(texts, (uint64_t)event->frames[i].line);
		if (texts->count < 20000) {
			add_text(texts, event->frames[i].function);
			add_text(texts, event->frames[i].file);
		}
	}
	return 0;
}

static struct texts texts_of(struct gtrace *trace)
{
	struct texts texts = {.count = 0};
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .event = add_event, .context = &texts};

	assert_int_equal(gtrace_visit(trace, NULL, &visitor, NULL), GTRACE_OK);
	return texts;
}

static void free_texts(struct texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		free((char *)(uintptr_t)texts->items[i].data);
	free(texts->items);
}

/* A text and its new one. */
struct pair {
	struct gtrace_string old, new;
};

static int compare_texts(struct gtrace_string a, struct gtrace_string b)
{
	if (a.size != b.size)
		return a.size < b.size ? -1 : 1;
	return memcmp(a.data, b.data, a.size);
}

static int by_old(const void *a, const void *b)
{
	return compare_texts(((const struct pair *)a)->old,
			     ((const struct pair *)b)->old);
}

static int by_new(const void *a, const void *b)
{
	return compare_texts(((const struct pair *)a)->new,
			     ((const struct pair *)b)->new);
}

static bool begins(struct gtrace_string text, const char *with)
{
	return text.size >= strlen(with) &&
	       memcmp(text.data, with, strlen(with)) == 0;
}

/* Whether TEXT has to stay; whether it has to be another one. */
static bool has_to_stay(struct gtrace_string text)
{
	return begins(text, "runtime.") || begins(text, "net/http.") ||
	       begins(text, "sync.(*Mutex)") || begins(text, "time.Sleep") ||
	       begins(text, "internal/poll.") || begins(text, "syscall.") ||
	       begins(text, "/usr/local/go/src/runtime/") ||
	       begins(text, "GC (") || begins(text, "chan receive");
}

static bool has_to_change(struct gtrace_string text)
{
	return (begins(text, "main.") && strcmp(text.data, "main.main") != 0 &&
		strstr(text.data, "main.init") == NULL &&
		strncmp(text.data, "main.main.", 10) != 0) ||
	       begins(text, "example.com/") || begins(text, "github.com/") ||
	       begins(text, "/home/") || begins(text, "/tmp/");
}

static bool is_in(const struct bytes *bytes, struct gtrace_string text)
{
	const uint8_t *at = bytes->data, *end = at + bytes->size;

	while ((size_t)(end - at) >= text.size &&
	       (at = memchr(at, text.data[0],
			    (size_t)(end - at) - text.size + 1)) != NULL) {
		if (memcmp(at, text.data, text.size) == 0)
			return true;
		at++;
	}
	return false;
}

static size_t stayed, changed, differ;

/* Checks the COUNT pairs, each text of which is once in it, of the file NEW. */
static void check_pairs(struct pair *pairs, size_t count,
			const struct bytes *new)
{
	size_t i;

	qsort(pairs, count, sizeof(*pairs), by_old);
	for (i = 0; i < count; i++) {
		assert_int_equal(pairs[i].old.size, pairs[i].new.size);
		if (i > 0 && by_old(&pairs[i - 1], &pairs[i]) == 0) {
			assert_int_equal(by_new(&pairs[i - 1], &pairs[i]), 0);
			continue;
		}
		if (has_to_stay(pairs[i].old)) {
			assert_string_equal(pairs[i].old.data,
					    pairs[i].new.data);
			stayed++;
		}
		if (has_to_change(pairs[i].old)) {
			if (is_in(new, pairs[i].old))
				fail_msg("%s is left", pairs[i].old.data);
			changed++;
		}
	}
	qsort(pairs, count, sizeof(*pairs), by_new);
	for (i = 1; i < count; i++)
		if (by_new(&pairs[i - 1], &pairs[i]) == 0 &&
		    by_old(&pairs[i - 1], &pairs[i]) != 0)
			fail_msg("%s and %s are both %s", pairs[i - 1].old.data,
				 pairs[i].old.data, pairs[i].new.data);
}

static void compare(struct gtrace *trace, const struct bytes *new)
{
	struct gtrace *other;
	struct texts old, changed_texts;
	struct pair *pairs;
	size_t i;

	assert_int_equal(
		gtrace_open_memory(new->data, new->size, NULL, &other, NULL),
		GTRACE_OK);
	old = texts_of(trace);
	changed_texts = texts_of(other);
	assert_int_equal(old.sum, changed_texts.sum);
	assert_int_equal(old.count, changed_texts.count);
	pairs = calloc(old.count + 1, sizeof(*pairs));
	assert_non_null(pairs);
	for (i = 0; i < old.count; i++)
		pairs[i] = (struct pair){old.items[i], changed_texts.items[i]};
	check_pairs(pairs, old.count, new);
	free(pairs);
	free_texts(&old);
	free_texts(&changed_texts);
	gtrace_close(other);
}

static void check(const char *path)
{
	struct bytes file, new, again, other;
	struct gtrace *trace;

	file.data = read_file(path, &file.size);
	if (file.size < 3000000 &&
	    gtrace_open_memory(file.data, file.size, NULL, &trace, NULL) ==
		    GTRACE_OK) {
		if (anonymise(trace, "salt", &new)) {
			assert_int_equal(new.size, file.size);
			compare(trace, &new);
			assert_true(anonymise(trace, "salt", &again));
			assert_memory_equal(new.data, again.data, new.size);
			assert_true(anonymise(trace, "other", &other));
			assert_int_equal(other.size, new.size);
			differ += memcmp(other.data, new.data, new.size) != 0;
			free(again.data);
			free(other.data);
		}
		free(new.data);
		gtrace_close(trace);
	}
	free(file.data);
}

static void test_recorded(void **state)
{
	(void)state;
	assert_true(each_trace(check) > 40);
	assert_true(each_trace_in("testdata/silences", check) > 2);
	assert_true(stayed > 1000);
	assert_true(changed > 300);
	assert_true(differ > 30);
}

/* A salt and names go together. */
static void test_arguments(void **state)
{
	struct gtrace_edit edit = {.size = sizeof(edit), .anonymise = 1};
	struct bytes file, to = {.room = SIZE_MAX};
	const struct gtrace_output output = {
		.size = sizeof(output), .write = add_bytes, .context = &to};
	struct gtrace *trace;

	(void)state;
	file.data = read_file("testdata/go1.21-small/idle.trace", &file.size);
	assert_int_equal(
		gtrace_open_memory(file.data, file.size, NULL, &trace, NULL),
		GTRACE_OK);
	assert_int_equal(gtrace_edit(&trace, 1, &edit, &output, NULL, NULL),
			 GTRACE_ERROR_ARGUMENT);
	edit.salt = "salt";
	edit.anonymise = 0;
	assert_int_equal(gtrace_edit(&trace, 1, &edit, &output, NULL, NULL),
			 GTRACE_ERROR_ARGUMENT);
	edit.anonymise = 1;
	edit.from = 1;
	assert_int_equal(gtrace_edit(&trace, 1, &edit, &output, NULL, NULL),
			 GTRACE_ERROR_ARGUMENT);
	assert_int_equal(to.size, 0);
	gtrace_close(trace);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
