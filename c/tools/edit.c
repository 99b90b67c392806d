/* SPDX-License-Identifier: BSD-3-Clause */
/* edit.c - makes a trace of a part of another one, or of several. */
#define _DEFAULT_SOURCE   /* getentropy */
#define _FILE_OFFSET_BITS 64

#include "tools/edit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/random.h>
#endif

#include "tools/durations.h"
#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/new_file.h"
#include "tools/start.h"

/* What is around a time: so long before it, and after it. */
#define AROUND_NS INT64_C(1000000000)

/* Random bytes of a salt. */
#define SALT_BYTES 16

/* -------------------------------------------------------------- settings -- */

/* Ends, as -cut is wrong for REASON. */
static _Noreturn void wrong_cut(const char *reason)
{
	help_wrong(EXIT_BAD_USAGE, "-cut=%s: %s", settings.cut, reason);
}

/*
 * Reads the SIZE bytes at TEXT, a time, which after a minus is one before the
 * end. No text is 0.
 */
static int64_t read_time(const char *text, size_t size)
{
	char copy[64];
	bool is_before = size > 0 && *text == '-';
	const char *wrong = NULL;
	int64_t time = 0;

	text += is_before;
	size -= is_before;
	if (size >= sizeof(copy))
		wrong_cut("a time is too long");
	memcpy(copy, text, size);
	copy[size] = '\0';
	if (size > 0 || is_before)
		wrong = duration_parse(copy, &time);
	if (wrong != NULL)
		wrong_cut(wrong);
	if (is_before && time == 0)
		wrong_cut("-0 is no time before the end");
	return is_before ? -time : time;
}

/* Sets FROM and TO of EDIT to what is around TIME. */
static void set_around(struct gtrace_edit *edit, int64_t time)
{
	edit->from = time - AROUND_NS;
	edit->to = time < INT64_MAX - AROUND_NS ? time + AROUND_NS : 0;
	if (time >= 0 && edit->from < 0)
		edit->from = 0;
	if (time < 0 && edit->to > 0)
		edit->to = 0;
}

/* Sets the times of EDIT from -cut. */
static void read_cut(struct gtrace_edit *edit)
{
	static const char around[] = "around:";
	const char *text = settings.cut, *comma;
	bool both;

	if (text == NULL)
		return;
	comma = strchr(text, ',');
	if (strncmp(text, around, strlen(around)) == 0) {
		text += strlen(around);
		if (*text == '\0' || comma != NULL)
			wrong_cut("one time follows around:");
		set_around(edit, read_time(text, strlen(text)));
		return;
	}
	if (comma == NULL || strchr(comma + 1, ',') != NULL)
		wrong_cut("it takes two times, as in -cut=1.5s,3s or "
			  "-cut=-2s, or one, as in -cut=around:1.5s");
	edit->from = read_time(text, (size_t)(comma - text));
	edit->to = read_time(comma + 1, strlen(comma + 1));
	both = (edit->from < 0) == (edit->to < 0) && edit->to != 0;
	if ((comma[1] != '\0' && edit->to == 0) ||
	    (both && edit->to <= edit->from))
		wrong_cut("the second time is not after the first one");
}

static bool is_same_file(const struct stat *info, const char *path)
{
	struct stat other;
	int got = is_stdin(path) ? fstat(0, &other) : stat(path, &other);

	return got == 0 && info->st_dev == other.st_dev &&
	       info->st_ino == other.st_ino;
}

/* Ends if the file -o, which exists with INFO, would be lost. */
static void check_existing(const struct stat *info)
{
	size_t i;

	for (i = 0; i < settings.file_count; i++)
		if (is_same_file(info, settings.files[i]))
			help_wrong(EXIT_BAD_USAGE,
				   "-o=%s: a trace that is read is not "
				   "overwritten",
				   settings.output);
	if (!S_ISREG(info->st_mode))
		help_wrong(EXIT_BAD_USAGE,
			   "-o=%s: it is no file; - is standard output",
			   settings.output);
	if (info->st_size != 0 && !start_is_trace(settings.output))
		help_wrong(EXIT_BAD_USAGE,
			   "-o=%s: the file exists and is not a trace, so it "
			   "is not overwritten",
			   settings.output);
}

void edit_check(void)
{
	struct gtrace_edit edit = {.from = 0};
	struct stat info;

	if ((settings.reports & REPORT_EDIT) == 0)
		return;
	read_cut(&edit);
	if (settings.output == NULL)
		help_wrong(EXIT_BAD_USAGE, "a new trace needs -o=FILE");
	if (settings.salt != NULL && !settings.anonymise)
		help_wrong(EXIT_BAD_USAGE, "-salt is for -anonymise");
	if (settings.options.partial == GTRACE_PARTIAL_UNFINISHED)
		help_wrong(EXIT_BAD_USAGE,
			   "-partial=unfinished is for reports: a new trace "
			   "has whole generations");
	if (settings.file_count > 1 && !settings.join)
		help_wrong(EXIT_BAD_USAGE, "several traces need -join");
	if (!is_stdin(settings.output) && stat(settings.output, &info) == 0)
		check_existing(&info);
}

/* ---------------------------------------------------------------- output -- */

/* What is to be written to standard output, when it is whole. */
static struct {
	char *data;
	size_t size;
	size_t capacity;
} held;

static bool to_stdout(void)
{
	return is_stdin(settings.output);
}

static int hold(const void *data, size_t size)
{
	size_t capacity = held.capacity;
	char *grown;

	while (held.size + size > capacity)
		capacity = capacity == 0 ? (size_t)1 << 20 : 2 * capacity;
	if (capacity != held.capacity) {
		grown = realloc(held.data, capacity);
		if (grown == NULL)
			return ENOMEM;
		held.data = grown;
		held.capacity = capacity;
	}
	memcpy(held.data + held.size, data, size);
	held.size += size;
	return 0;
}

static int take(void *context, const void *data, size_t size)
{
	(void)context;
	return to_stdout() ? hold(data, size) : new_file_write(data, size);
}

/* Says that the new trace cannot be written for the reason CODE, an errno. */
static bool fail_output(int code)
{
	new_file_remove();
	error_note("%s: %s", to_stdout() ? "standard output" : settings.output,
		   error_text_of(code).text);
	return false;
}

/* Opens what was written, the file PATH or what is held, and reads it. */
static enum gtrace_status read_again(const char *path,
				     struct gtrace_error *error)
{
	struct gtrace_options options = {.size = sizeof(options)};
	struct gtrace *trace;
	enum gtrace_status status =
		path != NULL ? gtrace_open_path(path, &options, &trace, error)
			     : gtrace_open_memory(held.data, held.size,
						  &options, &trace, error);

	if (status == GTRACE_OK)
		status = gtrace_check(trace, error);
	gtrace_close(trace);
	return status;
}

/* Ends what was written. Returns false, after a message, if it is no trace. */
static bool finish_output(void)
{
	const char *path = NULL;
	struct gtrace_error error;
	int code = 0;

	if (!to_stdout() && (path = new_file_end()) == NULL)
		return fail_output(errno);
	if (read_again(path, &error) != GTRACE_OK) {
		new_file_remove();
		error_note("%s is not written: a trace that %s cannot be read: "
			   "%s",
			   settings.output,
			   settings.join ? "joins these" : "begins there",
			   error.message);
		return false;
	}
	if (!to_stdout())
		code = new_file_keep();
	else if (fwrite(held.data, 1, held.size, stdout) != held.size ||
		 fflush(stdout) != 0)
		code = errno;
	return code == 0 || fail_output(code);
}

/* --------------------------------------------------------------- command -- */

/* Opens all traces at TRACES. Returns false, after a message, if one fails. */
static bool open_all(struct gtrace **traces)
{
	struct gtrace_error error;
	size_t i;

	for (i = 0; i < settings.file_count; i++)
		if (jobs_open(i, &traces[i], &error) != GTRACE_OK) {
			jobs_say(i, NULL, &error);
			return false;
		}
	return true;
}

/* A salt that cannot be guessed. NULL: the system gives no random numbers. */
static const char *new_salt(void)
{
	static char salt[2 * SALT_BYTES + 1];
	unsigned char bytes[SALT_BYTES];
	size_t i;

	if (getentropy(bytes, sizeof(bytes)) != 0)
		return NULL;
	for (i = 0; i < sizeof(bytes); i++)
		snprintf(salt + 2 * i, 3, "%02x", bytes[i]);
	return salt;
}

/* NS in microseconds, as it is printed. */
static struct duration rounded(int64_t ns)
{
	return duration_text(ns - ns % 1000);
}

/* Prints what the new trace has. */
static void print_made(const struct gtrace_edited *made)
{
	FILE *to = to_stdout() ? stderr : stdout;

	fprintf(to, "%s: ", settings.output);
	if (made->generations != 0)
		fprintf(to,
			"%s to %s of %s, generations %" PRIu64 " to %" PRIu64
			", ",
			rounded(made->from).text, rounded(made->to).text,
			rounded(made->length).text, made->first, made->last);
	fprintf(to, "%" PRIu64 " bytes\n", made->bytes);
	if (made->origin > 0)
		fprintf(to, "its times begin anew: its 0s is %s\n",
			rounded(made->origin).text);
	if (made->shared != 0)
		fprintf(to,
			"%" PRIu64 " generation%s in several traces, and "
			"in it once\n",
			made->shared, made->shared == 1 ? " is" : "s are");
}

/* Says why no trace was made. */
static void say_failure(const struct gtrace_error *error)
{
	if (error->status == GTRACE_ERROR_WRITE)
		fail_output(error->system_error);
	else if (error->status == GTRACE_ERROR_ARGUMENT ||
		 settings.file_count > 1)
		error_note("%s", error->message);
	else
		jobs_say(0, NULL, error);
	new_file_remove();
}

static bool make(struct gtrace **traces)
{
	const struct gtrace_output output = {.size = sizeof(output),
					     .write = take};
	struct gtrace_edit edit = {.size = sizeof(edit),
				   .names = settings.files};
	struct gtrace_edited made;
	struct gtrace_error error;
	int code = 0;
	size_t i;

	read_cut(&edit);
	edit.anonymise = settings.anonymise;
	if (edit.anonymise)
		edit.salt = settings.salt != NULL ? settings.salt : new_salt();
	if (edit.anonymise && edit.salt == NULL) {
		error_note("there are no random numbers: give -salt");
		return false;
	}
	if (!to_stdout())
		code = new_file_begin(settings.output);
	if (code != 0)
		return fail_output(code);
	if (gtrace_edit(traces, settings.file_count, &edit, &output, &made,
			&error) != GTRACE_OK) {
		say_failure(&error);
		return false;
	}
	if (!finish_output())
		return false;
	for (i = 0; i < settings.file_count; i++)
		jobs_say(i, traces[i], NULL);
	meter_hide();
	print_made(&made);
	meter_go_on();
	return fflush(stdout) == 0 || fail_output(errno);
}

enum exit_code edit_run(void)
{
	struct gtrace **traces = calloc(settings.file_count, sizeof(*traces));
	bool good;
	size_t i;

	if (traces == NULL) {
		error_note("out of memory");
		return EXIT_BAD_TRACE;
	}
	good = open_all(traces) && make(traces);
	meter_hide();
	for (i = 0; i < settings.file_count; i++)
		gtrace_close(traces[i]);
	free(traces);
	free(held.data);
	return good ? EXIT_GOOD : EXIT_BAD_TRACE;
}
