/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_look.c - what stacks and first functions tell of goroutines. */
#include "base/naming.h"
#include "base/strings.h"
#include "causes.h"

/*
 * The number of the word FUNCTION, plus one, which is that of all its
 * instances; 0: it is empty.
 */
static uint32_t put_word(struct run *run, struct gtrace_string function)
{
	char buffer[NAME_WITHOUT_TYPES];
	uint32_t number;

	if (function.size == 0)
		return 0;
	function = gti_name_without_types(function, buffer);
	number = gti_texts_put(&run->names.words, function.data, function.size);
	run->failed |= number == NO_TEXT;
	return number + 1;
}

/* Whether FUNCTION, without the folder of its package, begins as one of NAMES.
 */
static bool begins_as_one(struct gtrace_string function,
			  const char *const *names, size_t count)
{
	size_t from = function.size, i;

	while (from > 0 && function.data[from - 1] != '/')
		from--;
	function.data += from;
	function.size -= from;
	for (i = 0; i < count; i++)
		if (string_begins(function, names[i]))
			return true;
	return false;
}

/* Whether a goroutine waits for others in the system call FUNCTION. */
static bool is_waiting_call(struct gtrace_string function)
{
	static const char *const names[] = {
		"syscall.read",      "syscall.Read",
		"syscall.pread",     "syscall.readlen",
		"syscall.recv",      "syscall.Recv",
		"syscall.accept",    "syscall.Accept",
		"syscall.EpollWait", "syscall.Select",
		"syscall.wait4",     "syscall.Wait4",
		"unix.read",         "unix.Read",
		"unix.recv",         "unix.Recv",
		"unix.accept",       "unix.Accept",
		"unix.EpollWait",    "unix.Poll",
		"unix.Ppoll",        "unix.poll",
		"unix.Select",       "unix.Wait4",
		"unix.Waitid",       "os.(*Process).blockUntilWaitable",
	};

	return begins_as_one(function, names, sizeof(names) / sizeof(names[0]));
}

bool gti_waits_in_call(const struct gtrace_frame *frames, size_t count)
{
	bool waits = false;
	size_t i;

	for (i = 0; i < count; i++) {
		if (string_begins(frames[i].function, "internal/poll."))
			return false;
		waits |= is_waiting_call(frames[i].function);
	}
	return waits;
}

/* Whether who waits for the network in FUNCTION has a part to do. */
static bool is_write(struct gtrace_string function)
{
	return string_begins(function, "internal/poll.(*FD).Write") ||
	       string_begins(function, "internal/poll.(*FD).WaitWrite") ||
	       string_begins(function, "internal/poll.(*FD).SendFile") ||
	       string_begins(function, "net.(*netFD).connect") ||
	       string_begins(function, "net.(*netFD).Write") ||
	       string_begins(function, "net.(*pollDesc).waitWrite") ||
	       string_begins(function, "net.(*pollDesc).WaitWrite");
}

/* Whether FUNCTION writes to a peer, or a file. */
static bool is_send(struct gtrace_string function)
{
	static const char *const names[] = {
		"syscall.write",       "syscall.Write", "syscall.send",
		"syscall.Send",        "unix.write",    "unix.Write",
		"unix.send",           "unix.Send",     "poll.(*FD).Write",
		"poll.(*FD).SendFile",
	};

	return begins_as_one(function, names, sizeof(names) / sizeof(names[0]));
}

/* Sets the calls of TO, whose stack has the COUNT frames at FRAMES. */
static void look_at_calls(struct run *run, const struct gtrace_frame *frames,
			  size_t count, struct cause_stack *to)
{
	size_t i;

	for (i = count; i-- > 1;) {
		if (!gti_is_yours(frames, i - 1, count))
			continue;
		if (to->depth < CAUSE_WRAPPERS)
			to->next[to->depth] =
				put_word(run, frames[i - 1].function);
		to->depth++;
	}
}

void gti_look_at_cause(void *context, uint32_t stack, struct cause_stack *to)
{
	struct run *run = context;
	size_t count, i;
	const struct gtrace_frame *frames =
		names_frames(&run->names, stack, &count);
	struct naming naming = gti_name_stack(frames, count);

	to->yours = naming_is_yours(&naming);
	to->own = put_word(run, naming_own(&naming)->function);
	look_at_calls(run, frames, count, to);
	to->tracer = gti_is_tracer(frames, count);
	for (i = 0; i < count; i++) {
		to->waits |= is_waiting_call(frames[i].function);
		to->writes |= is_write(frames[i].function);
		to->sends |= is_send(frames[i].function);
		to->broadcasts |=
			string_equals(frames[i].function,
				      string_of("sync.(*Cond).Broadcast"));
		to->in_c |= gti_name_in_c(frames[i].function).size != 0 ||
			    string_equals(frames[i].function,
					  string_of("runtime.cgocall"));
	}
}

uint32_t gti_cause_root(void *context, uint32_t stack)
{
	struct run *run = context;
	size_t count;
	const struct gtrace_frame *frames =
		names_frames(&run->names, stack, &count);

	if (count == 0)
		return 0;
	return put_word(run, frames[count - 1].function);
}

enum cause_root gti_judge_root(void *context, uint32_t root)
{
	struct run *run = context;
	const struct gtrace_frame frame = {
		.function = texts_at(&run->names.words, root - 1),
		.file = {"", 0},
	};

	if (gti_is_tracer(&frame, 1))
		return ROOT_OF_RUNTIME;
	if (gti_is_runtime_function(frame.function) &&
	    !string_equals(frame.function, string_of("runtime.main")))
		return ROOT_IF_YOURS;
	return ROOT_COUNTS;
}
