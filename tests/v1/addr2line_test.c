/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * addr2line_test.c - what `go tool addr2line` is asked, and what is made of
 * its answers and of how it ends. Shell scripts stand for the go command.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/counted.h"
#include "v1/symbols.h"

/* A folder of the test's own, and in it the command and what it writes. */
static char folder[] = "/tmp/gtrace_addr2line_test_XXXXXX";
static char go[sizeof(folder) + 10];
static char seen[sizeof(folder) + 10];

static struct counted counted = {.left = SIZE_MAX};
static struct gtrace_allocator memory;

/* Makes GO a script that does what BODY says; $seen is a file for it. */
static void write_go(const char *body)
{
	FILE *file;

	unlink(go);
	unlink(seen);
	file = fopen(go, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\nseen=%s\n%s\n", seen, body);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(go, 0755), 0);
}

/* The first bytes of what the command has written to $seen. */
static const char *read_seen(void)
{
	static char text[1024];
	FILE *file = fopen(seen, "r");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

/* Asks COMMAND for the COUNT program counters from 0x501 on. */
static enum gtrace_status resolve(struct symbols *symbols, const char *command,
				  const char *binary, uint64_t count,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	uint64_t i;

	*symbols = (struct symbols){.list = {0}};
	for (i = 0; i < count; i++)
		if (!gti_symbols_want(symbols, 0x501 + i, &memory))
			return GTRACE_ERROR_MEMORY;
	status = gti_symbols_resolve(symbols, command, binary, &memory, error);
	/* No child is left, not even one that has ended. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	return status;
}

static void expect_symbol(const struct symbols *symbols, uint64_t pc,
			  const char *function, const char *file, int64_t line)
{
	const struct symbol *symbol = gti_symbols_get(symbols, pc);

	assert_non_null(symbol);
	assert_int_equal(symbol->function.size, strlen(function));
	assert_memory_equal(symbol->function.data, function, strlen(function));
	assert_int_equal(symbol->file.size, strlen(file));
	assert_memory_equal(symbol->file.data, file, strlen(file));
	assert_int_equal(symbol->line, line);
}

static void expect_good(const char *binary)
{
	struct gtrace_error error = {.message = ""};
	struct symbols symbols;

	if (resolve(&symbols, go, binary, 2, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	expect_symbol(&symbols, 0x501, "main.f0x500", "/f.go", 1);
	expect_symbol(&symbols, 0x502, "main.f0x501", "/f.go", 2);
	assert_null(gti_symbols_get(&symbols, 0x503));
	gti_symbols_free(&symbols, &memory);
	assert_int_equal(counted.bytes, 0);
}

static void expect_failure(const char *command, const char *message)
{
	struct gtrace_error error;
	struct symbols symbols;

	assert_int_equal(resolve(&symbols, command, "program", 2, &error),
			 GTRACE_ERROR_SYMBOLS);
	assert_string_equal(error.message, message);
	gti_symbols_free(&symbols, &memory);
	assert_int_equal(counted.bytes, 0);
}

#define ANSWER "awk '{ print \"main.f\" $1; print \"/f.go:\" NR }'"

/* -------------------------------------------------------------- questions --
 */

static void test_arguments(void **state)
{
	(void)state;
	write_go("echo \"$0 $*\" >$seen; " ANSWER);
	expect_good("a program");
	assert_non_null(strstr(read_seen(), "/go tool addr2line a program\n"));
	expect_good("./-x");
	assert_non_null(strstr(read_seen(), "/go tool addr2line ./-x\n"));
	/* These would be flags. */
	expect_good("-x");
	assert_non_null(strstr(read_seen(), "/go tool addr2line ./-x\n"));
	expect_good("--");
	assert_non_null(strstr(read_seen(), "/go tool addr2line ./--\n"));
}

static void test_questions(void **state)
{
	struct gtrace_error error;
	struct symbols symbols = {.list = {0}};

	(void)state;
	write_go("tee $seen | " ANSWER);
	expect_good("program");
	assert_string_equal(read_seen(), "0x500\n0x501\n");
	/* Each is asked once; the one before 0 is the last one. */
	assert_true(gti_symbols_want(&symbols, 0, &memory));
	assert_true(gti_symbols_want(&symbols, 1, &memory));
	assert_true(gti_symbols_want(&symbols, 0, &memory));
	assert_int_equal(
		gti_symbols_resolve(&symbols, go, "program", &memory, &error),
		GTRACE_OK);
	assert_string_equal(read_seen(), "0xffffffffffffffff\n0x0\n");
	gti_symbols_free(&symbols, &memory);
}

/* More questions and answers than a pipe holds. */
static void test_many(void **state)
{
	uint64_t count = 100000, i;
	struct gtrace_error error;
	struct symbols symbols;

	(void)state;
	write_go(ANSWER);
	assert_int_equal(resolve(&symbols, go, "program", count, &error),
			 GTRACE_OK);
	for (i = 0; i < count; i++) {
		char function[32];

		snprintf(function, sizeof(function), "main.f0x%" PRIx64,
			 0x500 + i);
		expect_symbol(&symbols, 0x501 + i, function, "/f.go",
			      (int64_t)i + 1);
	}
	gti_symbols_free(&symbols, &memory);
}

/* ------------------------------------------------------------ descriptors --
 */

/* Those of the test itself are not looked at. */
static void keep_own_descriptors(void)
{
	int fd;

	for (fd = 3; fd < 256; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/*
 * Neither this child, nor one that another thread starts meanwhile, inherits
 * what is opened for it.
 */
static void test_descriptors(void **state)
{
	(void)state;
	if (access("/proc/self/fdinfo", R_OK) != 0) {
		print_message("skipped: there is no /proc/self/fdinfo\n");
		skip();
	}
	keep_own_descriptors();
	write_go("for fd in 3 4 5 6 7 8 9; do\n"
		 "	[ ! -e /proc/$$/fd/$fd ] || echo \"has $fd\"\n"
		 "done >$seen\n"
		 "for info in /proc/$PPID/fdinfo/*; do\n"
		 "	flags=$(sed -n 's/^flags:[^0-9]*//p' $info)\n"
		 "	[ ${info##*/} -lt 3 ] ||\n"
		 "		[ $((flags & 02000000)) -ne 0 ] ||\n"
		 "		echo \"$info $flags\"\n"
		 "done >>$seen\n" ANSWER);
	expect_good("program");
	assert_string_equal(read_seen(), "");
}

/* The caller may have closed its standard input and output. */
static void test_standard_descriptors(void **state)
{
	struct gtrace_error error;
	struct symbols symbols;
	int status;
	pid_t pid;

	(void)state;
	write_go(ANSWER);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(0);
		close(1);
		if (resolve(&symbols, go, "program", 2, &error) != GTRACE_OK)
			_exit(1);
		expect_symbol(&symbols, 0x502, "main.f0x501", "/f.go", 2);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_temporary_folder(void **state)
{
	static char longest[8192];
	char *before = getenv("TMPDIR");

	(void)state;
	if (before != NULL)
		before = strdup(before);
	write_go(ANSWER);
	assert_int_equal(setenv("TMPDIR", folder, 1), 0);
	expect_good("program");
	assert_int_equal(setenv("TMPDIR", "/none", 1), 0);
	expect_failure(go, "failed to pipe addr2line stdin: no such file or "
			   "directory");
	memset(longest, 'x', sizeof(longest) - 1);
	assert_int_equal(setenv("TMPDIR", longest, 1), 0);
	expect_failure(go, "failed to pipe addr2line stdin: file name too "
			   "long");
	if (before != NULL)
		setenv("TMPDIR", before, 1);
	else
		unsetenv("TMPDIR");
	free(before);
}

/* ----------------------------------------------------------------- the end --
 */

/* Under valgrind and emulators posix_spawn may not learn that exec failed. */
static bool spawn_reports_exec(void)
{
	char none[] = "gtrace-no-such-go";
	char *arguments[] = {none, NULL};
	pid_t pid;

	if (posix_spawnp(&pid, none, NULL, NULL, arguments, arguments + 1) != 0)
		return true;
	waitpid(pid, NULL, 0);
	return false;
}

static void test_not_started(void **state)
{
	char message[256];

	(void)state;
	if (!spawn_reports_exec()) {
		print_message("skipped: posix_spawn does not report errors of "
			      "exec here\n");
		skip();
	}
	expect_failure("gtrace-no-such-go",
		       "failed to start addr2line: exec: "
		       "\"gtrace-no-such-go\": executable file not found in "
		       "$PATH");
	expect_failure("/none/go", "failed to start addr2line: fork/exec "
				   "/none/go: no such file or directory");
	write_go(ANSWER);
	assert_int_equal(chmod(go, 0644), 0);
	snprintf(message, sizeof(message),
		 "failed to start addr2line: fork/exec %s: permission denied",
		 go);
	expect_failure(go, message);
}

static void test_exit_status(void **state)
{
	(void)state;
	/* Without answers, and with all of them. */
	write_go("exit 1");
	expect_failure(go, "failed to read from addr2line: EOF (exit status "
			   "1)");
	write_go(ANSWER "; exit 3");
	expect_failure(go, "failed to run addr2line: exit status 3");
	write_go("kill -9 $$");
	expect_failure(go, "failed to read from addr2line: EOF (signal 9)");
}

static void test_short_answers(void **state)
{
	static const char *const answers[] = {"",
					      "main.f",
					      "main.f\\n",
					      "f\\n/f.go",
					      "f\\n/f.go:1\\n",
					      "f\\n/f.go:1\\ng\\n",
					      "f\\n/f.go:1\\ng\\n/g.go:1"};
	char body[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		snprintf(body, sizeof(body), "cat >$seen; printf '%s'",
			 answers[i]);
		write_go(body);
		expect_failure(go, "failed to read from addr2line: EOF");
	}
}

/* Questions that nothing reads, and answers that nothing asked for. */
static void test_other_answers(void **state)
{
	(void)state;
	write_go("printf "
		 "'main.f0x500\\n/f.go:1\\nmain.f0x501\\n/f.go:2\\nx\\n'");
	expect_good("program");
}

static void expect_line(const char *answer, const char *file, int64_t line)
{
	struct gtrace_error error;
	struct symbols symbols;
	char body[128];

	snprintf(body, sizeof(body), "printf 'f\\n%s\\n'", answer);
	write_go(body);
	assert_int_equal(resolve(&symbols, go, "program", 1, &error),
			 GTRACE_OK);
	expect_symbol(&symbols, 0x501, "f", file, line);
	gti_symbols_free(&symbols, &memory);
}

/* A line number is what strconv.Atoi takes for one. */
static void test_line_numbers(void **state)
{
	(void)state;
	expect_line("/f.go:12", "/f.go", 12);
	expect_line("c:/f.go:12", "c:/f.go", 12);
	expect_line("/f.go", "/f.go", 0);
	expect_line("?:0", "?", 0);
	expect_line(":7", "", 7);
	expect_line("", "", 0);
	expect_line("/f.go:", "/f.go:", 0);
	expect_line("/f.go:x", "/f.go:x", 0);
	expect_line("/f.go:1x", "/f.go:1x", 0);
	expect_line("/f.go: 1", "/f.go: 1", 0);
	expect_line("/f.go:-", "/f.go:-", 0);
	expect_line("/f.go:-3", "/f.go", -3);
	expect_line("/f.go:+3", "/f.go", 3);
	expect_line("/f.go:9223372036854775807", "/f.go", INT64_MAX);
	expect_line("/f.go:9223372036854775808", "/f.go:9223372036854775808",
		    0);
}

/* The program takes no notice of its children. */
static void test_ignored_children(void **state)
{
	void (*before)(int) = signal(SIGCHLD, SIG_IGN);

	(void)state;
	write_go(ANSWER);
	expect_good("program");
	write_go("exit 1");
	expect_failure(go, "failed to read from addr2line: EOF");
	signal(SIGCHLD, before);
}

static void test_memory(void **state)
{
	enum gtrace_status status;
	struct gtrace_error error;
	struct symbols symbols;
	size_t n = 0;

	(void)state;
	write_go(ANSWER);
	do {
		counted.left = n++;
		counted.refused = 0;
		status = resolve(&symbols, go, "program", 100, &error);
		assert_int_equal(status == GTRACE_OK, counted.refused == 0);
		if (status != GTRACE_OK)
			assert_int_equal(status, GTRACE_ERROR_MEMORY);
		gti_symbols_free(&symbols, &memory);
		assert_int_equal(counted.bytes, 0);
	} while (status != GTRACE_OK);
	assert_true(n > 5);
	counted.left = SIZE_MAX;
}

static int make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(go, sizeof(go), "%s/go", folder);
	snprintf(seen, sizeof(seen), "%s/seen", folder);
	memory = counted_allocator(&counted);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(go);
	unlink(seen);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_standard_descriptors),
		cmocka_unit_test(test_temporary_folder),
		cmocka_unit_test(test_not_started),
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_short_answers),
		cmocka_unit_test(test_other_answers),
		cmocka_unit_test(test_line_numbers),
		cmocka_unit_test(test_ignored_children),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
