/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof_test.c - samples of a profile: stacks of few and of many frames, small
 * and large values, with and without a goroutine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/pprof.h"
#include "tests/bytes.h"

#define FRAMES_MAX 128

/* What was written. */
struct bytes {
	uint8_t data[4 << 20];
	size_t size;
};

static int keep(void *context, const void *data, size_t size)
{
	struct bytes *bytes = context;

	assert_true(size <= sizeof(bytes->data) - bytes->size);
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
	return 0;
}

/* Takes the beginning of the message FIELD. Returns its end. */
static const uint8_t *take_message(const uint8_t **at, unsigned field)
{
	uint64_t size;

	assert_int_equal(*(*at)++, field << 3 | 2);
	size = take_leb128(at);
	return *at + size;
}

static void take_field(const uint8_t **at, unsigned field, uint64_t value)
{
	assert_int_equal(*(*at)++, field << 3);
	assert_int_equal(take_leb128(at), value);
}

/* Takes a label, a number or the number of a string. */
static void take_label(const uint8_t **at, uint64_t key, unsigned field,
		       uint64_t value)
{
	const uint8_t *end = take_message(at, 3);

	take_field(at, 1, key);
	take_field(at, field, value);
	assert_ptr_equal(*at, end);
}

static void take_sample(const uint8_t **at, const struct pprof_sample *sample,
			size_t frames, uint64_t work)
{
	const uint8_t *end = take_message(at, 2), *inner;
	size_t i;

	inner = take_message(at, 1);
	for (i = 1; i <= frames; i++)
		assert_int_equal(take_leb128(at), i);
	assert_ptr_equal(*at, inner);
	take_label(at, PPROF_WORK, 2, work);
	inner = take_message(at, 2);
	assert_int_equal(take_leb128(at), sample->values.count);
	assert_int_equal(take_leb128(at), sample->values.time);
	assert_ptr_equal(*at, inner);
	if (sample->g != PPROF_ANY_G)
		take_label(at, PPROF_GOROUTINE, 3, sample->g);
	assert_ptr_equal(*at, end);
}

static void test_samples(void **state)
{
	static const uint64_t values[] = {1, 127, 128, UINT64_MAX - 1,
					  UINT64_MAX};
	static char names[FRAMES_MAX];
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	struct gtrace_output output = {
		.size = sizeof(output), .write = keep, .context = bytes};
	struct gtrace_frame frames[FRAMES_MAX] = {{.line = 0}};
	struct pprof_stack stack = {.frames = frames,
				    .labels = {{"work", "a", 0}}};
	struct pprof_sample sample;
	struct writer writer;
	struct pprof pprof;
	const uint8_t *at = bytes->data;
	uint64_t work;
	size_t i, j;

	(void)state;
	assert_true(gti_pprof_init(&pprof, FRAMES_MAX, &memory));
	work = gti_pprof_put_string(&pprof, stack.labels[0].text);
	assert_int_equal(gti_writer_init(&writer, &output, &memory, NULL),
			 GTRACE_OK);
	for (i = 0; i < FRAMES_MAX; i++) {
		frames[i].function = (struct gtrace_string){names, i};
		frames[i].file = frames[i].function;
		stack.count = i + 1;
		sample.stack = gti_pprof_put_stack(&pprof, &stack);
		assert_int_equal(sample.stack, i);
		for (j = 0; j < 5 * 5 * 5; j++) {
			sample.values.count = values[j % 5];
			sample.values.time = values[j / 5 % 5];
			sample.g = values[j / 25];
			gti_pprof_write_sample(&pprof, &sample, &writer);
		}
	}
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	for (i = 0; i < FRAMES_MAX; i++)
		for (j = 0; j < 5 * 5 * 5; j++) {
			sample.values.count = values[j % 5];
			sample.values.time = values[j / 5 % 5];
			sample.g = values[j / 25];
			take_sample(&at, &sample, i + 1, work);
		}
	assert_ptr_equal(at, bytes->data + bytes->size);
	gti_pprof_free(&pprof);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
