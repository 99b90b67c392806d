/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - how a file begins, and what it is if it is not a trace. */
#define _FILE_OFFSET_BITS 64
#ifdef __linux__
#define _GNU_SOURCE /* tee */
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "tools/start.h"

#include <ctype.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/child.h"
#include "tools/decompress.h"
#include "tools/errors.h"
#include "tools/keep.h"
#include "tools/plain.h"
#include "tools/scratch.h"

/* What a trace begins with. */
#define TRACE_BEGIN "go 1."

/* A tar archive is known by its byte 257. */
#define START_SIZE 512

/* The first bytes of a file. */
struct start {
	enum {
		START_UNKNOWN, /* it cannot be read twice, or not at all */
		START_FILE,
		START_PIPE,
		START_DIRECTORY,
	} kind;
	size_t size;
	char bytes[START_SIZE];
};

/* Of standard input, which is looked at before it is read. */
static struct start input;

/* --------------------------------------------------------------- reading -- */

static bool get_info(const char *path, struct stat *info)
{
	if (is_stdin(path))
		return fstat(STDIN_FILENO, info) == 0;
	/* WASI's C library takes an empty name for the current folder. */
	return *path != '\0' && stat(path, info) == 0;
}

/* The size of the file PATH; 0: it is no regular file, or there is none. */
static uint64_t file_size(const char *path)
{
	struct stat info;

	if (!get_info(path, &info) || !S_ISREG(info.st_mode))
		return 0;
	return (uint64_t)info.st_size;
}

/* Sets START to the first bytes in the pipe FD. */
static void look_into_pipe(struct start *start, int fd)
{
#ifdef __linux__
	ssize_t got;
	int ends[2];

	if (pipe(ends) != 0)
		return;
	got = tee(fd, ends[1], START_SIZE, 0);
	if (got > 0)
		got = read(ends[0], start->bytes, (size_t)got);
	if (got >= 0) {
		start->size = (size_t)got;
		start->kind = START_PIPE;
	}
	close(ends[0]);
	close(ends[1]);
#elif defined(__wasi__)
	/* Hosts give what was read at an offset of a pipe once more. */
	ssize_t got = pread(fd, start->bytes, START_SIZE, 0);

	if (got >= 0) {
		start->size = (size_t)got;
		start->kind = START_PIPE;
	}
#else
	(void)start;
	(void)fd;
#endif
}

/*
 * Returns how the file PATH begins. What is read from standard input is still
 * there for the next reader. Other pipes are not read.
 */
static struct start read_start(const char *path)
{
	struct start start = {.kind = START_UNKNOWN};
	int fd = STDIN_FILENO;
	struct stat info;
	ssize_t got;

	if (!get_info(path, &info))
		return start;
	if (S_ISDIR(info.st_mode))
		start.kind = START_DIRECTORY;
	/* Opening a pipe would wait for its writer; closing it would end it. */
	if (S_ISFIFO(info.st_mode) && is_stdin(path))
		look_into_pipe(&start, STDIN_FILENO);
	if (!S_ISREG(info.st_mode))
		return start;
	if (!is_stdin(path))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	got = pread(fd, start.bytes, START_SIZE, 0);
	if (got >= 0) {
		start.size = (size_t)got;
		start.kind = START_FILE;
	}
	if (fd > STDIN_FILENO)
		close(fd);
	return start;
}

/* ------------------------------------------------------------- contents -- */

/* Whether BYTES, without the final NUL, are at OFFSET. */
static bool has(const struct start *start, size_t offset, const char *bytes)
{
	size_t size = strlen(bytes);

	return start->size >= offset + size &&
	       memcmp(start->bytes + offset, bytes, size) == 0;
}

/* ------------------------------------------------------------ compressed -- */

bool start_may_be_trace(const char *bytes, size_t size)
{
	return decompress_may_begin(bytes, size) ||
	       decompress_begins(bytes, size, TRACE_BEGIN);
}

uint64_t start_file_size(const char *path)
{
	uint64_t size = file_size(path);
	struct start start;

	if (size == 0)
		return 0;
	start = read_start(path);
	return decompress_find(start.bytes, start.size) == NULL ? size : 0;
}

/*
 * Sets START to the beginning of what is compressed in the file PATH, which is
 * not standard input, if it can be known.
 */
static void look_inside(struct start *start, const char *path)
{
	const struct decompressor *by =
		decompress_find(start->bytes, start->size);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct child child;
	ssize_t got = 1;

	if (nowhere >= 0 && by != NULL &&
	    decompress_start(&child, by, path, nowhere)) {
		start->size = 0;
		while (got > 0 && start->size < START_SIZE) {
			got = read(child.out, start->bytes + start->size,
				   START_SIZE - start->size);
			if (got > 0)
				start->size += (size_t)got;
		}
		child_end(&child);
	}
	if (nowhere >= 0)
		close(nowhere);
}

/* start_open() of the file PATH, which begins as START, that BY decompresses.
 */
static enum gtrace_status open_compressed(const char *path, struct start *start,
					  const struct decompressor *by,
					  const struct gtrace_options *options,
					  struct gtrace **trace,
					  struct gtrace_error *error)
{
	FILE *said = scratch_file();
	struct gtrace_error unused;
	struct child child;

	if (said != NULL && decompress_start(&child, by, path, fileno(said))) {
		start->size = 0;
		look_into_pipe(start, child.out);
		return decompress_open(by, &child, said, path, options, trace,
				       error != NULL ? error : &unused);
	}
	if (said != NULL)
		fclose(said);
	return is_stdin(path)
		       ? gtrace_open_fd(STDIN_FILENO, options, trace, error)
		       : gtrace_open_path(path, options, trace, error);
}

/* start_open() of what is not compressed, and not standard input. */
static enum gtrace_status open_plain(const char *path,
				     const struct gtrace_options *options,
				     struct gtrace **trace,
				     struct gtrace_error *error)
{
	struct stat info;
	int fd = -1;

	if (stat(path, &info) == 0 &&
	    (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? keep_open(fd, true, options, trace, error)
		       : gtrace_open_path(path, options, trace, error);
}

enum gtrace_status start_open(const char *path,
			      const struct gtrace_options *options,
			      struct gtrace **trace, struct gtrace_error *error)
{
	struct start start = read_start(path);
	const struct decompressor *by =
		decompress_find(start.bytes, start.size);
	enum gtrace_status status;

	if (by != NULL)
		status = open_compressed(path, &start, by, options, trace,
					 error);
	else if (!is_stdin(path))
		return open_plain(path, options, trace, error);
	else if (keep_is_for(STDIN_FILENO))
		status = keep_open(STDIN_FILENO, false, options, trace, error);
	else
		status = gtrace_open_fd(STDIN_FILENO, options, trace, error);
	if (is_stdin(path))
		input = start;
	return status;
}

bool start_is_program(const char *path)
{
	struct start start;

	if (is_stdin(path))
		return false;
	start = read_start(path);
	return has(&start, 0, "\177ELF") ||          /* Linux and most others */
	       has(&start, 0, "\xcf\xfa\xed\xfe") || /* macOS, 64 bits */
	       has(&start, 0, "\xce\xfa\xed\xfe") || /* 32 bits */
	       has(&start, 0, "MZ");                 /* Windows */
}

bool start_may_be_replaced(const char *path)
{
	static const char page[] = "<!DOCTYPE html";
	struct start start;

	if (file_size(path) == 0)
		return true;
	start = read_start(path);
	return start.size >= strlen(page) &&
	       strncasecmp(start.bytes, page, strlen(page)) == 0;
}

/* The greatest version of a trace without generations: "go 1.21 trace". */
#define VERSION_WITHOUT_GENERATIONS "go 1.21"

static bool is_trace(const struct start *start)
{
	return start->size >= HEADER_SIZE && has(start, 0, TRACE_BEGIN);
}

bool start_has_generations(const char *path)
{
	struct start start = read_start(path);
	size_t size = strlen(VERSION_WITHOUT_GENERATIONS);

	return is_trace(&start) && start.bytes[size] == ' ' &&
	       memcmp(start.bytes, VERSION_WITHOUT_GENERATIONS, size) > 0;
}

bool start_is_trace(const char *path)
{
	struct start start = read_start(path);

	return is_trace(&start);
}

/*
 * Returns whether START is that of a message Profile of profile.proto, in which
 * the type of the period or of a sample comes first, or after numbers such as
 * the time. A type begins with field 1, a number.
 */
static bool is_profile(const struct start *start)
{
	/* Tags of the fields 7 to 10, 12 and 14. */
	static const char numbers[] = "\x38\x40\x48\x50\x60\x70";
	size_t i = 0;

	while (i < start->size && start->bytes[i] != '\0' &&
	       strchr(numbers, start->bytes[i]) != NULL) {
		do
			i++;
		while (i < start->size && (start->bytes[i] & 0x80) != 0);
		i++;
	}
	/* Tags of the fields 1 and 11; then comes the size of the type. */
	return (has(start, i, "\n") || has(start, i, "Z")) &&
	       has(start, i + 2, "\b");
}

/* Returns whether START, of an ELF file, is that of a core dump. */
static bool is_core(const struct start *start)
{
	const char *type = start->bytes + 16;

	/* The type, 4, in either byte order. */
	return start->size >= 18 && ((type[0] == 4 && type[1] == 0) ||
				     (type[0] == 0 && type[1] == 4));
}

/* Returns whether all of START is text, in ASCII or UTF-8. */
static bool is_text(const struct start *start)
{
	size_t i;
	int c;

	for (i = 0; i < start->size; i++) {
		c = (unsigned char)start->bytes[i];
		if (!isprint(c) && !isspace(c) && c < 0x80)
			return false;
	}
	return true;
}

/* ----------------------------------------------------------- explaining -- */

/* What is often given in place of a trace. */
static const struct magic {
	size_t offset;
	const char *bytes;
	const char *is;
	const char *filter; /* the command that prints what is in the file */
	const char *pipe_filter; /* if another one does so in a pipe */
} magics[] = {
	{0, "\x1f\x8b",
	 "a profile, for go tool pprof, or a trace compressed with gzip",
	 "zcat", NULL},
	{0, "\x28\xb5\x2f\xfd", "compressed with zstd", "zstdcat", NULL},
	{0, "\3757zXZ", "compressed with xz", "xzcat", NULL},
	{0, "BZh", "compressed with bzip2", "bzcat", NULL},
	{0, "PK\3\4", "a zip archive", "unzip -p", "funzip"},
	{257, "ustar", "a tar archive", "tar -xOf", "tar -xOf -"},
};

/* Returns what PATH has to be put between so that a shell takes it. */
static const char *quote_of(const char *path)
{
	/* A name with quotes of its own is left to the user. */
	return plain_needs_quotes(path) && strchr(path, '\'') == NULL ? "'"
								      : "";
}

static void print_magic(FILE *to, const char *path, const struct magic *magic)
{
	const char *quote = quote_of(path);

	if (!is_stdin(path))
		fprintf(to, "%s: %s %s%s%s | gtrace [flags] -\n", magic->is,
			magic->filter, quote, path, quote);
	else
		fprintf(to, "%s: ... | %s | gtrace [flags] -\n", magic->is,
			magic->pipe_filter != NULL ? magic->pipe_filter
						   : magic->filter);
}

/* Prints the first line of START that is not empty, up to what is not ASCII. */
static void print_text(FILE *to, const struct start *start)
{
	const char *text = start->bytes, *end = text + start->size;
	int size = 0;

	while (text < end && isspace((unsigned char)*text))
		text++;
	while (text + size < end && size < 64 &&
	       isprint((unsigned char)text[size]))
		size++;
	if (size == 0)
		fputs("text, not a trace\n", to);
	else
		fprintf(to, "text, which begins with \"%.*s\"\n", size, text);
}

static void print_content(FILE *to, const char *path, const struct start *start)
{
	const char *quote = quote_of(path);
	size_t i;

	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (has(start, magics[i].offset, magics[i].bytes)) {
			print_magic(to, path, &magics[i]);
			return;
		}
	if (has(start, 0, "\177ELF") && is_core(start))
		fputs("a core dump, not a trace\n", to);
	else if (has(start, 0, "\177ELF") && is_stdin(path))
		fputs("a program, not a trace\n", to);
	else if (has(start, 0, "\177ELF"))
		fprintf(to,
			"a program: gtrace -binary=%s%s%s [flags] trace.out\n",
			quote, path, quote);
	else if (is_profile(start))
		fputs("a profile, not a trace (go tool pprof reads it)\n", to);
	else if (start->size < HEADER_SIZE && has(start, 0, TRACE_BEGIN))
		fputs("the file ends in the header of a trace: record the "
		      "trace again\n",
		      to);
	else if (is_text(start))
		print_text(to, start);
}

void start_explain(FILE *to, const char *path)
{
	struct start start = is_stdin(path) ? input : read_start(path);
	const char *quote = quote_of(path);

	if (!is_stdin(path))
		look_inside(&start, path);
	if (start.kind == START_DIRECTORY && !is_stdin(path))
		fprintf(to,
			"a directory: gtrace [flags] %s%s%s/* reads the files "
			"in it\n",
			quote, path, quote);
	else if (start.kind == START_PIPE && start.size == 0)
		fputs("nothing came through the pipe\n", to);
	else if (start.kind == START_FILE && start.size == 0)
		fputs("the file is empty: record the trace again, up to the "
		      "return of trace.Stop\n",
		      to);
	else if (start.kind == START_FILE || start.kind == START_PIPE)
		print_content(to, path, &start);
}
