/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.c - messages for faults of events, in the words of Go's parser. */
#include "v1/faults.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"

/*
 * The messages before "(offset ..., time ...)". %P, %G and %H stand for the
 * processor, the goroutine and the other goroutine, %N for the name of the
 * event, %T for argument 0.
 */
static const char *const patterns[] = {
	[FAULT_PROC_RUNS_BEFORE_START] = "p %P is running before start",
	[FAULT_PROC_STOPPED_BEFORE_STOP] = "p %P is not running before stop",
	[FAULT_PROC_BUSY_AT_STOP] =
		"p %P is running a goroutine %H during stop",
	[FAULT_GC_NOT_ENDED] = "previous GC is not ended before a new one",
	[FAULT_GC_NOT_STARTED] = "bogus GC end",
	[FAULT_STW_NOT_ENDED] = "previous STW is not ended before a new one",
	[FAULT_STW_NOT_STARTED] = "bogus STW end",
	[FAULT_SWEEP_NOT_ENDED] =
		"previous sweeping is not ended before a new one",
	[FAULT_SWEEP_NOT_STARTED] = "bogus sweeping end",
	[FAULT_ASSIST_NOT_ENDED] =
		"previous mark assist is not ended before a new one",
	[FAULT_NOT_RUNNABLE] = "g %G is not runnable before Ev%N",
	[FAULT_NOT_RUNNABLE_AT_START] = "g %G is not runnable before start",
	[FAULT_PROC_BUSY_AT_START] =
		"p %P is already running g %H while start g %G",
	[FAULT_NOT_RUNNING] = "g %G is not running while %N",
	[FAULT_NOT_RUNNING_HERE] = "p %P is not running g %G while %N",
	[FAULT_GOROUTINE_0] = "g 0 did %N",
	[FAULT_EXISTS] = "g %T already exists",
	[FAULT_NOT_RUNNING_AT_UNBLOCK] = "g %G is not running while unpark",
	[FAULT_NOT_RUNNING_HERE_AT_UNBLOCK] =
		"p %P is not running g %G while unpark",
	[FAULT_NOT_WAITING_AT_UNBLOCK] = "g %T is not waiting before unpark",
	[FAULT_NOT_WAITING_AT_EXIT] = "g %G is not waiting during syscall exit",
};

#define PATTERN_SIZE 256

/* Expands the pattern of FAULT to TO, which has PATTERN_SIZE bytes. */
static void expand(const struct fault *fault, unsigned version, char *to)
{
	const struct event *event = &fault->event;
	const char *from = patterns[fault->kind];
	char *end = to + PATTERN_SIZE;

	if (fault->kind == FAULT_STW_NOT_ENDED && version < VERSION_STW)
		from = "previous scanning is not ended before a new one";
	if (fault->kind == FAULT_STW_NOT_STARTED && version < VERSION_STW)
		from = "bogus scanning end";
	while (*from != '\0') {
		size_t left = (size_t)(end - to);
		int n;

		if (*from != '%') {
			*to++ = *from++;
			continue;
		}
		switch (from[1]) {
		case 'P':
			n = snprintf(to, left, "%" PRId64, event->p);
			break;
		case 'G':
			n = snprintf(to, left, "%" PRIu64, event->g);
			break;
		case 'H':
			n = snprintf(to, left, "%" PRIu64, fault->other_g);
			break;
		case 'T':
			n = snprintf(to, left, "%" PRIu64, event->args[0]);
			break;
		default:
			n = snprintf(to, left, "%s",
				     gti_event_name(event->type, version));
			break;
		}
		to += n;
		from += 2;
	}
	*to = '\0';
}

/* A buffer that cuts off a text which does not fit. */
struct clipped {
	char *to;
	size_t left; /* without the final NUL */
};

static void clip(struct clipped *text, const char *bytes, size_t size)
{
	if (size > text->left)
		size = text->left;
	memcpy(text->to, bytes, size);
	text->to += size;
	text->left -= size;
	*text->to = '\0';
}

static void clip_text(struct clipped *text, const char *string)
{
	clip(text, string, strlen(string));
}

/* Returns the size of the UTF-8 character at P, 0 if there is none. */
static size_t utf8_size(const uint8_t *p, size_t left)
{
	uint32_t rune;
	size_t size, i;

	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	size = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (size > left)
		return 0;
	rune = p[0] & (0x7fu >> size);
	for (i = 1; i < size; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		rune = rune << 6 | (p[i] & 0x3f);
	}
	if ((size == 3 && rune < 0x800) || (size == 4 && rune < 0x10000) ||
	    rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000))
		return 0;
	return size;
}

/* Appends BYTES as Go's %q quotes them. */
static void clip_quoted(struct clipped *text, const char *bytes, size_t size)
{
	static const char letters[] = "abtnvfr";
	static const char escaped[] = "\a\b\t\n\v\f\r";
	const uint8_t *p = (const uint8_t *)bytes;
	const uint8_t *end = p + size;
	char code[5];

	while (p < end && text->left != 0) {
		const char *found = memchr(escaped, *p, sizeof(escaped) - 1);
		size_t n = *p < 0x80 ? 0 : utf8_size(p, (size_t)(end - p));

		/* U+0080 to U+00A0 and U+00AD are not printable. */
		if (n == 2 && p[0] == 0xc2 && (p[1] <= 0xa0 || p[1] == 0xad)) {
			snprintf(code, sizeof(code), "%02x", p[1]);
			clip(text, "\\u00", 4);
			clip(text, code, 2);
		} else if (n != 0) {
			clip(text, (const char *)p, n);
		} else if (*p == '"' || *p == '\\') {
			code[0] = '\\';
			code[1] = (char)*p;
			clip(text, code, 2);
		} else if (found != NULL) {
			code[0] = '\\';
			code[1] = letters[found - escaped];
			clip(text, code, 2);
		} else if (*p < 0x20 || *p >= 0x7f) {
			snprintf(code, sizeof(code), "\\x%02x", *p);
			clip(text, code, 4);
		} else {
			clip(text, (const char *)p, 1);
		}
		p += n != 0 ? n : 1;
	}
}

/* Appends a user event as Go's %q prints it. */
static void clip_event(struct clipped *text,
		       const struct fault_context *context,
		       const struct event *event)
{
	const char *arg_name = gti_event_arg_names(event->type);
	struct gtrace_string name = context->name(context->context, event);
	char line[160];
	unsigned arg = 0;
	int n;

	n = snprintf(line, sizeof(line),
		     "\"%" PRId64 " %s p=%" PRId64 " g=%" PRIu64
		     " off=%" PRIu64,
		     clock_ns(&context->clock, event->ticks),
		     gti_event_name(event->type, context->version), event->p,
		     event->g, event->offset);
	clip(text, line, (size_t)n);
	/* The last name is that of the string argument. */
	while (*arg_name != '\0') {
		size_t size = strcspn(arg_name, " ");

		clip(text, " ", 1);
		clip(text, arg_name, size);
		clip(text, "=", 1);
		arg_name += size;
		if (*arg_name == '\0')
			break;
		arg_name++;
		n = snprintf(line, sizeof(line), "%" PRIu64,
			     event->args[arg++]);
		clip(text, line, (size_t)n);
	}
	clip_quoted(text, name.data, name.size);
	clip(text, "\"", 1);
}

static void user_message(const struct fault *fault,
			 const struct fault_context *context, char *to,
			 size_t size)
{
	struct clipped text = {to, size - 1};
	char line[96];
	int n;

	if (fault->kind == FAULT_REGION_MODE) {
		n = snprintf(line, sizeof(line), "invalid user region mode: ");
	} else if (fault->kind == FAULT_TASK_EXISTS) {
		n = snprintf(line, sizeof(line),
			     "task id conflicts (id:%" PRIu64 "), ",
			     fault->event.args[0]);
	} else {
		n = snprintf(line, sizeof(line),
			     "misuse of region in goroutine %" PRIu64
			     ": span end ",
			     fault->event.g);
	}
	clip(&text, line, (size_t)n);
	clip_event(&text, context, &fault->event);
	if (fault->kind == FAULT_TASK_EXISTS)
		clip_text(&text, " vs ");
	else if (fault->kind == FAULT_REGION_MISMATCH)
		clip_text(&text,
			  " when the inner-most active span start event is ");
	if (fault->kind != FAULT_REGION_MODE)
		clip_event(&text, context, &fault->other);
}

enum gtrace_status gti_fault_message(const struct fault *fault,
				     const struct fault_context *context,
				     struct gtrace_error *error)
{
	const struct event *event = &fault->event;
	char text[GTRACE_MESSAGE_SIZE];

	switch (fault->kind) {
	case FAULT_MEMORY:
		return gti_fail_memory(error);
	case FAULT_TASK_EXISTS:
	case FAULT_REGION_MISMATCH:
	case FAULT_REGION_MODE:
		user_message(fault, context, text, sizeof(text));
		return gti_fail(error, GTRACE_ERROR_STATE, event->offset, "%s",
				text);
	default:
		expand(fault, context->version, text);
		return gti_fail(error, GTRACE_ERROR_STATE, event->offset,
				"%s (offset %" PRIu64 ", time %" PRId64 ")",
				text, event->offset,
				clock_ns(&context->clock, event->ticks));
	}
}
