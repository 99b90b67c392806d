/* SPDX-License-Identifier: BSD-3-Clause */
/* input_test.c - files as bytes in memory, and the system's pages of them. */
#define _DEFAULT_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"

static struct gtrace_allocator memory;

/* -------------------------------------------------------------------- pages --
 */

/* What the last call of madvise, which the library is given, was for. */
static struct {
	int calls;
	const uint8_t *start;
	size_t size;
	int advice;
} advised;

int madvise(void *start, size_t size, int advice)
{
	advised.calls++;
	advised.start = start;
	advised.size = size;
	advised.advice = advice;
	return 0;
}

static void expect_advice(const struct input *input, size_t first, size_t end)
{
	assert_int_equal(advised.calls, 1);
	assert_ptr_equal(advised.start, input->data + first);
	assert_int_equal(advised.size, end - first);
	assert_int_equal(advised.advice, MADV_DONTNEED);
	advised.calls = 0;
}

/* Whole pages are given back, however large the system's pages are. */
static void test_pages(void **state)
{
	char path[] = "/tmp/gtrace_input_test_XXXXXX";
	int fd = mkstemp(path);
	struct input input;
	size_t page;

	(void)state;
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(ftruncate(fd, 1 << 20), 0);
	assert_int_equal(gti_input_fd(&input, fd, "trace", &memory, NULL),
			 GTRACE_OK);
	close(fd);
	assert_int_equal(input.kind, INPUT_MAPPED);
	assert_int_equal(input.page_size, sysconf(_SC_PAGESIZE));
	for (page = 4096; page <= 65536; page *= 4) {
		input.page_size = page;
		gti_input_done_with(&input, 0, 3 * page);
		expect_advice(&input, 0, 3 * page);
		gti_input_done_with(&input, 1, 3 * page + 1);
		expect_advice(&input, page, 3 * page);
		gti_input_done_with(&input, page - 1, 3 * page - 1);
		expect_advice(&input, page, 2 * page);
		gti_input_done_with(&input, 1, page + 1);
		gti_input_done_with(&input, 1, page - 1);
		assert_int_equal(advised.calls, 0);
	}
	gti_input_close(&input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
