/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generated_test.c - generated traces, whole and damaged, by all ways through
 * them: in merge order and in final order. Both come to the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/bytes.h"
#include "tests/generator.h"
#include "tests/model.h"
#include "tests/reports.h"

struct outcome {
	enum gtrace_status status;
	struct gtrace_error error;
	uint64_t sum;
	uint64_t size;
};

/* Equal texts come in equal pieces, so that words of them can be added up. */
static int add(void *context, const void *data, size_t size)
{
	struct outcome *outcome = context;
	const uint8_t *bytes = data;
	uint64_t word = 0, sum = outcome->sum;
	size_t i;

	for (i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
		sum ^= sum >> 29;
	}
	for (; i < size; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3u;
	outcome->sum = sum;
	outcome->size += size;
	return 0;
}

typedef enum gtrace_status printer(struct gtrace *trace,
				   const struct gtrace_output *output,
				   struct gtrace_error *error);

static enum gtrace_status print_events(struct gtrace *trace,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	enum gtrace_status status = print_greedy(trace, 1000, output, error);

	return status == GTRACE_OK ? print_dump(trace, output, error) : status;
}

static enum gtrace_status print_summary(struct gtrace *trace,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	struct gtrace_request request = {.size = sizeof(request),
					 .n = 1000,
					 .stops = 1000,
					 .blocks = 1000,
					 .format = GTRACE_FORMAT_JSON};
	enum gtrace_status status = print_report(trace, GTRACE_REPORT_SUMMARY,
						 request, output, error);

	return status == GTRACE_OK
		       ? gtrace_print(trace, &request, output, error)
		       : status;
}

static enum gtrace_status print_profiles(struct gtrace *trace,
					 const struct gtrace_output *output,
					 struct gtrace_error *error)
{
	static const enum gtrace_report reports[] = {
		GTRACE_REPORT_PROFILE,        GTRACE_REPORT_STOP_PROFILE,
		GTRACE_REPORT_WAIT_PROFILE,   GTRACE_REPORT_DELAY_PROFILE,
		GTRACE_REPORT_BLOCK_PROFILE,  GTRACE_REPORT_UNBLOCK_PROFILE,
		GTRACE_REPORT_ASSIST_PROFILE, GTRACE_REPORT_PATH_PROFILE};
	enum gtrace_status status = GTRACE_OK;
	size_t i;

	for (i = 0;
	     i < sizeof(reports) / sizeof(reports[0]) && status == GTRACE_OK;
	     i++)
		status = print_report(trace, reports[i], REQUEST(.n = 0),
				      output, error);
	return status;
}

static struct outcome print(const struct builder *b, printer *call, int final)
{
	struct gtrace_options options =
		OPTIONS(.binary = "program", /* of Go 1.5 */
			.go_command = "tests/fake_go.sh");
	struct outcome outcome = {.error = {.message = ""}};
	struct gtrace_output output = OUTPUT(.write = add, .context = &outcome);
	struct gtrace *trace;

	outcome.status = gtrace_open_memory(b->bytes, b->size, &options, &trace,
					    &outcome.error);
	if (outcome.status == GTRACE_OK && final)
		gti_test_final_order(trace);
	if (outcome.status == GTRACE_OK)
		outcome.status = call(trace, &output, &outcome.error);
	gtrace_close(trace);
	return outcome;
}

static void check_same(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->status, b->status);
	assert_string_equal(a->error.message, b->error.message);
	assert_true(a->size == b->size);
	assert_true(a->sum == b->sum);
}

static enum gtrace_status check_both_orders(const struct builder *b)
{
	static printer *const printers[] = {print_events, print_summary,
					    print_profiles};
	struct outcome merged, final;
	size_t i;

	for (i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		merged = print(b, printers[i], 0);
		final = print(b, printers[i], 1);
		check_same(&merged, &final);
	}
	return merged.status;
}

/* Changes some bytes, or takes a piece out. */
static void damage(struct builder *b, uint64_t *seed)
{
	uint64_t changes = random_below(seed, 4);
	size_t first, size;

	if (changes == 0) {
		first = (size_t)random_below(seed, b->size);
		size = (size_t)random_below(seed, b->size - first);
		size = size > 200 ? size % 200 : size;
		memmove(b->bytes + first, b->bytes + first + size,
			b->size - first - size);
		b->size -= size;
	}
	while (changes-- > 0)
		b->bytes[random_below(seed, b->size)] =
			(uint8_t)random_next(seed);
}

static void test_all_ways(void **state)
{
	static const unsigned versions[] = {1005, 1007, 1008, 1009,
					    1010, 1011, 1019, 1021};
	static const uint32_t processors[] = {1, 2, 7, 40};
	uint64_t seed = 5;
	unsigned good = 0, bad = 0, i, j, k;

	(void)state;
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		for (j = 0; j < 4; j++) {
			struct builder whole, damaged;
			struct generator_options options = {
				.version = versions[i],
				.events = is_short() ? 1500 : 3000,
				.processors = processors[j],
				.goroutines = 50 * (j + 1),
				.churn = 100,
				.samples = 20,
				.ties = j % 2 == 0 ? 0 : 5,
				.futile = j == 3 ? 20 : 0,
				.seed = i * 4 + j + 1,
				.write = builder_write,
				.context = &whole,
			};

			builder_open(&whole, 0);
			generate_trace(&options);
			assert_int_equal(check_both_orders(&whole), GTRACE_OK);
			for (k = 0; k < rounds(60); k++) {
				builder_open(&damaged, 0);
				builder_bytes(&damaged, whole.bytes,
					      whole.size);
				damage(&damaged, &seed);
				if (check_both_orders(&damaged) == GTRACE_OK)
					good++;
				else
					bad++;
				builder_close(&damaged);
			}
			builder_close(&whole);
		}
	/* Both happen often, or the damage is not what is wanted. */
	print_message("of the damaged ones %u are good, %u are bad\n", good,
		      bad);
	assert_true(good > rounds(50) && bad > rounds(500));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
