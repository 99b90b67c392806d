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

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/input.h"
#include "base/memory.h"

static struct gtrace_allocator memory;

/* ------------------------------------------------------------------ head -- */

static const char text[] = "0123456789abcdef and more";

/* What was checked: how often, and how many bytes at last. */
static int checks;
static size_t checked_size;

static enum gtrace_status accept(const uint8_t *data, size_t size,
				 struct gtrace_error *error)
{
	(void)error;
	checks++;
	checked_size = size;
	assert_true(size >= INPUT_HEAD);
	assert_memory_equal(data, text, size);
	return GTRACE_OK;
}

static enum gtrace_status refuse(const uint8_t *data, size_t size,
				 struct gtrace_error *error)
{
	accept(data, size, error);
	return gti_fail(error, GTRACE_ERROR_HEADER, 7, "refused");
}

/* A pipe that holds the first SIZE bytes of the text, its other end open. */
static void open_pipe(int fds[2], size_t size)
{
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], text, size), (ssize_t)size);
	checks = 0;
}

/* Nothing is read of a file once its head is refused: more would never come. */
static void test_refused_head(void **state)
{
	struct gtrace_error error;
	struct input input;
	int fds[2];

	(void)state;
	open_pipe(fds, INPUT_HEAD);
	assert_int_equal(
		gti_input_fd(&input, fds[0], "trace", refuse, &memory, &error),
		GTRACE_ERROR_HEADER);
	assert_int_equal(checks, 1);
	assert_int_equal(checked_size, INPUT_HEAD);
	assert_string_equal(error.message, "refused");
	assert_int_equal(error.offset, 7);
	assert_null(input.data);
	close(fds[0]);
	close(fds[1]);
}

static void test_accepted_head(void **state)
{
	struct gtrace_error error;
	struct input input;
	size_t size;
	int fds[2];

	(void)state;
	for (size = 0; size <= sizeof(text); size++) {
		open_pipe(fds, size);
		close(fds[1]);
		assert_int_equal(gti_input_fd(&input, fds[0], "trace", accept,
					      &memory, &error),
				 GTRACE_OK);
		assert_int_equal(input.kind, INPUT_READ);
		assert_int_equal(checks, size >= INPUT_HEAD);
		assert_int_equal(input.size, size);
		assert_memory_equal(input.data, text, size);
		gti_input_close(&input);
		close(fds[0]);
	}
}

/* Writes the text byte by byte, so that reads are short. */
static void *write_slowly(void *context)
{
	const int *fd = context;
	size_t i;

	for (i = 0; i < sizeof(text); i++) {
		if (write(*fd, text + i, 1) != 1)
			break;
		usleep(1000);
	}
	close(*fd);
	return NULL;
}

static void test_slow_head(void **state)
{
	struct gtrace_error error;
	struct input input;
	pthread_t thread;
	int fds[2];

	(void)state;
	open_pipe(fds, 0);
	assert_int_equal(pthread_create(&thread, NULL, write_slowly, &fds[1]),
			 0);
	assert_int_equal(
		gti_input_fd(&input, fds[0], "trace", accept, &memory, &error),
		GTRACE_OK);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(checks, 1);
	assert_int_equal(input.size, sizeof(text));
	assert_memory_equal(input.data, text, sizeof(text));
	gti_input_close(&input);
	close(fds[0]);
}

/* ----------------------------------------------------------------- pages -- */

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
	assert_int_equal(gti_input_fd(&input, fd, "trace", NULL, &memory, NULL),
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
		cmocka_unit_test(test_refused_head),
		cmocka_unit_test(test_accepted_head),
		cmocka_unit_test(test_slow_head),
		cmocka_unit_test(test_pages),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
