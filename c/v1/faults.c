/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults.c - messages for events that contradict those before them, in the
 * words of Go's parser.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/utf8.h"
#include "v1/states.h"

/* Longer than any message about an event without texts. */
#define TEXT_SIZE 256

bool gti_states_fail(struct states *states, const struct event *event,
		     const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	gti_fail(&states->fault, GTRACE_ERROR_STATE, event->offset,
		 "%s (offset %" PRIu64 ", time %" PRId64 ")", text,
		 event->offset,
		 clock_ns(&states->to.observer->clock, event->ticks));
	return false;
}

bool gti_states_fail_memory(struct states *states)
{
	gti_fail_memory(&states->fault);
	return false;
}

bool gti_states_fail_running(struct states *states, const struct goroutine *g,
			     const struct processor_state *p,
			     const struct event *event)
{
	const char *name =
		gti_event_name(event->type, states->index->rules.version);

	if (g->state != RUNNING)
		return gti_states_fail(states, event,
				       "g %" PRIu64 " is not running while %s",
				       event->g, name);
	if (p->g != event->g)
		return gti_states_fail(states, event,
				       "p %" PRId64 " is not running g %" PRIu64
				       " while %s",
				       event->p, event->g, name);
	return gti_states_fail(states, event, "g 0 did %s", name);
}

/* ----------------------------------------------------------- user events -- */

/* A message that cuts off what does not fit. */
struct message {
	char text[GTRACE_MESSAGE_SIZE];
	size_t size;
};

static void append(struct message *message, const char *format, ...)
	PRINTF_LIKE(2, 3);

static void append(struct message *message, const char *format, ...)
{
	size_t left = sizeof(message->text) - message->size;
	va_list list;
	size_t size;

	va_start(list, format);
	size = (size_t)vsnprintf(message->text + message->size, left, format,
				 list);
	va_end(list);
	message->size += size < left ? size : left - 1;
}

/* Appends TEXT as Go's %q quotes it. */
static void append_quoted(struct message *message, struct gtrace_string text)
{
	static const char escaped[] = "\a\b\t\n\v\f\r\"\\";
	static const char letters[] = "abtnvfr\"\\";
	struct utf8 at = utf8_of(text.data, text.size);

	while (message->size < sizeof(message->text) - 1 &&
	       gti_utf8_next(&at)) {
		const unsigned char *p = at.next - (at.bad ? 1 : at.size);
		const char *found = memchr(escaped, *p, sizeof(escaped) - 1);

		if (found != NULL)
			append(message, "\\%c", letters[found - escaped]);
		else if (at.bad || *p < 0x20 || *p == 0x7f)
			append(message, "\\x%02x", *p);
		/* U+0080 to U+00A0 and U+00AD are not printable. */
		else if (p[0] == 0xc2 && (p[1] <= 0xa0 || p[1] == 0xad))
			append(message, "\\u00%02x", p[1]);
		else
			append(message, "%.*s", (int)at.size, (const char *)p);
	}
}

/* Appends EVENT, which creates a task or is of a region. */
static void append_event(struct message *message, const struct states *states,
			 const struct event *event)
{
	bool is_task = event->type == EV_USER_TASK_CREATE;
	unsigned version = states->index->rules.version;
	struct gtrace_string strings[EVENT_STRINGS];

	gti_lookup_strings(states->index, event, strings);
	append(message,
	       "\"%" PRId64 " %s p=%" PRId64 " g=%" PRIu64 " off=%" PRIu64
	       " taskid=%" PRIu64 " %s=%" PRIu64 " typeid=%" PRIu64 " name=",
	       clock_ns(&states->to.observer->clock, event->ticks),
	       gti_event_name(event->type, version), event->p, event->g,
	       event->offset, event->args[0], is_task ? "pid" : "mode",
	       event->args[1], event->args[2]);
	append_quoted(message, strings[0]);
	append(message, "\"");
}

bool gti_states_fail_user(struct states *states, const struct event *event,
			  const struct event *other)
{
	struct message message = {.size = 0};
	const char *between =
		" when the inner-most active span start event is ";

	if (event->type == EV_USER_TASK_CREATE) {
		append(&message, "task id conflicts (id:%" PRIu64 "), ",
		       event->args[0]);
		between = " vs ";
	} else if (other != NULL) {
		append(&message,
		       "misuse of region in goroutine %" PRIu64 ": span end ",
		       event->g);
	} else {
		append(&message, "invalid user region mode: ");
	}
	append_event(&message, states, event);
	if (other != NULL) {
		append(&message, "%s", between);
		append_event(&message, states, other);
	}
	gti_fail(&states->fault, GTRACE_ERROR_STATE, event->offset, "%s",
		 message.text);
	return false;
}
