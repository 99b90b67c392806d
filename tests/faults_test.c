/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults_test.c - what goes wrong around a trace: files that shrink, cannot be
 * read or are very large, output that fails, two threads.
 */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/counted.h"
#include "tests/reports.h"

static enum gtrace_status both_reports(const char *path,
				       struct gtrace_error *error)
{
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_path(path, NULL, &trace, error);
	if (status == GTRACE_OK)
		status = print_greedy(trace, 20, &output, error);
	if (status == GTRACE_OK)
		status = print_dump(trace, &output, error);
	gtrace_close(trace);
	return status;
}

/* ----------------------------------------------------------------- input -- */

/* A copy of testdata/before.trace that may be spoilt. */
static int open_copy(char *path)
{
	char buffer[65536];
	int from = open("testdata/before.trace", O_RDONLY);
	int to = mkstemp(path);
	ssize_t n;

	assert_true(from >= 0 && to >= 0);
	while ((n = read(from, buffer, sizeof(buffer))) > 0)
		assert_int_equal(write(to, buffer, (size_t)n), n);
	close(from);
	return to;
}

static volatile sig_atomic_t strangers;

static void on_stranger(int number)
{
	(void)number;
	strangers = strangers + 1;
}

static void test_file_that_shrinks(void **state)
{
	char path[] = "/tmp/gtrace_faults_test_XXXXXX";
	struct sigaction before = {.sa_handler = on_stranger}, after;
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	int fd = open_copy(path);

	(void)state;
	assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);
	assert_int_equal(gtrace_open_path(path, NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(ftruncate(fd, 100000), 0);
	assert_int_equal(make_greedy(trace, 10, &reports, &error),
			 GTRACE_ERROR_READ);
	assert_null(reports);
	assert_non_null(strstr(error.message, "truncated"));
	/* One of the pages cut off; which is read first is not specified. */
	assert_true(error.offset > 90000);
	gtrace_close(trace);
	/* The handler from before is installed again, and was not called. */
	assert_int_equal(sigaction(SIGBUS, NULL, &after), 0);
	assert_true(after.sa_handler == on_stranger);
	assert_int_equal(strangers, 0);
	signal(SIGBUS, SIG_DFL);
	close(fd);
	unlink(path);
}

/* A dump's output, which opens another trace, and spoils the first. */
struct spoiler {
	int fd;
	bool done;
};

static int open_another_and_spoil(void *context, const void *data, size_t size)
{
	struct spoiler *spoiler = context;
	struct gtrace_error error;
	struct gtrace *trace;

	(void)data;
	(void)size;
	if (spoiler->done)
		return 0;
	spoiler->done = true;
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/idle.trace",
					  NULL, &trace, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	assert_int_equal(ftruncate(spoiler->fd, 4096), 0);
	return 0;
}

static void test_file_that_shrinks_around_another(void **state)
{
	char path[] = "/tmp/gtrace_faults_test_XXXXXX";
	struct spoiler spoiler = {.fd = open_copy(path)};
	struct gtrace_output output =
		OUTPUT(.write = open_another_and_spoil, .context = &spoiler);
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	assert_int_equal(gtrace_open_path(path, NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_ERROR_READ);
	assert_true(spoiler.done);
	assert_non_null(strstr(error.message, "truncated"));
	gtrace_close(trace);
	close(spoiler.fd);
	unlink(path);
}

/* A log with a long text, or as many events as fit into that text. */
static void build_change(struct builder *b, unsigned version, bool changed)
{
	static char text[60000];
	uint64_t i;

	builder_open(b, version);
	builder_header(b);
	builder_batch(b, 1, 100);
	if (!changed) {
		memset(text, 'x', sizeof(text) - 1);
		builder_user_log(b, 1, 1, 1, 0, text);
	} else {
		for (i = 0; i < sizeof(text) / 8; i++) {
			BUILDER_EVENT(b, EV_STW_START, 1, 0);
			BUILDER_EVENT(b, EV_STW_DONE, 1);
		}
	}
}

/* The second pass finds another trace than the first did, with more events. */
static void test_file_that_changes(void **state)
{
	char path[] = "/tmp/gtrace_faults_test_XXXXXX";
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	struct gtrace_error error;
	struct builder b, changed;
	struct gtrace *trace;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	build_change(&changed, 1011, true);
	build_change(&b, 1011, false);
	assert_true(changed.size < b.size);
	builder_frequency(&b, 1000000000);
	assert_int_equal(write(fd, b.bytes, b.size), (ssize_t)b.size);
	assert_int_equal(gtrace_open_path(path, NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(pwrite(fd, changed.bytes, changed.size, 0),
			 (ssize_t)changed.size);
	/* They return, with any answer. */
	print_greedy(trace, 10, &output, &error);
	print_dump(trace, &output, &error);
	gtrace_close(trace);
	builder_close(&b);
	builder_close(&changed);
	close(fd);
	unlink(path);
}

/* The second pass finds nothing where the first found events. */
static void test_file_that_empties(void **state)
{
	static const unsigned versions[] = {1005, 1008, 1011, 1021};
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh");
	size_t written = 0, i;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;

	(void)state;
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		char path[] = "/tmp/gtrace_faults_test_XXXXXX";
		int fd = mkstemp(path);

		assert_true(fd >= 0);
		builder_open(&b, versions[i]);
		builder_header(&b);
		builder_batch(&b, 1, 100);
		BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
		BUILDER_EVENT(&b, EV_PROC_STOP, 1);
		builder_frequency(&b, 1000000000);
		assert_int_equal(write(fd, b.bytes, b.size), (ssize_t)b.size);
		assert_int_equal(
			gtrace_open_path(path, &options, &trace, &error),
			GTRACE_OK);
		memset(b.bytes + 16, 0, b.size - 16);
		assert_int_equal(pwrite(fd, b.bytes, b.size, 0),
				 (ssize_t)b.size);
		/* They return, with any answer. */
		print_greedy(trace, 10, &output, &error);
		print_dump(trace, &output, &error);
		gtrace_close(trace);
		builder_close(&b);
		close(fd);
		unlink(path);
	}
}

struct feed {
	int fd;
	const char *path;
	pthread_t reader;
};

/* Writes the file byte by byte for a while, and interrupts the reader. */
static void *feed(void *context)
{
	struct feed *to = context;
	FILE *file = fopen(to->path, "rb");
	char buffer[4096];
	size_t n, i;

	for (i = 0; i < 50 && fread(buffer, 1, 1, file) == 1; i++) {
		if (write(to->fd, buffer, 1) != 1)
			break;
		pthread_kill(to->reader, SIGUSR1);
		usleep(200);
	}
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		if (write(to->fd, buffer, n) != (ssize_t)n)
			break;
	fclose(file);
	close(to->fd);
	return NULL;
}

static void test_pipe_with_interruptions(void **state)
{
	struct sigaction action = {.sa_handler = on_stranger};
	struct gtrace_error error;
	struct gtrace_reports *reports;
	struct gtrace *trace;
	struct feed to;
	pthread_t thread;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	to = (struct feed){fds[1], "testdata/go1.8-small/mix.trace",
			   pthread_self()};
	assert_int_equal(pthread_create(&thread, NULL, feed, &to), 0);
	assert_int_equal(gtrace_open_fd(fds[0], NULL, &trace, &error),
			 GTRACE_OK);
	pthread_join(thread, NULL);
	assert_int_equal(make_greedy(trace, 10, &reports, &error), GTRACE_OK);
	assert_int_equal(reports->greedy->count, 10);
	gtrace_reports_free(reports);
	gtrace_close(trace);
	close(fds[0]);
}

/* What is no trace is not read to its end, which may not come. */
static void test_no_trace_without_end(void **state)
{
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_options options = OPTIONS(.allocator = &allocator);
	struct gtrace_error error;
	struct gtrace *trace;
	int fds[2];

	(void)state;
	/* Should it be read, memory ends, and not the machine's. */
	counted.left = 8;
	assert_int_equal(
		gtrace_open_path("/dev/zero", &options, &trace, &error),
		GTRACE_ERROR_HEADER);
	assert_string_equal(error.message, "not a trace file");
	assert_true(counted.peak < (size_t)4 << 20);
	assert_int_equal(counted.bytes, 0);
	counted.left = SIZE_MAX;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "go 1.99 trace\0\0\0", 16), 16);
	assert_int_equal(gtrace_open_fd(fds[0], &options, &trace, &error),
			 GTRACE_ERROR_VERSION);
	assert_string_equal(error.message,
			    "unsupported trace file version 1.99 (update Go "
			    "toolchain) 1099");
	close(fds[0]);
	close(fds[1]);
}

/* Bytes for a pipe, some of them later than the others. */
struct late {
	int fd;
	const char *bytes;
	size_t size;
};

static void *write_late(void *context)
{
	const struct late *late = context;

	usleep(2000);
	assert_int_equal(write(late->fd, late->bytes, late->size),
			 (ssize_t)late->size);
	close(late->fd);
	return NULL;
}

/* Opens SIZE bytes through a pipe that at first holds FIRST of them. */
static enum gtrace_status open_pipe(const char *bytes, size_t size,
				    size_t first, struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;
	pthread_t thread;
	struct late late;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], bytes, first), (ssize_t)first);
	late = (struct late){fds[1], bytes + first, size - first};
	assert_int_equal(pthread_create(&thread, NULL, write_late, &late), 0);
	status = gtrace_open_fd(fds[0], NULL, &trace, error);
	assert_int_equal(pthread_join(thread, NULL), 0);
	gtrace_close(trace);
	close(fds[0]);
	return status;
}

#define HEAD(text)                                                             \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}

/*
 * Go's reader takes more than one blank in the header of Go 1.22 and later, so
 * that it may be longer than what is looked at first.
 */
static void test_late_headers(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} heads[] = {
		HEAD("go 1.22 trace\0\0\0 and more"),
		HEAD("go      1.     00000022       trace\0\0\0 and more"),
		HEAD("go \xe2\x80\x80\xe2\x80\x80\xe2\x80\x80\xe2\x80\x80"
		     "1.22 trace\0\0\0 and more"),
		HEAD("go 1.22\r\r\r\r\r\r\r\r\r trace\0\0\0"),
		HEAD("go 1.22\r\r\r\r\r\r\r\r\r"),
		HEAD("go 1.22         tr"),
	};
	struct gtrace_error error, late;
	enum gtrace_status want;
	struct gtrace *trace;
	size_t i, first;

	(void)state;
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		want = gtrace_open_memory(heads[i].bytes, heads[i].size, NULL,
					  &trace, &error);
		gtrace_close(trace);
		for (first = 1; first <= heads[i].size; first++) {
			assert_int_equal(open_pipe(heads[i].bytes,
						   heads[i].size, first, &late),
					 want);
			if (want != GTRACE_OK)
				assert_string_equal(late.message,
						    error.message);
		}
	}
}

/* What comes through a pipe is kept in memory, of which there is too little. */
static void test_memory_for_a_pipe(void **state)
{
	static char bytes[60000];
	struct counted counted = {.left = 0};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_options options = OPTIONS(.allocator = &allocator);
	struct gtrace_error error;
	struct gtrace *trace;
	enum gtrace_status status;
	int fds[2];
	size_t n = 0;

	(void)state;
	memcpy(bytes, "go 1.8 trace\0\0\0", 16);
	do {
		assert_int_equal(pipe(fds), 0);
		assert_int_equal(write(fds[1], bytes, sizeof(bytes)),
				 sizeof(bytes));
		close(fds[1]);
		counted.left = n++;
		status = gtrace_open_fd(fds[0], &options, &trace, &error);
		assert_null(trace);
		assert_int_equal(counted.bytes, 0);
		close(fds[0]);
	} while (status == GTRACE_ERROR_MEMORY);
	/* What follows the header is no record. */
	assert_int_equal(status, GTRACE_ERROR_RECORD);
	assert_true(n > 2);
}

/* Files that cannot be mapped, though they have a size, are read. */
static void test_file_that_cannot_be_mapped(void **state)
{
	static const char path[] =
		"/sys/kernel/mm/transparent_hugepage/enabled";
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	if (access(path, R_OK) != 0)
		skip();
	assert_int_equal(gtrace_open_path(path, NULL, &trace, &error),
			 GTRACE_ERROR_HEADER);
	assert_string_equal(error.message, "not a trace file");
}

/*
 * Reading one's own memory as a file gives what is there, then EIO where there
 * is none: a read that returns short, and one that fails, of any size.
 */
static void test_failing_reads(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 5 * page;
	int fd = open("/proc/self/mem", O_RDONLY);
	struct gtrace_error error;
	struct gtrace *trace;
	char *memory, want[128];

	(void)state;
	if (fd < 0)
		skip();
	memory = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	assert_int_equal(munmap(memory + size, page), 0);
	memcpy(memory, "go 1.8 trace\0\0\0", 16);
	assert_true(lseek(fd, (off_t)(uintptr_t)memory, SEEK_SET) >= 0);
	assert_int_equal(gtrace_open_fd(fd, NULL, &trace, &error),
			 GTRACE_ERROR_READ);
	assert_int_equal(error.system_error, EIO);
	assert_int_equal(error.offset, size);
	snprintf(want, sizeof(want),
		 "failed to read trace at offset 0x%zx: read trace: "
		 "input/output error",
		 size);
	assert_string_equal(error.message, want);
	assert_null(trace);
	/* Nothing at all can be read there. */
	assert_int_equal(gtrace_open_fd(fd, NULL, &trace, &error),
			 GTRACE_ERROR_READ);
	assert_string_equal(error.message,
			    "failed to read header: read 0, err read trace: "
			    "input/output error");
	/* Less than a header. */
	assert_true(lseek(fd, -5, SEEK_CUR) >= 0);
	assert_int_equal(gtrace_open_fd(fd, NULL, &trace, &error),
			 GTRACE_ERROR_READ);
	assert_int_equal(error.offset, 5);
	assert_string_equal(error.message,
			    "failed to read header: read 5, err read trace: "
			    "input/output error");
	munmap(memory, size);
	close(fd);
}

static void test_cannot_open(void **state)
{
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	assert_int_equal(
		gtrace_open_path("testdata/none", NULL, &trace, &error),
		GTRACE_ERROR_OPEN);
	assert_string_equal(error.message,
			    "open testdata/none: no such file or directory");
	assert_int_equal(error.system_error, ENOENT);
	assert_null(trace);
	assert_int_equal(gtrace_open_path("testdata", NULL, &trace, &error),
			 GTRACE_ERROR_READ);
	assert_string_equal(error.message,
			    "failed to read header: read 0, err read "
			    "testdata: is a directory");
	assert_int_equal(gtrace_open_fd(-1, NULL, &trace, &error),
			 GTRACE_ERROR_READ);
	assert_string_equal(error.message,
			    "failed to read header: read 0, err read trace: "
			    "bad file descriptor");
	assert_int_equal(gtrace_open_path(NULL, NULL, &trace, NULL),
			 GTRACE_ERROR_ARGUMENT);
	assert_int_equal(gtrace_open_memory(NULL, 5, NULL, &trace, NULL),
			 GTRACE_ERROR_ARGUMENT);
}

/* ------------------------------------------------------------------ size -- */

#define FAR_STRINGS 4400
#define FAR_SIZE    1000000

/* What a dump prints, as far as it says where the events stand. */
struct offsets {
	char text[4096];
	size_t size;
};

static int keep(void *context, const void *data, size_t size)
{
	struct offsets *offsets = context;

	if (size > sizeof(offsets->text) - offsets->size - 1)
		size = sizeof(offsets->text) - offsets->size - 1;
	memcpy(offsets->text + offsets->size, data, size);
	offsets->size += size;
	return 0;
}

static void write_all(int fd, struct builder *b)
{
	assert_int_equal(write(fd, b->bytes, b->size), b->size);
	builder_clear(b);
}

/*
 * A trace of more than 4 GiB, nearly all of it holes: what the strings in
 * front of the events say. Returns the offset of its start event.
 */
static uint64_t write_far(int fd)
{
	uint64_t start, i;
	struct builder b;

	builder_open(&b, 1008);
	builder_header(&b);
	for (i = 1; i <= FAR_STRINGS; i++) {
		builder_value(&b, EV_STRING);
		builder_value(&b, i);
		builder_value(&b, FAR_SIZE);
		write_all(fd, &b);
		assert_true(lseek(fd, FAR_SIZE, SEEK_CUR) >= 0);
	}
	builder_batch(&b, 0, 5);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 7, 0, 0);
	start = (uint64_t)lseek(fd, 0, SEEK_CUR) + b.size;
	BUILDER_EVENT(&b, EV_GO_START, 10, 7, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 2000, 0);
	builder_frequency(&b, 1000000000);
	write_all(fd, &b);
	builder_close(&b);
	return start;
}

static void test_beyond_4_gib(void **state)
{
	char name[] = "faults_test.XXXXXX", want[64];
	struct offsets offsets = {.size = 0};
	struct gtrace_output output =
		OUTPUT(.write = keep, .context = &offsets);
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	uint64_t start;
	int fd;

	(void)state;
	fd = mkstemp(name);
	assert_true(fd >= 0);
	unlink(name);
	start = write_far(fd);
	assert_true(start > UINT32_MAX);
	if (sizeof(size_t) == 4) {
		assert_int_equal(gtrace_open_fd(fd, NULL, &trace, &error),
				 GTRACE_ERROR_MEMORY);
		close(fd);
		return;
	}

	assert_int_equal(gtrace_open_fd(fd, NULL, &trace, &error), GTRACE_OK);
	assert_int_equal(make_greedy(trace, 1, &reports, &error), GTRACE_OK);
	assert_int_equal(reports->greedy->count, 1);
	assert_true(reports->greedy->slices[0]->start.offset == start);
	assert_int_equal(reports->greedy->slices[0]->duration, 2000);
	gtrace_reports_free(reports);
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_OK);
	snprintf(want, sizeof(want), "Off: %llu type: 14 GoStart",
		 (unsigned long long)start);
	assert_non_null(strstr(offsets.text, want));
	gtrace_close(trace);

	/* Cut off in the middle of that event. */
	assert_int_equal(ftruncate(fd, (off_t)start + 2), 0);
	assert_int_equal(gtrace_open_fd(fd, NULL, &trace, &error),
			 GTRACE_ERROR_CUT_OFF);
	snprintf(want, sizeof(want), "at offset %llu: read 0, error EOF",
		 (unsigned long long)start + 2);
	assert_non_null(strstr(error.message, want));
	close(fd);
}

/* ---------------------------------------------------------------- output -- */

static int fail_third(void *context, const void *data, size_t size)
{
	(void)data;
	(void)size;
	return ++*(int *)context == 3 ? ENOSPC : 0;
}

static void test_output(void **state)
{
	int calls = 0;
	struct gtrace_output output =
		OUTPUT(.write = fail_third, .context = &calls);
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/mix.trace",
					  NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(print_dump(trace, &output, &error),
			 GTRACE_ERROR_WRITE);
	assert_int_equal(error.system_error, ENOSPC);
	assert_string_equal(
		error.message,
		"failed to write the report: no space left on device");
	assert_int_equal(calls, 3);
	output = OUTPUT(.fd = open("/dev/full", O_WRONLY));
	if (output.fd >= 0) {
		assert_int_equal(print_greedy(trace, 1, &output, &error),
				 GTRACE_ERROR_WRITE);
		assert_int_equal(error.system_error, ENOSPC);
		close(output.fd);
	}
	gtrace_close(trace);
}

/* Reads what comes through a pipe, slowly, into a sum. */
struct drain {
	int fd;
	size_t size;
};

static void *drain(void *context)
{
	struct drain *drain = context;
	char bytes[700];
	ssize_t n;

	while ((n = read(drain->fd, bytes, sizeof(bytes))) > 0)
		drain->size += (size_t)n;
	return NULL;
}

/* A pipe that does not wait takes a part of each write, and then none. */
static void test_writes_cut_short(void **state)
{
	struct gtrace_output output = OUTPUT(.write = counted_write);
	size_t whole = 0;
	struct drain to = {.size = 0};
	struct gtrace_error error;
	struct gtrace *trace;
	pthread_t thread;
	int fds[2];

	(void)state;
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/mix.trace",
					  NULL, &trace, &error),
			 GTRACE_OK);
	output.context = &whole;
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_OK);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	to.fd = fds[0];
	assert_int_equal(pthread_create(&thread, NULL, drain, &to), 0);
	output = OUTPUT(.fd = fds[1]);
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_OK);
	close(fds[1]);
	pthread_join(thread, NULL);
	assert_int_equal(to.size, whole);
	close(fds[0]);
	gtrace_close(trace);
}

/* --------------------------------------------------------------- threads -- */

static void *read_often(void *context)
{
	struct gtrace_error error;
	unsigned i;

	for (i = 0; i < 20; i++)
		if (both_reports(context, &error) != GTRACE_OK)
			return context;
	return NULL;
}

static void test_two_threads(void **state)
{
	static char one[] = "testdata/go1.8-small/lock.trace";
	static char two[] = "testdata/go1.21-small/idle.trace";
	pthread_t thread;
	void *failed;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, read_often, one), 0);
	assert_null(read_often(two));
	assert_int_equal(pthread_join(thread, &failed), 0);
	assert_null(failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_for_a_pipe),
		cmocka_unit_test(test_file_that_shrinks),
		cmocka_unit_test(test_file_that_shrinks_around_another),
		cmocka_unit_test(test_file_that_changes),
		cmocka_unit_test(test_file_that_empties),
		cmocka_unit_test(test_pipe_with_interruptions),
		cmocka_unit_test(test_no_trace_without_end),
		cmocka_unit_test(test_late_headers),
		cmocka_unit_test(test_file_that_cannot_be_mapped),
		cmocka_unit_test(test_failing_reads),
		cmocka_unit_test(test_cannot_open),
		cmocka_unit_test(test_beyond_4_gib),
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_writes_cut_short),
		cmocka_unit_test(test_two_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
