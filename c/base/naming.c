/* SPDX-License-Identifier: BSD-3-Clause */
/* naming.c - which function a stack is named after, and what work it did. */
#include "base/naming.h"

#include <string.h>

#include "base/strings.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A struct gtrace_string. */
#define TEXT(text)                                                             \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}

const struct gtrace_frame gti_no_frame = {.function = {"", 0}, .file = {"", 0}};

/* ---------------------------------------------------------------- tracer -- */

/* Functions, and types with all their methods, which all begin with n or r. */
static const struct gtrace_string tracer_functions[] = {
	TEXT("net/http/pprof.Trace"),
	TEXT("runtime.(*traceAdvancerState)"),
	TEXT("runtime.ReadTrace"),
	TEXT("runtime.StartTrace"),
	TEXT("runtime.traceAdvance"),
	TEXT("runtime.traceStartReadCPU"),
	TEXT("runtime/trace.(*traceMultiplexer).startLocked"),
	TEXT("runtime/trace.Start"),
	TEXT("runtime/trace.Stop"),
};

/*
 * Whether FUNCTION is that of NAME, or a closure or a method of it. The last
 * byte of NAME tells most others.
 */
static bool is_of_tracer(struct gtrace_string function,
			 struct gtrace_string name)
{
	size_t size = name.size;

	return function.size >= size &&
	       function.data[size - 1] == name.data[size - 1] &&
	       memcmp(function.data, name.data, size) == 0 &&
	       (function.size == size || function.data[size] == '.');
}

bool gti_is_tracer(const struct gtrace_frame *frames, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		struct gtrace_string function = frames[i].function;

		if (function.size == 0 ||
		    (function.data[0] != 'n' && function.data[0] != 'r'))
			continue;
		for (j = 0; j < COUNT(tracer_functions); j++)
			if (is_of_tracer(function, tracer_functions[j]))
				return true;
	}
	return false;
}

/* ---------------------------------------------------------------- frames -- */

/* The position after the last BYTE in TEXT; 0 if there is none. */
static size_t after_last(struct gtrace_string text, char byte)
{
	size_t at = text.size;

	while (at > 0 && text.data[at - 1] != byte)
		at--;
	return at;
}

/*
 * Whether FILE is one of the package runtime: GOROOT/src/runtime/x.go, or
 * runtime/x.go in a program that was built with -trimpath.
 */
static bool is_runtime_file(struct gtrace_string file)
{
	static const char in_source[] = "/src/runtime";
	static const char trimmed[] = "runtime";
	size_t size = after_last(file, '/');
	size_t tail = sizeof(in_source) - 1;

	if (size == 0)
		return false;
	size--;
	if (size == sizeof(trimmed) - 1)
		return memcmp(file.data, trimmed, size) == 0;
	return size >= tail &&
	       memcmp(file.data + size - tail, in_source, tail) == 0;
}

bool gti_is_runtime_function(struct gtrace_string function)
{
	return string_begins(function, "runtime.") ||
	       string_begins(function, "runtime/") ||
	       string_begins(function, "internal/runtime/");
}

bool gti_is_runtime_frame(const struct gtrace_frame *frame)
{
	return gti_is_runtime_function(frame->function) ||
	       is_runtime_file(frame->file);
}

/* The first elements of the import paths of the standard library. */
static const struct gtrace_string standard[] = {
	TEXT("archive"),  TEXT("arena"),    TEXT("bufio"),     TEXT("bytes"),
	TEXT("cmp"),      TEXT("compress"), TEXT("container"), TEXT("context"),
	TEXT("crypto"),   TEXT("database"), TEXT("debug"),     TEXT("embed"),
	TEXT("encoding"), TEXT("errors"),   TEXT("expvar"),    TEXT("flag"),
	TEXT("fmt"),      TEXT("go"),       TEXT("hash"),      TEXT("html"),
	TEXT("image"),    TEXT("index"),    TEXT("internal"),  TEXT("io"),
	TEXT("iter"),     TEXT("log"),      TEXT("maps"),      TEXT("math"),
	TEXT("mime"),     TEXT("net"),      TEXT("os"),        TEXT("path"),
	TEXT("plugin"),   TEXT("reflect"),  TEXT("regexp"),    TEXT("runtime"),
	TEXT("slices"),   TEXT("sort"),     TEXT("strconv"),   TEXT("strings"),
	TEXT("structs"),  TEXT("sync"),     TEXT("syscall"),   TEXT("testing"),
	TEXT("text"),     TEXT("time"),     TEXT("unicode"),   TEXT("unique"),
	TEXT("unsafe"),   TEXT("vendor"),   TEXT("weak"),
};

/* How many bytes of TEXT come before the first A, B or C. */
static size_t size_before(struct gtrace_string text, char a, char b, char c)
{
	size_t size = 0;

	while (size < text.size && text.data[size] != a &&
	       text.data[size] != b && text.data[size] != c)
		size++;
	return size;
}

bool gti_is_standard(struct gtrace_string function)
{
	struct gtrace_string first = {function.data,
				      size_before(function, '/', '.', '.')};
	size_t i, slash;

	/* The Go project's own addition to the package sync. */
	if (string_begins(function, "golang.org/x/sync/"))
		return true;
	if (first.size == function.size)
		return false;
	/* The name of a host, as in go.uber.org/x, is of no such path. */
	if (function.data[first.size] == '.') {
		slash = size_before(function, '/', '(', '[');
		if (slash < function.size && function.data[slash] == '/')
			return false;
	}
	for (i = 0; i < COUNT(standard); i++)
		if (string_equals(standard[i], first))
			return true;
	return false;
}

/* ------------------------------------------------------------------ yours --
 */

struct gtrace_string gti_name_in_c(struct gtrace_string function)
{
	static const struct gtrace_string stub = TEXT("._Cfunc_");
	size_t at;

	for (at = 0; at + stub.size <= function.size; at++)
		if (function.data[at] == '.' &&
		    memcmp(function.data + at, stub.data, stub.size) == 0)
			return (struct gtrace_string){
				function.data + at + stub.size,
				function.size - at - stub.size};
	return gti_no_frame.function;
}

struct gtrace_string gti_name_without_types(struct gtrace_string function,
					    char buffer[NAME_WITHOUT_TYPES])
{
	size_t size = 0, open = 0, i;

	if (function.size > NAME_WITHOUT_TYPES ||
	    after_last(function, '[') == 0)
		return function;
	for (i = 0; i < function.size; i++) {
		if (function.data[i] == ']' && open-- == 0)
			return function;
		open += function.data[i] == '[';
		if (open == 0 && function.data[i] != ']')
			buffer[size++] = function.data[i];
	}
	return open == 0 ? (struct gtrace_string){buffer, size} : function;
}

/* Whether cgo has written FRAME: a stub that calls C, or is called by it. */
static bool is_generated(const struct gtrace_frame *frame)
{
	static const char file[] = "_cgo_gotypes.go";
	size_t name = after_last(frame->file, '/');

	return gti_name_in_c(frame->function).size != 0 ||
	       (frame->file.size - name == sizeof(file) - 1 &&
		memcmp(frame->file.data + name, file, sizeof(file) - 1) == 0);
}

static bool is_one_of(struct gtrace_string text,
		      const struct gtrace_string *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (string_equals(text, list[i]))
			return true;
	return false;
}

/* The name of FUNCTION without its package and type. */
static struct gtrace_string last_name(struct gtrace_string function)
{
	size_t at = after_last(function, '.');

	return (struct gtrace_string){function.data + at, function.size - at};
}

/*
 * Whether FRAME implements an interface of the standard library for CALLER,
 * which calls it: a connection, a writer, a lock.
 */
static bool is_called_by_library(const struct gtrace_frame *frame,
				 const struct gtrace_frame *caller)
{
	static const struct gtrace_string methods[] = {
		TEXT("Read"),   TEXT("Write"),    TEXT("Accept"),
		TEXT("Peek"),   TEXT("ReadFrom"), TEXT("WriteTo"),
		TEXT("Close"),  TEXT("ReadByte"), TEXT("Lock"),
		TEXT("Unlock"),
	};
	static const struct gtrace_string packages[] = {
		TEXT("bufio"),    TEXT("compress"), TEXT("crypto"),
		TEXT("encoding"), TEXT("fmt"),      TEXT("internal"),
		TEXT("io"),       TEXT("log"),      TEXT("net"),
		TEXT("sync"),
	};
	struct gtrace_string first = caller->function;

	if (!gti_is_standard(first) ||
	    !is_one_of(last_name(frame->function), methods, COUNT(methods)))
		return false;
	first.size = size_before(first, '/', '.', '.');
	return is_one_of(first, packages, COUNT(packages));
}

/* Whether NAME has WORD as its first or its last one: lockAll, maybeLock. */
static bool has_word(struct gtrace_string name, const char *word)
{
	size_t size = strlen(word);
	const char *rest = name.data + name.size - size;

	if (name.size < size)
		return false;
	/* The first letter of WORD is small, and that of a last word is not. */
	if (memcmp(rest + 1, word + 1, size - 1) == 0 &&
	    (*rest == word[0] - 'a' + 'A' ||
	     (name.size == size && *rest == word[0])))
		return true;
	return (name.data[0] | 0x20) == word[0] &&
	       memcmp(name.data + 1, word + 1, size - 1) == 0 &&
	       name.size > size && name.data[size] >= 'A' &&
	       name.data[size] <= 'Z';
}

/* Whether FRAME only locks or unlocks, as it is called, by what it CALLS. */
static bool is_lock(const struct gtrace_frame *frame,
		    const struct gtrace_frame *calls)
{
	struct gtrace_string name = last_name(frame->function);

	return (string_begins(calls->function, "sync.(*Mutex).") ||
		string_begins(calls->function, "sync.(*RWMutex).")) &&
	       (has_word(name, "lock") || has_word(name, "unlock"));
}

bool gti_is_yours(const struct gtrace_frame *frames, size_t at, size_t count)
{
	const struct gtrace_frame *frame = &frames[at];

	return frame->function.size != 0 && !gti_is_runtime_frame(frame) &&
	       !gti_is_standard(frame->function) && !is_generated(frame) &&
	       (at + 1 == count || !is_called_by_library(frame, frame + 1)) &&
	       (at == 0 || !is_lock(frame, frame - 1));
}

/* The first frame of the COUNT at FRAMES, from AT on, that is yours; or COUNT.
 */
static size_t find_yours(const struct gtrace_frame *frames, size_t at,
			 size_t count)
{
	while (at < count && !gti_is_yours(frames, at, count))
		at++;
	return at;
}

/*
 * If no frame of the COUNT at FRAMES, from AT on, is yours: the first one that
 * is not of the standard library, or else the outermost one.
 */
static size_t find_next(const struct gtrace_frame *frames, size_t at,
			size_t count)
{
	for (; at < count; at++)
		if (frames[at].function.size != 0 &&
		    !gti_is_runtime_frame(&frames[at]) &&
		    !gti_is_standard(frames[at].function))
			return at;
	return count - 1;
}

/* Sets the names of NAMING, and its work if it is that of the program. */
static void set_names(struct naming *naming, const struct gtrace_frame *frames,
		      size_t count)
{
	size_t i = 0, own;

	/* A frame without a name is of no use. */
	while (i < count && (frames[i].function.size == 0 ||
			     gti_is_runtime_frame(&frames[i])))
		i++;
	if (i == count) {
		naming->frame = count != 0 ? &frames[count - 1] : NULL;
		return;
	}
	naming->frame = &frames[i];
	naming->work = GTRACE_WORK_PROGRAM;
	own = find_yours(frames, i, count);
	naming->yours = own != count;
	if (own == count)
		own = find_next(frames, i, count);
	if (own != i && frames[own].function.size != 0)
		naming->caller = &frames[own];
}

struct naming gti_name_stack(const struct gtrace_frame *frames, size_t count)
{
	struct naming naming = {.work = GTRACE_WORK_RUNTIME};

	set_names(&naming, frames, count);
	if (gti_is_tracer(frames, count))
		naming.work = GTRACE_WORK_TRACER;
	return naming;
}

bool gti_is_named(const struct naming *naming)
{
	return naming->frame != NULL && naming->frame->function.size != 0;
}

struct naming gti_name_slice(struct naming naming, unsigned gc_worker,
			     bool in_calls)
{
	naming = naming_with_worker(naming, gc_worker);
	if (in_calls && naming.work != GTRACE_WORK_TRACER)
		naming.work = GTRACE_WORK_SYSCALL;
	return naming;
}

struct naming gti_name_late(const struct gtrace_late *late)
{
	struct naming naming = {.work = GTRACE_WORK_NONE};

	if (late == NULL)
		return naming;
	if (late->how == GTRACE_LATE_SCHEDULER) {
		naming.work = GTRACE_WORK_SCHEDULER;
		return naming;
	}
	naming = gti_name_stack(late->frames, late->frame_count);
	if (late->how == GTRACE_LATE_SYSCALL &&
	    naming.work != GTRACE_WORK_TRACER)
		naming.work = GTRACE_WORK_SYSCALL;
	return naming;
}

struct naming gti_name_kept(const struct gtrace_kept *kept)
{
	const struct naming naming = {
		.frame = kept->frame,
		.caller = kept->caller,
		.work = kept->work,
	};

	return gti_name_slice(naming, 0, kept->calls > kept->length / 2);
}

int64_t gti_unheld(const struct gtrace_stop *stop)
{
	const struct gtrace_late *late = stop->late;

	if (stop->late_count == 0 || stop->inferred ||
	    late->own >= stop->stopping)
		return 0;
	if (late->how == GTRACE_LATE_SCHEDULER || late->own < 0)
		return stop->stopping;
	return stop->stopping - late->own;
}

struct naming gti_name_holder(const struct gtrace_stop *stop)
{
	struct naming naming =
		gti_name_late(stop->late_count != 0 ? stop->late : NULL);
	int64_t unheld = gti_unheld(stop);

	if (unheld <= stop->stopping / 2)
		return naming;
	naming = (struct naming){.work = GTRACE_WORK_SCHEDULER};
	if (stop->late_count != 0 && stop->late->off_cpu > unheld / 2 &&
	    stop->late->off_cpu_class != GTRACE_SILENT_UNDECIDED) {
		naming.off_cpu = stop->late->off_cpu;
		naming.is_likely = true;
	}
	return naming;
}

bool gti_is_goroutine(const struct naming *naming)
{
	return naming->work != GTRACE_WORK_SCHEDULER &&
	       naming->work != GTRACE_WORK_NONE;
}

const char *gtrace_silent_name(enum gtrace_silent_class class)
{
	static const char *const words[] = {
		[GTRACE_SILENT_NONE] = "",
		[GTRACE_SILENT_CERTAIN] = "certain",
		[GTRACE_SILENT_ASLEEP] = "asleep",
		[GTRACE_SILENT_LIKELY] = "likely",
		[GTRACE_SILENT_UNDECIDED] = "undecided",
	};
	const size_t count = sizeof(words) / sizeof(words[0]);

	return (size_t) class < count ? words[class] : NULL;
}

const char *gtrace_work_name(enum gtrace_work work)
{
	static const char *const names[] = {
		[GTRACE_WORK_PROGRAM] = "program",
		[GTRACE_WORK_RUNTIME] = "runtime",
		[GTRACE_WORK_SYSCALL] = "system call",
		[GTRACE_WORK_SCHEDULER] = "scheduler",
		[GTRACE_WORK_NONE] = "none",
		[GTRACE_WORK_TRACER] = "tracer",
		[GTRACE_WORK_GC_DEDICATED] = "GC dedicated",
		[GTRACE_WORK_GC_FRACTIONAL] = "GC fractional",
		[GTRACE_WORK_GC_IDLE] = "GC idle",
	};
	const size_t count = sizeof(names) / sizeof(names[0]);

	return (size_t)work < count ? names[work] : NULL;
}

const char *gti_work_word(enum gtrace_work work, bool is_named)
{
	if (work == GTRACE_WORK_RUNTIME && !is_named)
		return "unknown";
	return gtrace_work_name(work);
}

const char *gti_naming_word(const struct naming *naming)
{
	return naming->off_cpu != 0
		       ? (naming->is_likely ? "off CPU?" : "off CPU")
		       : gti_work_word(naming->work, gti_is_named(naming));
}
