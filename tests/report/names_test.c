/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names_test.c - which function a stack is named after, and how names and
 * numbers are shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "report/names.h"

static struct gtrace_string string_of(const char *text)
{
	struct gtrace_string string = {text, strlen(text)};

	return string;
}

/* A stack of names, innermost first, each with its file after a space. */
struct stack {
	struct gtrace_frame frames[8];
	size_t count;
};

static struct stack stack_of(const char *const *lines)
{
	struct stack stack = {.count = 0};

	for (; lines[stack.count] != NULL; stack.count++) {
		struct gtrace_frame *frame = &stack.frames[stack.count];
		const char *line = lines[stack.count];
		const char *space = strchr(line, ' ');

		frame->function = string_of(line);
		frame->file = string_of("/home/u/p/x.go");
		if (space == NULL)
			continue;
		frame->function.size = (size_t)(space - line);
		frame->file = string_of(space + 1);
	}
	return stack;
}

static void check_frame(const struct gtrace_frame *frame, const char *want)
{
	if (want == NULL) {
		assert_null(frame);
		return;
	}
	assert_non_null(frame);
	assert_int_equal(frame->function.size, strlen(want));
	assert_memory_equal(frame->function.data, want, strlen(want));
}

/* The mode of a worker counts, wherever a walk back leads. */
static void test_workers(void **state)
{
	static const char *const worker[] = {"runtime.gcBgMarkWorker", NULL},
				*const program[] = {"main.f", NULL};
	struct stack stack = stack_of(worker);
	struct naming naming =
		gti_name_end(GTRACE_WORK_GC_IDLE, stack.frames, stack.count);

	(void)state;
	assert_string_equal(gti_naming_word(&naming), "GC idle");
	naming = gti_name_end(0, stack.frames, stack.count);
	assert_string_equal(gti_naming_word(&naming), "runtime");
	stack = stack_of(program);
	naming = gti_name_end(GTRACE_WORK_GC_IDLE, stack.frames, stack.count);
	assert_string_equal(gti_naming_word(&naming), "GC idle");
}

static void test_stacks(void **state)
{
	static const struct {
		const char *lines[8];
		const char *function;
		const char *caller;
		enum gtrace_work work;
	} cases[] = {
		{{NULL}, NULL, NULL, GTRACE_WORK_RUNTIME},
		{{"main.copyOnce", "main.main", NULL},
		 "main.copyOnce",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		/* By the name. */
		{{"runtime.mallocgc", "internal/runtime/maps.grow",
		  "runtime/pprof.x", "main.f", NULL},
		 "main.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		/* By the file. */
		{{"time.Sleep /usr/lib/go-1.27/src/runtime/time.go", "main.f",
		  NULL},
		 "main.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"internal/poll.runtime_pollWait runtime/netpoll.go", "main.f",
		  NULL},
		 "main.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		/* Not of the runtime. */
		{{"runtimes.f", NULL}, "runtimes.f", NULL, GTRACE_WORK_PROGRAM},
		{{"a.com/b/runtime.f /home/u/b/runtime/x.go", NULL},
		 "a.com/b/runtime.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		/* The runtime alone: the outermost frame. */
		{{"runtime.gopark", "runtime.gcBgMarkWorker", NULL},
		 "runtime.gcBgMarkWorker",
		 NULL,
		 GTRACE_WORK_RUNTIME},
		/* The tracer: of any release, whoever calls it. */
		{{"runtime.chanrecv1", "runtime.traceStartReadCPU.func1", NULL},
		 "runtime.traceStartReadCPU.func1",
		 NULL,
		 GTRACE_WORK_TRACER},
		{{"runtime.goparkunlock",
		  "runtime.(*traceAdvancerState).start.func1", NULL},
		 "runtime.(*traceAdvancerState).start.func1",
		 NULL,
		 GTRACE_WORK_TRACER},
		{{"syscall.write", "os.(*File).Write",
		  "runtime/trace.Start.func1", NULL},
		 "syscall.write",
		 NULL,
		 GTRACE_WORK_TRACER},
		{{"runtime.ReadTrace",
		  "runtime/trace.(*traceMultiplexer).startLocked.func1", NULL},
		 "runtime/trace.(*traceMultiplexer).startLocked.func1",
		 NULL,
		 GTRACE_WORK_TRACER},
		{{"runtime.selectgo", "net/http/pprof.sleep",
		  "net/http/pprof.Trace", "a.com/b.serve", NULL},
		 "net/http/pprof.sleep",
		 "a.com/b.serve",
		 GTRACE_WORK_TRACER},
		{{"runtime.StartTrace", "runtime/trace.Start", "main.main",
		  NULL},
		 "main.main",
		 NULL,
		 GTRACE_WORK_TRACER},
		/* Not the tracer. */
		{{"main.f", "runtime/trace.WithRegion", NULL},
		 "main.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"runtime/trace.StartRegion", "main.f", NULL},
		 "main.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"net/http/pprof.sleep", "net/http/pprof.Profile", NULL},
		 "net/http/pprof.sleep",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"runtime.StopTrace", "runtime/trace.Stop", "main.main", NULL},
		 "main.main",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		/* Names that are not known. */
		{{" ", "main.f", NULL}, "main.f", NULL, GTRACE_WORK_PROGRAM},
		{{"runtime.gopark", " ", NULL}, "", NULL, GTRACE_WORK_RUNTIME},
		/* The standard library. */
		{{"syscall.Syscall", "internal/poll.(*FD).Read",
		  "os.(*File).Read", "a.com/b.load", "main.main", NULL},
		 "syscall.Syscall",
		 "a.com/b.load",
		 GTRACE_WORK_PROGRAM},
		{{"net/http.(*conn).serve", "runtime.goexit", NULL},
		 "net/http.(*conn).serve",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"sort.Sort", "main.f", "main.g", NULL},
		 "sort.Sort",
		 "main.f",
		 GTRACE_WORK_PROGRAM},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stack stack = stack_of(cases[i].lines);
		struct naming naming =
			gti_name_stack(stack.frames, stack.count);

		check_frame(naming.frame, cases[i].function);
		check_frame(naming.caller, cases[i].caller);
		assert_int_equal(naming.work, cases[i].work);
	}
}

static void test_slices(void **state)
{
	static const char *const end[] = {"main.end", NULL};
	static const char *const start[] = {"main.start", NULL};
	struct stack ends = stack_of(end), starts = stack_of(start);
	struct gtrace_slice slice = {
		.start = {.frames = starts.frames, .frame_count = 1},
		.end = {.frames = ends.frames, .frame_count = 1},
	};

	(void)state;
	check_frame(gti_name_slice(&slice).frame, "main.end");
	slice.end.frame_count = 0;
	check_frame(gti_name_slice(&slice).frame, "main.start");
	slice.end.frame_count = 1;
	ends.frames[0].function.size = 0;
	check_frame(gti_name_slice(&slice).frame, "main.start");
	ends.frames[0].function.size = strlen("main.end");
	slice.still_running = 1;
	check_frame(gti_name_slice(&slice).frame, "main.start");
	slice.start.frame_count = 0;
	check_frame(gti_name_slice(&slice).frame, NULL);
}

static const char *word_of(const struct gtrace_slice *slice)
{
	struct naming naming = gti_name_slice(slice);

	return gti_naming_word(&naming);
}

/* A slice is a system call if these took more than half of its time. */
static void test_words(void **state)
{
	static const char *const program[] = {"main.f", NULL};
	static const char *const runtime[] = {"runtime.f", NULL};
	struct stack programs = stack_of(program), runtimes = stack_of(runtime);
	struct gtrace_slice slice = {
		.duration = 5,
		.syscall_ns = -1,
		.end = {.frames = programs.frames, .frame_count = 1},
	};

	(void)state;
	assert_string_equal(word_of(&slice), "program");
	slice.syscall_ns = 2;
	assert_string_equal(word_of(&slice), "program");
	slice.syscall_ns = 3;
	assert_string_equal(word_of(&slice), "system call");
	slice.duration = 6;
	slice.end.frames = runtimes.frames;
	assert_string_equal(word_of(&slice), "runtime");
	slice.end.frame_count = 0;
	assert_string_equal(word_of(&slice), "unknown");
	slice.syscall_ns = 4;
	assert_string_equal(word_of(&slice), "system call");
	assert_string_equal(gti_work_word(GTRACE_WORK_SCHEDULER, false),
			    "scheduler");
	assert_string_equal(gti_work_word(GTRACE_WORK_NONE, false), "none");
}

static void test_late(void **state)
{
	static const char *const lines[] = {"main.f", NULL};
	struct stack stack = stack_of(lines);
	struct gtrace_late late = {.frames = stack.frames, .frame_count = 1};

	(void)state;
	assert_int_equal(gti_name_late(NULL).work, GTRACE_WORK_NONE);
	assert_int_equal(gti_name_late(&late).work, GTRACE_WORK_PROGRAM);
	check_frame(gti_name_late(&late).frame, "main.f");
	late.how = GTRACE_LATE_SYSCALL;
	assert_int_equal(gti_name_late(&late).work, GTRACE_WORK_SYSCALL);
	check_frame(gti_name_late(&late).frame, "main.f");
	late.how = GTRACE_LATE_SCHEDULER;
	assert_int_equal(gti_name_late(&late).work, GTRACE_WORK_SCHEDULER);
	check_frame(gti_name_late(&late).frame, NULL);
}

static void test_holder(void **state)
{
	static const char *const lines[] = {"main.f", NULL};
	struct stack stack = stack_of(lines);
	struct gtrace_late late = {
		.frames = stack.frames, .frame_count = 1, .own = 30};
	struct gtrace_stop stop = {.late = &late, .stopping = 31};

	(void)state;
	assert_int_equal(gti_name_holder(&stop).work, GTRACE_WORK_NONE);
	assert_int_equal(gti_unheld(&stop), 0);
	stop.late_count = 1;
	check_frame(gti_name_holder(&stop).frame, "main.f");
	assert_int_equal(gti_unheld(&stop), 1);
	/* Its slice in a system call began after half of the time. */
	late.how = GTRACE_LATE_SYSCALL;
	late.own = 16;
	assert_int_equal(gti_name_holder(&stop).work, GTRACE_WORK_SYSCALL);
	late.own = 15;
	assert_int_equal(gti_name_holder(&stop).work, GTRACE_WORK_SCHEDULER);
	check_frame(gti_name_holder(&stop).frame, NULL);
	assert_int_equal(gti_unheld(&stop), 16);
	late.how = GTRACE_LATE_SCHEDULER;
	assert_int_equal(gti_unheld(&stop), 31);
	/* An inferred one has no such times. */
	late.how = GTRACE_LATE_RAN;
	late.own = stop.stopping = -1;
	stop.inferred = 1;
	check_frame(gti_name_holder(&stop).frame, "main.f");
	assert_int_equal(gti_unheld(&stop), 0);
}

static void test_standard(void **state)
{
	static const struct {
		const char *function;
		int standard;
	} cases[] = {
		{"fmt.Println", 1},
		{"net/http.Get", 1},
		{"vendor/golang.org/x.f", 1},
		{"main.f", 0},
		{"main.(*T).f", 0},
		{"mainly.f", 1},
		{"github.com/a/b.f", 0},
		{"gopkg.in/yaml%2ev2.f", 0},
		{"", 0},
		{".f", 0},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(gti_is_standard(string_of(cases[i].function)),
				 cases[i].standard);
}

static void check_shown(const struct shown *shown, const char *want)
{
	const char *at;
	size_t columns = 0;

	assert_string_equal(shown->text, want);
	assert_int_equal(shown->size, strlen(want));
	for (at = want; *at != '\0'; at++)
		columns += ((unsigned char)*at & 0xc0) != 0x80;
	assert_int_equal(shown->columns, columns);
}

#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static void test_functions(void **state)
{
	static const struct {
		const char *function;
		const char *shown;
	} cases[] = {
		{"main.f", "main.f"},
		{"", ""},
		{"net/http.(*conn).serve", "http.(*conn).serve"},
		{"github.com/a/b/c.(*T).f.func1", "c.(*T).f.func1"},
		{"github.com/a/b/v2.Do", "b/v2.Do"},
		{"github.com/a/b/v2/c.Do", "c.Do"},
		{"github.com/a/v.Do", "v.Do"},
		{"github.com/a/v2x.Do", "v2x.Do"},
		{"v2.Do", "v2.Do"},
		{"gopkg.in/yaml%2ev2.Do", "yaml%2ev2.Do"},
		/* Type arguments, which can have paths of their own. */
		{"main.Map[go.shape.int,map[a.com/b.K]c/d.V].f",
		 "main.Map[\u2026].f"},
		{"a.com/b.Map[a.com/c.T]", "b.Map[\u2026]"},
		{"main.(*L[...]).Push[int]", "main.(*L[\u2026]).Push[\u2026]"},
		/* Brackets without their other ones. */
		{"main.a[b", "main.a[b"},
		{"main.a]b[", "main.a]b["},
		/* No import path. */
		{"</script><script>alert(1)</script>",
		 "</script><script>alert(1)</script>"},
		{"a b/c d.f", "a b/c d.f"},
		/* 60 characters, and 61. */
		{"main." FIFTY "abcde", "main." FIFTY "abcde"},
		{"main." FIFTY "abcdef", "main.0123456789012345678\u2026"
					 "1234567890123456789" TEN "abcdef"},
		/* Cut within type arguments: these are one piece. */
		{"main." TEN "01234567[T]" FIFTY, "main." TEN "01234567\u2026"
						  "56789" TEN TEN TEN},
	};
	struct shown shown;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		gti_show_function(&shown, string_of(cases[i].function));
		check_shown(&shown, cases[i].shown);
	}
}

/* The longest possible text of 60 characters, of four bytes each. */
static void test_wide(void **state)
{
	char name[4 * 100 + 1];
	struct shown shown;
	size_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		memcpy(name + 4 * i, "\xf0\x9f\x98\x80", 4);
	name[400] = '\0';
	gti_show_function(&shown, string_of(name));
	assert_int_equal(shown.columns, SHOWN_CHARACTERS);
	assert_int_equal(shown.size, 4 * 59 + 3);
	name[4 * SHOWN_CHARACTERS] = '\0';
	gti_show_function(&shown, string_of(name));
	check_shown(&shown, name);
}

/* A name of a megabyte costs no more than its two ends. */
static void test_long(void **state)
{
	size_t size = 1000000, i;
	char *name = malloc(size);
	struct gtrace_frame frame = {.line = 7};
	clock_t begin = clock();
	struct shown shown;

	(void)state;
	assert_non_null(name);
	memset(name, 'n', size);
	memcpy(name, "a.com/b.f", 9);
	memcpy(name + size - 5, "/x.go", 5);
	frame.file = (struct gtrace_string){name, size};
	for (i = 0; i < 5000; i++) {
		gti_show_place(&shown, &frame);
		gti_show_text(&shown, frame.file);
		gti_show_function(&shown, frame.file);
	}
	assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
	check_shown(&shown, "x.go");
	gti_show_text(&shown, frame.file);
	assert_int_equal(shown.columns, SHOWN_CHARACTERS);
	free(name);
}

static void test_escapes(void **state)
{
	static const struct {
		struct gtrace_string text;
		const char *shown;
	} cases[] = {
		{{"a\x1b[31mb", 7}, "a\ufffd[31mb"},
		{{"a\0\n\t\x7f", 5}, "a\ufffd\ufffd\ufffd\ufffd"},
		{{"\xc2\x9b", 2}, "\ufffd"},       /* C1 */
		{{"\xe2\x80\xae!", 4}, "\ufffd!"}, /* U+202E */
		{{"\xe2\x81\xa6!", 4}, "\ufffd!"}, /* U+2066 */
		{{"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", 8}, "\ufffd\ufffd\ufffd"},
		{{"\xff\xc0\x80", 3}, "\ufffd\ufffd\ufffd"},
		{{"\xe2\x80", 2}, "\ufffd\ufffd"}, /* cut off */
		{{"\xc3\xa4\xe6\x97\xa5", 5}, "\xc3\xa4\xe6\x97\xa5"},
		{{"a/b[c]", 6}, "a/b[c]"},
	};
	struct shown shown;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		gti_show_text(&shown, cases[i].text);
		check_shown(&shown, cases[i].shown);
	}
}

/* Every byte, alone and doubled: nothing raw comes out. */
static void test_all_bytes(void **state)
{
	struct shown shown;
	unsigned byte;
	size_t i;

	(void)state;
	for (byte = 0; byte < 256; byte++) {
		char text[2] = {(char)byte, (char)byte};
		struct gtrace_string string = {text, 2};

		gti_show_text(&shown, string);
		for (i = 0; i < shown.size; i++)
			assert_true((unsigned char)shown.text[i] >= 0x20 &&
				    shown.text[i] != 0x7f);
		assert_true(byte < 0x80 ||
			    strcmp(shown.text, "\ufffd\ufffd") == 0);
	}
}

static void test_namings(void **state)
{
	struct gtrace_frame frame = {
		.function = string_of("a.com/b.f"),
		.file = string_of("/home/u/b/x.go"),
		.line = 89,
	};
	struct naming naming = {.frame = &frame};
	struct shown shown;

	(void)state;
	gti_show_naming(&shown, &naming);
	check_shown(&shown, "b.f");
	naming.frame = NULL;
	gti_show_naming(&shown, &naming);
	check_shown(&shown, "(no stack)");
	naming.frame = &frame;
	frame.function.size = 0;
	gti_show_naming(&shown, &naming);
	check_shown(&shown, "(no stack)");
	gti_show_place(&shown, &frame);
	check_shown(&shown, "b/x.go:89");
	frame.file = string_of("x.go");
	frame.line = UINT64_MAX;
	gti_show_place(&shown, &frame);
	check_shown(&shown, "x.go:18446744073709551615");
	frame.file = string_of("");
	gti_show_place(&shown, &frame);
	check_shown(&shown, ":18446744073709551615");
}

static void test_durations(void **state)
{
	static const struct {
		int64_t ns;
		const char *shown;
	} cases[] = {
		{0, "0 ns"},
		{640, "640 ns"},
		{999, "999 ns"},
		{1000, "1.00 \u00b5s"},
		{9994, "9.99 \u00b5s"},
		{9995, "10.0 \u00b5s"},
		{47249, "47.2 \u00b5s"},
		{99949, "99.9 \u00b5s"},
		{99950, "100 \u00b5s"},
		{999499, "999 \u00b5s"},
		{999500, "1.00 ms"},
		{4084999, "4.08 ms"},
		{4085000, "4.09 ms"},
		{999499999, "999 ms"},
		{999500000, "1.00 s"},
		{1250000000, "1.25 s"},
		{123456789012, "123 s"},
		{4210000000000, "4 210 s"},
		{INT64_MAX, "9 223 372 037 s"},
		{INT64_MIN, "-9 223 372 037 s"},
		{-1500, "-1.50 \u00b5s"},
	};
	struct shown shown;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		gti_show_duration(&shown, cases[i].ns, &gti_look_terminal);
		check_shown(&shown, cases[i].shown);
	}
	gti_show_duration(&shown, 4210000000000, &gti_look_page);
	check_shown(&shown, "4\u2009210\u00a0s");
	gti_show_duration(&shown, 640, gti_look_of(true));
	check_shown(&shown, "640 t");
	gti_show_duration(&shown, 47249, gti_look_of(true));
	check_shown(&shown, "47.2 kt");
}

static void test_numbers(void **state)
{
	struct shown shown;

	(void)state;
	gti_show_moment(&shown, 38870123, &gti_look_terminal);
	check_shown(&shown, "38.870 ms");
	gti_show_moment(&shown, 1234567890500, &gti_look_terminal);
	check_shown(&shown, "1 234 567.891 ms");
	gti_show_moment(&shown, -7, &gti_look_terminal);
	check_shown(&shown, "-0.000 ms");
	gti_show_count(&shown, 0, &gti_look_terminal);
	check_shown(&shown, "0");
	gti_show_count(&shown, 999, &gti_look_terminal);
	check_shown(&shown, "999");
	gti_show_count(&shown, 238474, &gti_look_terminal);
	check_shown(&shown, "238 474");
	gti_show_count(&shown, UINT64_MAX, &gti_look_page);
	check_shown(&shown, "18\u2009446\u2009744\u2009073\u2009709\u2009551"
			    "\u2009615");
	gti_show_share(&shown, 158, 171, &gti_look_terminal);
	check_shown(&shown, "92 %");
	gti_show_share(&shown, 1, 0, &gti_look_terminal);
	check_shown(&shown, "0 %");
	gti_show_share(&shown, UINT64_MAX, UINT64_MAX, &gti_look_page);
	check_shown(&shown, "100\u00a0%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_workers),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_holder),
		cmocka_unit_test(test_standard),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_all_bytes),
		cmocka_unit_test(test_namings),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
