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
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUOTE_SIZE 256

static const char header[] = "go 1.";

/* --------------------------------------------------------------- reading -- */

static bool get_info(const char *path, struct stat *info)
{
	return (is_stdin(path) ? fstat(STDIN_FILENO, info)
			       : stat(path, info)) == 0;
}

uint64_t start_file_size(const char *path)
{
	struct stat info;

	if (!get_info(path, &info) || !S_ISREG(info.st_mode))
		return 0;
	return (uint64_t)info.st_size;
}

/* Sets START to the first bytes in the pipe that is standard input. */
static void look_into_pipe(struct start *start)
{
#ifdef __linux__
	ssize_t got;
	int ends[2];

	if (pipe(ends) != 0)
		return;
	got = tee(STDIN_FILENO, ends[1], START_SIZE, 0);
	if (got > 0)
		got = read(ends[0], start->bytes, (size_t)got);
	if (got >= 0) {
		start->size = (size_t)got;
		start->kind = START_PIPE;
	}
	close(ends[0]);
	close(ends[1]);
#else
	(void)start;
#endif
}

void start_read(struct start *start, const char *path)
{
	int fd = STDIN_FILENO;
	struct stat info;
	ssize_t got;

	*start = (struct start){.kind = START_UNKNOWN};
	if (!get_info(path, &info))
		return;
	if (S_ISDIR(info.st_mode))
		start->kind = START_DIRECTORY;
	/* Opening a pipe would wait for its writer; closing it would end it. */
	if (S_ISFIFO(info.st_mode) && is_stdin(path))
		look_into_pipe(start);
	if (!S_ISREG(info.st_mode))
		return;
	if (!is_stdin(path))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	got = pread(fd, start->bytes, START_SIZE, 0);
	if (got >= 0) {
		start->size = (size_t)got;
		start->kind = START_FILE;
	}
	if (fd > STDIN_FILENO)
		close(fd);
}

enum gtrace_status start_open(const char *path,
			      const struct gtrace_options *options,
			      struct gtrace **trace, struct gtrace_error *error)
{
	if (is_stdin(path))
		return gtrace_open_fd(STDIN_FILENO, options, trace, error);
	return gtrace_open_path(path, options, trace, error);
}

/* ----------------------------------------------------------- explaining -- */

/* What is often given in place of a trace. */
static const struct magic {
	size_t offset, size;
	const char *bytes;
	const char *is;
	/* The command that prints what is in it, of a file and of a pipe. */
	const char *filter, *pipe_filter;
} magics[] = {
	{0, 2, "\x1f\x8b",
	 "compressed with gzip (a profile? go tool pprof reads it)", "zcat",
	 "zcat"},
	{0, 4, "\x28\xb5\x2f\xfd", "compressed with zstd", "zstdcat",
	 "zstdcat"},
	{0, 5, "\3757zXZ", "compressed with xz", "xzcat", "xzcat"},
	{0, 3, "BZh", "compressed with bzip2", "bzcat", "bzcat"},
	{0, 4, "PK\3\4", "a zip archive", "unzip -p", "funzip"},
	{257, 5, "ustar", "a tar archive", "tar -xOf", "tar -xOf -"},
};

/* Returns PATH as a shell takes it, in QUOTED if that takes quotes. */
static const char *quote(const char *path, char quoted[QUOTE_SIZE])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./,:=@%^+-";

	if (path[strspn(path, plain)] == '\0' && *path != '\0')
		return path;
	/* A name with quotes of its own is left to the user. */
	if (strchr(path, '\'') != NULL ||
	    snprintf(quoted, QUOTE_SIZE, "'%s'", path) >= QUOTE_SIZE)
		return path;
	return quoted;
}

static void print_magic(FILE *to, const char *path, const struct magic *magic)
{
	char quoted[QUOTE_SIZE];

	if (is_stdin(path))
		fprintf(to, "%s: ... | %s", magic->is, magic->pipe_filter);
	else
		fprintf(to, "%s: %s %s", magic->is, magic->filter,
			quote(path, quoted));
	fputs(" | gtrace [flags] -\n", to);
}

static bool begins(const struct start *start, const char *bytes, size_t offset,
		   size_t size)
{
	return start->size >= offset + size &&
	       memcmp(start->bytes + offset, bytes, size) == 0;
}

bool start_is_program(const char *path)
{
	static const char *const magic[] = {
		"\177ELF",          /* Linux and most others */
		"\xcf\xfa\xed\xfe", /* macOS, 64 bits */
		"\xce\xfa\xed\xfe", /* 32 bits */
		"MZ",               /* Windows */
	};
	struct start start;
	size_t i;

	if (is_stdin(path))
		return false;
	start_read(&start, path);
	for (i = 0; i < sizeof(magic) / sizeof(magic[0]); i++)
		if (begins(&start, magic[i], 0, strlen(magic[i])))
			return true;
	return false;
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
	return (begins(start, "\n", i, 1) || begins(start, "Z", i, 1)) &&
	       begins(start, "\b", i + 2, 1);
}

static void print_program(FILE *to, const char *path, const struct start *start)
{
	/* The type of an ELF file, in either byte order. */
	static const char core_little[] = "\4\0", core_big[] = "\0\4";
	char quoted[QUOTE_SIZE];

	if (begins(start, core_little, 16, 2) || begins(start, core_big, 16, 2))
		fputs("a core dump, not a trace\n", to);
	else if (is_stdin(path))
		fputs("a program, not a trace\n", to);
	else
		fprintf(to, "a program: gtrace -binary=%s [flags] trace.out\n",
			quote(path, quoted));
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
	size_t i;

	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (begins(start, magics[i].bytes, magics[i].offset,
			   magics[i].size)) {
			print_magic(to, path, &magics[i]);
			return;
		}
	if (begins(start, "\177ELF", 0, 4))
		print_program(to, path, start);
	else if (is_profile(start))
		fputs("a profile, not a trace (go tool pprof reads it)\n", to);
	else if (start->size < HEADER_SIZE &&
		 begins(start, header, 0, sizeof(header) - 1))
		fputs("the file ends in the header of a trace: record the "
		      "trace again\n",
		      to);
	else if (is_text(start))
		print_text(to, start);
}

void start_explain(FILE *to, const char *path, const struct start *given)
{
	char quoted[QUOTE_SIZE];
	struct start start = *given;

	if (!is_stdin(path))
		start_read(&start, path);
	if (start.kind == START_DIRECTORY && !is_stdin(path))
		fprintf(to,
			"a directory: gtrace [flags] %s/* reads the files in "
			"it\n",
			quote(path, quoted));
	else if (start.kind == START_PIPE && start.size == 0)
		fputs("nothing came through the pipe\n", to);
	else if (start.kind == START_FILE && start.size == 0)
		fputs("the file is empty: record the trace again, up to the "
		      "return of trace.Stop\n",
		      to);
	else if (start.kind == START_FILE || start.kind == START_PIPE)
		print_content(to, path, &start);
}
