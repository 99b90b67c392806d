/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_test.c - JSON to the byte: strings of any bytes, numbers, objects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/json.h"
#include "tests/written.h"

static void test_strings(void **state)
{
	static const struct {
		struct gtrace_string text;
		const char *json;
	} cases[] = {
		{STRING(""), "\"\""},
		{STRING("main.f /a b.go"), "\"main.f /a b.go\""},
		{STRING("a\"b\\c"), "\"a\\\"b\\\\c\""},
		{STRING("\n\t\0\x1f"), "\"\\u000a\\u0009\\u0000\\u001f\""},
		{STRING("\x7f"), "\"\\u007f\""},
		/* UTF-8 as it is: first and last of each length. */
		{STRING("\xc2\xa0\xdf\xbf"), "\"\xc2\xa0\xdf\xbf\""},
		{STRING("\xe0\xa0\x80\xef\xbf\xbf"),
		 "\"\xe0\xa0\x80\xef\xbf\xbf\""},
		{STRING("\xed\x9f\xbf\xee\x80\x80"),
		 "\"\xed\x9f\xbf\xee\x80\x80\""},
		{STRING("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
		 "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
		/* What a terminal must not get, or is invisible. */
		{STRING("\xc2\x80\xc2\x9f"), "\"\\u0080\\u009f\""},
		{STRING("\xe2\x80\xae\xef\xbb\xbf"), "\"\\u202e\\ufeff\""},
		{STRING("\xf3\xa0\x81\x81!"), "\"\\udb40\\udc41!\""},
		/* Too long, a surrogate, too great, cut off, stray bytes. */
		{STRING("\xc1\xbf"), "\"\\ufffd\\ufffd\""},
		{STRING("\xe0\x9f\xbf"), "\"\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xf0\x8f\xbf\xbf"),
		 "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xf4\x90\x80\x80"),
		 "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xe2\x82"), "\"\\ufffd\\ufffd\""},
		{STRING("\xe2\x82x"), "\"\\ufffd\\ufffdx\""},
		{STRING("x\x80\xff"), "\"x\\ufffd\\ufffd\""},
	};
	struct json json = {.writer = &writer};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		json.comma = false;
		gti_json_string(&json, NULL, cases[i].text);
		expect(cases[i].json);
	}
}

static void test_values(void **state)
{
	struct json json = {.writer = &writer};

	(void)state;
	begin();
	gti_json_open(&json, NULL, '{');
	gti_json_open(&json, "empty", '[');
	gti_json_close(&json, ']');
	gti_json_unsigned(&json, "u", UINT64_MAX);
	gti_json_signed(&json, "s", INT64_MIN);
	gti_json_open(&json, "list", '[');
	writer_commit(&writer, gti_put_text(json_begin(&json, NULL), "null"));
	writer_commit(&writer, gti_put_text(json_begin(&json, NULL), "1.50"));
	gti_json_close(&json, ']');
	gti_json_close(&json, '}');
	gti_json_end_line(&json);
	gti_json_signed(&json, NULL, 0);
	expect("{\"empty\":[],\"u\":18446744073709551615,"
	       "\"s\":-9223372036854775808,\"list\":[null,1.50]}\n0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
