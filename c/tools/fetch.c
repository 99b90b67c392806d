/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fetch.c - records the trace of a program that gives it at an address. Another
 * program fetches it: curl, or the one that GTRACE_FETCH names.
 */
#define _POSIX_C_SOURCE 200809L

#include "tools/fetch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/platform.h"
#include "base/threads.h"
#include "tools/child.h"
#include "tools/errors.h"
#include "tools/interrupt.h"
#include "tools/meter.h"
#include "tools/new_file.h"
#include "tools/scratch.h"
#include "tools/settings.h"
#include "tools/start.h"
#include "tools/url.h"

/* Exit statuses of curl. */
enum { CURL_NO_HOST = 6, CURL_NO_CONNECTION = 7, CURL_HTTP_ERROR = 22 };

/* One recording. */
struct fetch {
	const char *program;
	char *url;       /* complete */
	char *path;      /* of the file */
	int file;        /* -1: it is not open */
	int reader;      /* which gets what comes, too; -1: there is none */
	FILE *said;      /* what the program says of errors */
	int status;      /* its exit status */
	bool is_refused; /* what came is no trace */
	bool is_stopped; /* the user ended it */
	uint64_t size;   /* bytes that came, of which the first are in HEAD */
	char head[512];
	struct gtrace_error *error;
};

/* The file of a recording that is followed. */
static char *_Atomic followed_path;

static bool exists(const char *name)
{
	return access(name, F_OK) == 0;
}

bool fetch_is_for(const char *name)
{
	return url_is_one(name) && !exists(name);
}

/* ------------------------------------------------------------------ file -- */

/* Returns a name for the recording NUMBER, from 1, of this second. */
static char *make_name(const char *url, unsigned number)
{
	char host[64], second[32], name[128], more[16] = "";
	time_t now = time(NULL);
	struct tm local;

	url_host(url, host, sizeof(host));
	strftime(second, sizeof(second), "%Y%m%d-%H%M%S",
		 localtime_r(&now, &local));
	if (number > 1)
		snprintf(more, sizeof(more), "-%u", number);
	snprintf(name, sizeof(name), "%s-%s%s.trace", host, second, more);
	return strdup(name);
}

/* Makes the file, which is not there before. */
static enum gtrace_status make_file(struct fetch *fetch)
{
	const char *given =
		settings.reports != REPORT_EDIT ? settings.output : NULL;
	unsigned number = 0;

	do {
		free(fetch->path);
		fetch->path = given != NULL ? strdup(given)
					    : make_name(fetch->url, ++number);
		if (fetch->path == NULL)
			return error_set(fetch->error, GTRACE_ERROR_MEMORY,
					 "out of memory");
		fetch->file =
			open(fetch->path,
			     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (fetch->file < 0 && errno == EEXIST && given == NULL &&
		 number < 1000);
	if (fetch->file >= 0 && fetch->reader >= 0)
		followed_path = fetch->path;
	if (fetch->file >= 0)
		return GTRACE_OK;
	if (errno == EEXIST)
		return error_set(fetch->error, GTRACE_ERROR_OPEN,
				 "%s exists, and is not overwritten",
				 fetch->path);
	return error_set(fetch->error, GTRACE_ERROR_OPEN, "%s: %s", fetch->path,
			 error_text_of(errno).text);
}

/* ------------------------------------------------------------- recording -- */

/* How many of the first bytes are known. */
static size_t head_size(const struct fetch *fetch)
{
	return fetch->size < sizeof(fetch->head) ? (size_t)fetch->size
						 : sizeof(fetch->head);
}

/* Takes the next SIZE bytes. */
static enum gtrace_status take(struct fetch *fetch, const char *bytes,
			       size_t size)
{
	size_t known = head_size(fetch);
	int code;

	fetch->size += size;
	if (known < sizeof(fetch->head)) {
		memcpy(fetch->head + known, bytes, head_size(fetch) - known);
		if (!start_may_be_trace(fetch->head, head_size(fetch)))
			fetch->is_refused = true;
	}
	if (fetch->is_refused)
		return GTRACE_OK;
	code = write_all(fetch->file, bytes, size);
	if (code == 0 && fetch->reader >= 0 &&
	    write_all(fetch->reader, bytes, size) != 0)
		fetch->is_stopped = true; /* the reader is closed */
	return code == 0 ? GTRACE_OK
			 : error_set(fetch->error, GTRACE_ERROR_OPEN, "%s: %s",
				     fetch->path, error_text_of(code).text);
}

/* Reads all that CHILD prints; of what is no trace, only the beginning. */
static enum gtrace_status read_child(struct fetch *fetch,
				     const struct child *child)
{
	enum gtrace_status status = GTRACE_OK;
	static const int shown_every = 200; /* milliseconds */
	char bytes[65536];
	ssize_t got = 1;

	while (status == GTRACE_OK && got != 0 && !fetch->is_stopped &&
	       !interrupt_came() &&
	       !(fetch->is_refused && fetch->size >= sizeof(fetch->head))) {
		meter_record(fetch->size);
		if (!interrupt_wait(child->out, shown_every))
			continue;
		got = read(child->out, bytes, sizeof(bytes));
		if (got > 0)
			status = take(fetch, bytes, (size_t)got);
		else if (got < 0 && errno != EINTR)
			status = error_set(fetch->error, GTRACE_ERROR_READ,
					   "read: %s",
					   error_text_of(errno).text);
	}
	if (got != 0)
		child_stop(child);
	fetch->is_stopped |= interrupt_came();
	return status;
}

/* Runs the program with FLAGS until it ends. */
static enum gtrace_status run(struct fetch *fetch, const char *flags)
{
	const char *arguments[] = {fetch->program, flags, fetch->url, NULL};
	enum gtrace_status status;
	struct child child;
	int nothing, code;

	rewind(fetch->said);
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	code = nothing < 0 ? errno
			   : child_start(&child, arguments, nothing,
					 fileno(fetch->said));
	if (nothing >= 0)
		close(nothing);
	if (code == ENOENT)
		return error_set(fetch->error, GTRACE_ERROR_OPEN,
				 "%s is not installed, which fetches the trace "
				 "(GTRACE_FETCH names another program)",
				 fetch->program);
	if (code != 0)
		return error_set(fetch->error, GTRACE_ERROR_OPEN, "%s: %s",
				 fetch->program, error_text_of(code).text);
	status = read_child(fetch, &child);
	fetch->status = child_end(&child);
	return status;
}

/* ---------------------------------------------------------------- errors -- */

/* What the program says of errors, in one line without its end. */
static struct error_text read_said(const struct fetch *fetch)
{
	struct error_text said = {""};

	rewind(fetch->said);
	if (fgets(said.text, sizeof(said.text), fetch->said) != NULL)
		said.text[strcspn(said.text, "\r\n")] = '\0';
	return said;
}

/* The status of HTTP that SAID has; 0: none. */
static int http_status(const char *said)
{
	static const char before[] = "returned error: ";
	const char *at = strstr(said, before);

	return at != NULL ? atoi(at + strlen(before)) : 0;
}

/* The first line of what came, if it is text; otherwise it is empty. */
static struct error_text first_line(const struct fetch *fetch)
{
	struct error_text line = {""};
	size_t size = head_size(fetch), i, n = 0;

	for (i = 0; i < size && isspace((unsigned char)fetch->head[i]);)
		i++;
	while (i < size && n + 1 < sizeof(line.text) &&
	       isprint((unsigned char)fetch->head[i]))
		line.text[n++] = fetch->head[i++];
	if (i < size && !isspace((unsigned char)fetch->head[i]) &&
	    n + 1 < sizeof(line.text))
		n = 0;
	line.text[n] = '\0';
	return line;
}

/* What came is no trace. */
static enum gtrace_status fail_content(struct fetch *fetch)
{
	const struct error_text line = first_line(fetch);

	if (line.text[0] == '<')
		return error_set(
			fetch->error, GTRACE_ERROR_READ,
			"an HTML page, such as that of a login, and no "
			"trace: net/http/pprof gives it at "
			"/debug/pprof/trace");
	if (line.text[0] != '\0')
		return error_set(fetch->error, GTRACE_ERROR_READ,
				 "text and no trace, which begins with \"%s\"",
				 line.text);
	return error_set(fetch->error, GTRACE_ERROR_READ,
			 "what comes is no trace");
}

/* The server has answered with the status CODE, and perhaps with words. */
static enum gtrace_status fail_http(struct fetch *fetch, int code)
{
	const struct error_text line = first_line(fetch);

	if (code == 404)
		return error_set(
			fetch->error, GTRACE_ERROR_OPEN,
			"not found (HTTP 404): does the program import "
			"net/http/pprof, and serve "
			"http.DefaultServeMux here?");
	if (code == 401 || code == 403)
		return error_set(fetch->error, GTRACE_ERROR_OPEN,
				 "the server wants a login (HTTP %d)", code);
	if (strstr(line.text, "already enabled") != NULL)
		return error_set(
			fetch->error, GTRACE_ERROR_OPEN,
			"%s (HTTP %d): another trace is being recorded, "
			"and a program records one at a time",
			line.text, code);
	if (line.text[0] == '\0' || line.text[0] == '<')
		return error_set(fetch->error, GTRACE_ERROR_OPEN, "HTTP %d",
				 code);
	return error_set(fetch->error, GTRACE_ERROR_OPEN, "%s (HTTP %d)",
			 line.text, code);
}

/* The program has ended with an error, and nothing came. */
static enum gtrace_status fail_program(struct fetch *fetch, const char *said)
{
	const char *between = said[0] != '\0' ? ": " : "";
	bool is_curl = strncmp(said, "curl: (", 7) == 0;

	if (is_curl && fetch->status == CURL_NO_CONNECTION)
		return error_set(
			fetch->error, GTRACE_ERROR_OPEN,
			"connection refused, or no way there: does the "
			"program listen at this address? (%s)",
			said);
	if (is_curl && fetch->status == CURL_NO_HOST)
		return error_set(fetch->error, GTRACE_ERROR_OPEN,
				 "there is no such host (%s)", said);
	if (fetch->status == CHILD_LOST)
		return error_set(fetch->error, GTRACE_ERROR_OPEN,
				 "%s was ended%s%s", fetch->program, between,
				 said);
	return error_set(fetch->error, GTRACE_ERROR_OPEN,
			 "%s ended with status %d%s%s", fetch->program,
			 fetch->status, between, said);
}

/* Says why there is no trace. */
static enum gtrace_status fail_fetch(struct fetch *fetch)
{
	const struct error_text said = read_said(fetch);
	int code = http_status(said.text);
	enum gtrace_status status;

	if (fetch->is_stopped)
		return error_set(fetch->error, GTRACE_ERROR_READ,
				 "interrupted before anything came");
	if (fetch->is_refused)
		return fail_content(fetch);
	if (fetch->status == 0)
		return error_set(fetch->error, GTRACE_ERROR_READ,
				 "the answer is empty");
	if (fetch->status != CURL_HTTP_ERROR || code == 0)
		return fail_program(fetch, said.text);
	if (code == 401 || code == 403 || code == 404)
		return fail_http(fetch, code);
	/* With -f the words of the server are not printed. */
	status = run(fetch, "-sSN");
	if (status != GTRACE_OK)
		return status;
	if (fetch->size != 0 && !fetch->is_refused)
		return GTRACE_OK; /* it gives the trace now */
	return fail_http(fetch, code);
}

/* --------------------------------------------------------------- command -- */

static enum gtrace_status record(struct fetch *fetch)
{
	enum gtrace_status status = make_file(fetch);

	if (status == GTRACE_OK)
		status = run(fetch, "-fsSN");
	if (status == GTRACE_OK && (fetch->size == 0 || fetch->is_refused))
		status = fail_fetch(fetch);
	if (fetch->file >= 0 && close(fetch->file) != 0 && status == GTRACE_OK)
		status = error_set(fetch->error, GTRACE_ERROR_OPEN, "%s: %s",
				   fetch->path, error_text_of(errno).text);
	if (fetch->file >= 0 && (fetch->size == 0 || fetch->is_refused))
		unlink(fetch->path);
	return status;
}

/* Says where the trace is, and whether it ended before its time. */
static void note(const struct fetch *fetch)
{
	const char *end = "";

	if (fetch->is_stopped)
		end = ", until it was interrupted";
	else if (fetch->status != 0)
		end = ", until the connection ended";
	error_note("recorded %s (%.*f MB)%s", fetch->path,
		   fetch->size < 100000 ? 3 : 1, (double)fetch->size / 1e6,
		   end);
}

/* fetch_record() for SECONDS, and for READER, unless that is -1. */
static enum gtrace_status record_for(const char *url, size_t seconds,
				     int reader, char **file, bool *is_short,
				     struct gtrace_error *error)
{
	const char *program = getenv("GTRACE_FETCH");
	struct fetch fetch = {.program = "curl",
			      .file = -1,
			      .reader = reader,
			      .error = error};
	enum gtrace_status status;

	if (program != NULL && program[0] != '\0')
		fetch.program = program;
	fetch.url = url_complete(url, seconds);
	fetch.said = scratch_file();
	interrupt_catch();
	if (fetch.url == NULL || fetch.said == NULL)
		status = error_set(fetch.error, GTRACE_ERROR_MEMORY,
				   "out of memory");
	else
		status = record(&fetch);
	interrupt_release();
	if (fetch.said != NULL)
		fclose(fetch.said);
	free(fetch.url);
	if (status == GTRACE_OK)
		note(&fetch);
	*is_short = fetch.is_stopped || fetch.status != 0;
	*file = fetch.path;
	return status;
}

enum gtrace_status fetch_record(const char *url, char **file, bool *is_short,
				struct gtrace_error *error)
{
	return record_for(url, settings.seconds, -1, file, is_short, error);
}

const char *fetch_file(void)
{
	return followed_path;
}

/* ---------------------------------------------------------------- thread -- */

#if HAS_THREADS

/* A recording that is followed goes on for so many seconds, or until q. */
#define FOLLOWED_SECONDS 600

static struct {
	pthread_t thread;
	const char *url;
	int reader;
	char *file;
	bool is_short;
	enum gtrace_status status;
	struct gtrace_error error;
} followed;

static void *follow(void *unused)
{
	size_t seconds =
		settings.seconds != 0 ? settings.seconds : FOLLOWED_SECONDS;

	followed.status =
		record_for(followed.url, seconds, followed.reader,
			   &followed.file, &followed.is_short, &followed.error);
	close(followed.reader);
	return unused;
}

enum gtrace_status fetch_begin(const char *url, int *fd,
			       struct gtrace_error *error)
{
	int ends[2], code = child_pipe(ends);

	if (code != 0)
		return error_set(error, GTRACE_ERROR_OPEN, "pipe: %s",
				 error_text_of(code).text);
	followed.url = url;
	followed.reader = ends[1];
	*fd = ends[0];
	code = gti_thread_start(&followed.thread, follow, NULL);
	if (code == 0)
		return GTRACE_OK;
	close(ends[0]);
	close(ends[1]);
	return error_set(error, GTRACE_ERROR_MEMORY, "a thread: %s",
			 error_text_of(code).text);
}

enum gtrace_status fetch_finish(char **file, bool *is_short,
				struct gtrace_error *error)
{
	pthread_join(followed.thread, NULL);
	*file = followed.file;
	*is_short = followed.is_short;
	if (followed.status != GTRACE_OK)
		*error = followed.error;
	return followed.status;
}

#else

enum gtrace_status fetch_begin(const char *url, int *fd,
			       struct gtrace_error *error)
{
	(void)url;
	(void)fd;
	return error_set(error, GTRACE_ERROR_OPEN,
			 "-follow records nothing here");
}

enum gtrace_status fetch_finish(char **file, bool *is_short,
				struct gtrace_error *error)
{
	(void)file;
	(void)is_short;
	(void)error;
	return GTRACE_ERROR_OPEN;
}

#endif
