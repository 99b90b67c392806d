/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules_test.c - the rules and the names of events in each version.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "v1/rules.h"

static void check(unsigned version, unsigned type, bool known, unsigned values)
{
	struct rules rules;

	gti_rules_init(&rules, version);
	assert_int_equal(rules.by_type[type].known, known);
	if (known)
		assert_int_equal(rules.by_type[type].values, values);
}

static void test_versions(void **state)
{
	(void)state;
	check(1005, EV_BATCH, true, 3);
	check(1007, EV_BATCH, true, 2);
	check(1005, EV_STRING, false, 0);
	check(1005, EV_GO_START, true, 3);
	check(1007, EV_GO_START, true, 3);
	check(1007, EV_GO_START_LABEL, false, 0);
	check(1008, EV_GO_START_LABEL, true, 4);
	check(1008, EV_GC_SWEEP_DONE, true, 1);
	check(1009, EV_GC_SWEEP_DONE, true, 3);
	check(1009, EV_STW_START, true, 1);
	check(1010, EV_STW_START, true, 2);
	check(1010, EV_USER_LOG, false, 0);
	check(1011, EV_USER_LOG, true, 4);
	check(1011, EV_CPU_SAMPLE, false, 0);
	check(1019, EV_CPU_SAMPLE, true, 5);
	check(1021, EV_CPU_SAMPLE + 1, false, 0);
}

/* No event has more values than a record can hold. */
static void test_values(void **state)
{
	static const unsigned versions[] = {
#define VERSION_NUMBER(version) version,
		VERSION_LIST(VERSION_NUMBER)
#undef VERSION_NUMBER
	};
	size_t i, type;

	(void)state;
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		struct rules rules;

		gti_rules_init(&rules, versions[i]);
		for (type = 0; type < EVENT_TYPES; type++) {
			const struct rule *rule = &rules.by_type[type];

			assert_true(rule->values <= EVENT_VALUES_MAX);
			assert_true(rule->args <= EVENT_ARGS + 1);
			assert_true(!rule->known || type < EV_COUNT);
		}
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(gti_event_name(EV_STW_START, 1008), "GCScanStart");
	assert_string_equal(gti_event_name(EV_STW_START, 1009), "GCSTWStart");
	assert_string_equal(gti_event_name(EV_STW_START, 1019), "GCSTWStart");
	assert_string_equal(gti_event_name(EV_STW_START, 1021), "STWStart");
	assert_string_equal(gti_event_name(EV_HEAP_GOAL, 1008), "NextGC");
	assert_string_equal(gti_event_name(EV_HEAP_GOAL, 1010), "HeapGoal");
	assert_string_equal(gti_event_name(0, 1021), "None");
	assert_string_equal(gti_event_name(EV_COUNT, 1021), "None");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
