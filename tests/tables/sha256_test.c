/* SPDX-License-Identifier: BSD-3-Clause */
/* sha256_test.c - the sums of the standard's examples, however they are fed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tables/sha256.h"

/* NIST's examples: TEXT, COUNT times. */
static const struct {
	const char *text;
	size_t count;
	const char *sum;
} cases[] = {
	{"", 1,
	 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"abc", 1,
	 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{"a", 1000000,
	 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void expect(const char *text, size_t size, size_t step, const char *want)
{
	char got[SHA256_DIGITS + 1];
	struct sha256 sum;
	size_t i;

	sha256_begin(&sum);
	for (i = 0; i < size; i += step)
		sha256_add(&sum, text + i, size - i < step ? size - i : step);
	sha256_end(&sum, got);
	assert_string_equal(got, want);
}

static void test_sums(void **state)
{
	static const size_t steps[] = {1, 3, 63, 64, 65, 1000, 1 << 20};
	size_t i, j, size;
	char *text;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size = strlen(cases[i].text);
		text = malloc(size * cases[i].count + 1);
		assert_non_null(text);
		for (j = 0; j < cases[i].count; j++)
			memcpy(text + j * size, cases[i].text, size);
		for (j = 0; j < sizeof(steps) / sizeof(steps[0]); j++)
			expect(text, size * cases[i].count, steps[j],
			       cases[i].sum);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
