/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reports_test.c - every report of mutated traces, see every_report.h and
 * mutations.h.
 *
 *	reports_test                     some thousands, the same each time
 *	reports_test FIRST COUNT         from number FIRST on; 0: no end
 *	reports_test -write NUMBER FILE  writes one of them
 *	reports_test -write FIRST COUNT FOLDER
 *	                                 writes COUNT of them, FOLDER/NUMBER.trace
 *	reports_test FILE...             of these files
 *
 * They are made in child processes, so that one that fails does not end the
 * others: it is named, and the exit status is 1.
 */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/model.h"
#include "tests/mutated/every_report.h"
#include "tests/mutated/mutations.h"

/* Of all, without arguments: a minute or two under sanitizers. */
#define COUNT 1600

/* A short run makes one in so many of these. */
#ifdef SANITIZED
#define PARTS 11
#else
#define PARTS 4
#endif

/* So many are made by one process. */
#define OF_CHILD 100

/* One that takes longer has no end. */
#define SECONDS_MAX 60

/* What a child says of its work. */
struct progress {
	uint64_t number;
	uint64_t accepted;
};

static struct progress *progress;

static int make_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct builder b;
	char block[4096];
	size_t size;

	if (file == NULL) {
		perror(path);
		return 1;
	}
	builder_open(&b, 0);
	while ((size = fread(block, 1, sizeof(block), file)) != 0)
		builder_bytes(&b, block, size);
	fclose(file);
	for (size = 0; size < 8; size++)
		make_every_report(b.bytes, b.size, size);
	builder_close(&b);
	forget_reports();
	return 0;
}

static int write_one(uint64_t number, const char *path)
{
	FILE *file = fopen(path, "wb");
	struct builder b;
	bool good;

	builder_open(&b, 0);
	make_mutated(&b, number);
	good = file != NULL && fwrite(b.bytes, 1, b.size, file) == b.size;
	if (file != NULL && fclose(file) != 0)
		good = false;
	builder_close(&b);
	return good ? 0 : 1;
}

static int write_many(uint64_t first, uint64_t count, const char *folder)
{
	char path[4096];
	uint64_t i;

	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%08llu.trace", folder,
			 (unsigned long long)(first + i));
		if (write_one(first + i, path) != 0) {
			perror(path);
			return 1;
		}
	}
	return 0;
}

/* In a child: all from the first number up to one. */
static _Noreturn void make_some(uint64_t number, uint64_t end)
{
	const struct rlimit no_core = {0, 0};
	struct builder b;
	void *exact;

	setrlimit(RLIMIT_CORE, &no_core);
	for (; number != end; number++) {
		progress->number = number;
		alarm(SECONDS_MAX);
		builder_open(&b, 0);
		make_mutated(&b, number);
		/* A read past the end is seen. */
		exact = malloc(b.size);
		memcpy(exact, b.bytes, b.size);
		progress->accepted += (uint64_t)make_every_report(
			exact, b.size, (size_t)number);
		free(exact);
		builder_close(&b);
	}
	forget_reports();
	exit(0);
}

/* Returns the first number that was not made. */
static uint64_t run_child(uint64_t number, uint64_t end, unsigned *failed)
{
	pid_t child;
	int status = 0;

	fflush(NULL);
	child = fork();
	if (child == 0)
		make_some(number, end);
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("reports_test");
		exit(2);
	}
	if (status == 0)
		return end;
	printf("FAILED: %llu (%s %d); reports_test -write %llu FILE\n",
	       (unsigned long long)progress->number,
	       WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
	       (unsigned long long)progress->number);
	fflush(stdout);
	++*failed;
	return progress->number + 1;
}

static int make_many(uint64_t first, uint64_t count)
{
	uint64_t number = first;
	unsigned failed = 0;

	while (count == 0 || number - first < count) {
		uint64_t end = number + OF_CHILD;

		if (count != 0 && end - first > count)
			end = first + count;
		number = run_child(number, end, &failed);
	}
	printf("%llu inputs, %llu accepted, %u failed\n",
	       (unsigned long long)count,
	       (unsigned long long)progress->accepted, failed);
	/* Both happen often, or the mutations are not what is wanted. */
	if (progress->accepted < count / 5 ||
	    progress->accepted > count / 5 * 4)
		return 1;
	return failed != 0;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		return 2;
	if (argc == 1)
		return make_many(1, is_short() ? COUNT / PARTS : COUNT);
	if (argc == 4 && strcmp(argv[1], "-write") == 0)
		return write_one(strtoull(argv[2], NULL, 10), argv[3]);
	if (argc == 5 && strcmp(argv[1], "-write") == 0)
		return write_many(strtoull(argv[2], NULL, 10),
				  strtoull(argv[3], NULL, 10), argv[4]);
	if (argc == 3 && argv[1][0] >= '0' && argv[1][0] <= '9')
		return make_many(strtoull(argv[1], NULL, 10),
				 strtoull(argv[2], NULL, 10));
	for (i = 1; i < argc; i++)
		failed |= make_file(argv[i]);
	return failed;
}
