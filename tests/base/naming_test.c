/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naming_test.c - which function a stack, a slice or a stop is named after, and
 * what work that was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/naming.h"

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
	struct naming naming = naming_with_worker(
		gti_name_stack(stack.frames, stack.count), GTRACE_WORK_GC_IDLE);

	(void)state;
	assert_string_equal(gti_naming_word(&naming), "GC idle");
	naming = naming_with_worker(gti_name_stack(stack.frames, stack.count),
				    0);
	assert_string_equal(gti_naming_word(&naming), "runtime");
	stack = stack_of(program);
	naming = naming_with_worker(gti_name_stack(stack.frames, stack.count),
				    GTRACE_WORK_GC_IDLE);
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
		/* The tracer: of any release, with any caller. */
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
		 "runtime/trace.Start.func1",
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
		{{"runtime.StopTrace", "runtime/trace.Stop", "main.main", NULL},
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
		 "net/http/pprof.Profile",
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
		{{"net/http.(*conn).serve", NULL},
		 "net/http.(*conn).serve",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"sync.(*Cond).Wait", "net/http.(*conn).serve", NULL},
		 "sync.(*Cond).Wait",
		 "net/http.(*conn).serve",
		 GTRACE_WORK_PROGRAM},
		{{"sort.Sort", "main.f", "main.g", NULL},
		 "sort.Sort",
		 "main.f",
		 GTRACE_WORK_PROGRAM},
		/* What cgo generates. */
		{{"runtime.cgocall", "a.com/b/sql._Cfunc_exec _cgo_gotypes.go",
		  "a.com/b/sql.(*conn).exec.func1", "main.f", NULL},
		 "a.com/b/sql._Cfunc_exec",
		 "a.com/b/sql.(*conn).exec.func1",
		 GTRACE_WORK_PROGRAM},
		{{"main.f", "_cgoexp_1f_goCallback /tmp/go/_cgo_gotypes.go",
		  "runtime.cgocallbackg", NULL},
		 "main.f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		{{"runtime.gopark", "main._cgoexp_1f _cgo_gotypes.go",
		  "runtime.cgocallbackg", NULL},
		 "main._cgoexp_1f",
		 NULL,
		 GTRACE_WORK_PROGRAM},
		/* What the library calls through its interfaces. */
		{{"internal/poll.(*FD).Read", "net.(*conn).Read",
		  "main.(*counted).Read", "bufio.(*Reader).fill",
		  "bufio.(*Reader).ReadByte", "a.com/b.parse", NULL},
		 "internal/poll.(*FD).Read",
		 "a.com/b.parse",
		 GTRACE_WORK_PROGRAM},
		{{"syscall.write", "a.com/log.(*file).Write",
		  "log.(*Logger).output", "main.handle", NULL},
		 "syscall.write",
		 "main.handle",
		 GTRACE_WORK_PROGRAM},
		{{"a.com/b.(*w).Write", "io.copyBuffer", "main.f", NULL},
		 "a.com/b.(*w).Write",
		 "main.f",
		 GTRACE_WORK_PROGRAM},
		/* The program calls these itself. */
		{{"net.(*conn).Read", "main.(*counted).Read", "main.f", NULL},
		 "net.(*conn).Read",
		 "main.(*counted).Read",
		 GTRACE_WORK_PROGRAM},
		{{"net.(*conn).Read", "main.(*counted).Readline",
		  "bufio.(*Reader).fill", "main.f", NULL},
		 "net.(*conn).Read",
		 "main.(*counted).Readline",
		 GTRACE_WORK_PROGRAM},
		{{"time.Sleep", "main.(*handler).Close", "sort.Slice", "main.f",
		  NULL},
		 "time.Sleep",
		 "main.(*handler).Close",
		 GTRACE_WORK_PROGRAM},
		/* There is no other one. */
		{{"net.(*conn).Read", "main.(*counted).Read",
		  "net/http.(*conn).serve", NULL},
		 "net.(*conn).Read",
		 "main.(*counted).Read",
		 GTRACE_WORK_PROGRAM},
		/* What only locks. */
		{{"sync.(*Mutex).Lock", "a.com/b.(*Cache).maybeLock",
		  "a.com/b.(*Cache).add", NULL},
		 "sync.(*Mutex).Lock",
		 "a.com/b.(*Cache).add",
		 GTRACE_WORK_PROGRAM},
		{{"sync.(*Mutex).unlockSlow", "sync.(*Mutex).Unlock",
		  "a.com/b.(*Cache).maybeUnlock", "a.com/b.(*Cache).add", NULL},
		 "sync.(*Mutex).unlockSlow",
		 "a.com/b.(*Cache).add",
		 GTRACE_WORK_PROGRAM},
		{{"sync.(*RWMutex).RLock", "main.lockAll", "main.f", NULL},
		 "sync.(*RWMutex).RLock",
		 "main.f",
		 GTRACE_WORK_PROGRAM},
		{{"sync.(*Mutex).Lock", "main.addBlock", "main.f", NULL},
		 "sync.(*Mutex).Lock",
		 "main.addBlock",
		 GTRACE_WORK_PROGRAM},
		{{"sync.(*Mutex).Lock", "main.(*clock).now", "main.f", NULL},
		 "sync.(*Mutex).Lock",
		 "main.(*clock).now",
		 GTRACE_WORK_PROGRAM},
		{{"time.Sleep", "main.lockAll", "main.f", NULL},
		 "time.Sleep",
		 "main.lockAll",
		 GTRACE_WORK_PROGRAM},
		{{"sync.(*Mutex).Lock", "main.lock", NULL},
		 "sync.(*Mutex).Lock",
		 "main.lock",
		 GTRACE_WORK_PROGRAM},
		/* Type arguments. */
		{{"sync.OnceValue[...].func1", "main.each[...]", NULL},
		 "sync.OnceValue[...].func1",
		 "main.each[...]",
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

/* A stack of a library alone is called after the creation of its goroutine. */
static void test_created(void **state)
{
	static const char *const group[] = {"golang.org/x/sync/errgroup.f",
					    NULL},
				 *const other[] = {"runtime.gopark", "main.f",
						   NULL},
				 *const creator[] = {
					 "golang.org/x/sync/errgroup.Go",
					 "main.main", NULL};
	struct stack stacks[] = {stack_of(group), stack_of(other),
				 stack_of(creator)};
	struct naming created =
		gti_name_stack(stacks[2].frames, stacks[2].count);
	struct naming naming =
		naming_created(gti_name_stack(stacks[0].frames, 1), &created);

	(void)state;
	check_frame(naming.frame, group[0]);
	check_frame(naming.caller, "main.main");
	naming = naming_created(gti_name_stack(stacks[1].frames, 2), &created);
	check_frame(naming_own(&naming), "main.f");
	created = gti_name_stack(stacks[2].frames, 1);
	naming = naming_created(gti_name_stack(stacks[0].frames, 1), &created);
	check_frame(naming.frame, group[0]);
	assert_null(naming.caller);
	naming = naming_created(gti_name_stack(NULL, 0), &created);
	assert_null(naming.frame);
}

/* A slice is named after its start if its end is not named. */
static void test_named(void **state)
{
	static const char *const lines[] = {"main.end", NULL};
	struct stack stack = stack_of(lines);
	struct naming naming = gti_name_stack(stack.frames, 1);

	(void)state;
	assert_true(gti_is_named(&naming));
	check_frame(gti_name_slice(naming, 0, false).frame, "main.end");
	stack.frames[0].function.size = 0;
	assert_false(gti_is_named(&naming));
	naming.frame = NULL;
	assert_false(gti_is_named(&naming));
	check_frame(gti_name_slice(naming, 0, false).frame, NULL);
}

static const char *word_of(const char *function, unsigned gc_worker,
			   bool in_calls)
{
	const char *lines[] = {function, NULL};
	struct stack stack = stack_of(lines);
	struct naming naming = gti_name_stack(stack.frames, stack.count);

	naming = gti_name_slice(naming, gc_worker, in_calls);
	return gti_naming_word(&naming);
}

static void test_words(void **state)
{
	struct gtrace_slice slice = {
		.duration = 10, .off_cpu_likely = 5, .on_cpu = -1};
	struct naming naming = slice_naming(&slice);

	(void)state;
	assert_string_equal(gti_naming_word(&naming), "program");
	slice.off_cpu_likely = 6;
	slice.silent_class = GTRACE_SILENT_ASLEEP;
	naming = slice_naming(&slice);
	assert_string_equal(gti_naming_word(&naming), "off CPU");
	slice.silent_class = GTRACE_SILENT_LIKELY;
	naming = slice_naming(&slice);
	assert_string_equal(gti_naming_word(&naming), "off CPU?");
	/* With a record, which has what is certain, and more. */
	slice = (struct gtrace_slice){.duration = 10, .on_cpu = 5, .asleep = 5};
	naming = slice_naming(&slice);
	assert_string_equal(gti_naming_word(&naming), "program");
	slice.on_cpu = 4;
	slice.asleep = 6;
	naming = slice_naming(&slice);
	assert_string_equal(gti_naming_word(&naming), "off CPU");
	/* A system call sleeps. */
	slice.work = GTRACE_WORK_SYSCALL;
	naming = slice_naming(&slice);
	assert_string_equal(gti_naming_word(&naming), "system call");
	slice.preempted = 6;
	naming = slice_naming(&slice);
	assert_string_equal(gti_naming_word(&naming), "off CPU");
	assert_string_equal(word_of("main.f", 0, false), "program");
	assert_string_equal(word_of("main.f", 0, true), "system call");
	assert_string_equal(word_of("runtime.f", 0, false), "runtime");
	assert_string_equal(word_of(NULL, 0, false), "unknown");
	assert_string_equal(word_of(NULL, 0, true), "system call");
	assert_string_equal(word_of("main.f", GTRACE_WORK_GC_IDLE, false),
			    "GC idle");
	assert_string_equal(word_of("runtime.ReadTrace", 0, true), "tracer");
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
	late.off_cpu = 15;
	assert_int_equal(gti_name_holder(&stop).off_cpu, 0);
	late.off_cpu = 16;
	late.off_cpu_class = GTRACE_SILENT_UNDECIDED;
	assert_int_equal(gti_name_holder(&stop).off_cpu, 0);
	late.off_cpu_class = GTRACE_SILENT_LIKELY;
	assert_int_equal(gti_name_holder(&stop).off_cpu, 16);
	assert_true(gti_name_holder(&stop).is_likely);
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
		{"mainly.f", 0},
		{"tst.TestMain", 0},
		{"_/src/tst.TestMain", 0},
		{"go.uber.org/zap.New", 0},
		{"golang.org/x/sync/errgroup.(*Group).Wait", 1},
		{"golang.org/x/net/http2.f", 0},
		{"slices.SortFunc[go.shape.[]a/b.T]", 1},
		{"go/types.(*Checker).expr", 1},
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks),  cmocka_unit_test(test_workers),
		cmocka_unit_test(test_created), cmocka_unit_test(test_named),
		cmocka_unit_test(test_words),   cmocka_unit_test(test_late),
		cmocka_unit_test(test_holder),  cmocka_unit_test(test_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
