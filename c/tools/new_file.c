/* SPDX-License-Identifier: BSD-3-Clause */
/* new_file.c - a file that has its name only when it is whole. */
#define _POSIX_C_SOURCE   200809L
#define _XOPEN_SOURCE     700 /* SIGXFSZ */
#define _FILE_OFFSET_BITS 64

#include "tools/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/platform.h"

#if HAS_SIGNALS
#include <signal.h>
#endif

/* At most so many files are left of processes that were killed. */
#define NAMES_MAX 1000

static struct {
	const char *path;
	char *name; /* under which it is written */
	int fd;     /* -1: it is not open */
} file = {.fd = -1};

/* --------------------------------------------------------------- signals -- */

#if HAS_SIGNALS

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};

/* What the handler removes. NULL: nothing. */
static char *volatile to_remove;

static void end_process(int signal_number)
{
	if (to_remove != NULL)
		unlink(to_remove);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Catches the signals that end the process, unless they are ignored. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = end_process}, before;
	size_t i;

	sigemptyset(&action.sa_mask);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sigaction(ending[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			sigaction(ending[i], &action, NULL);
	/* Then a file beyond the limit is an error. */
	signal(SIGXFSZ, SIG_IGN);
}

static void hold_signals(sigset_t *before)
{
	sigset_t held;
	size_t i;

	sigemptyset(&held);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&held, ending[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

#endif

/* ---------------------------------------------------------------- naming -- */

/* Opens the file under a name that no other file has. Returns -1 if it fails.
 */
static int open_other(char *name, size_t size, const char *path)
{
	unsigned i;
	int fd = -1;

	for (i = 0; i < NAMES_MAX && fd < 0; i++) {
		snprintf(name, size, "%s.part%u", path, i);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

int new_file_begin(const char *path)
{
	size_t size = strlen(path) + sizeof(".part1000");
	int code = 0;
#if HAS_SIGNALS
	sigset_t before;

	catch_signals();
	hold_signals(&before);
#endif
	file.path = path;
	file.name = malloc(size);
	if (file.name == NULL)
		code = ENOMEM;
	else if ((file.fd = open_other(file.name, size, path)) < 0)
		code = errno;
	if (code != 0) {
		free(file.name);
		file.name = NULL;
	}
#if HAS_SIGNALS
	to_remove = file.name;
	sigprocmask(SIG_SETMASK, &before, NULL);
#endif
	return code;
}

/* The file is not there any more under the name that it was written under. */
static void forget(void)
{
#if HAS_SIGNALS
	to_remove = NULL;
#endif
	free(file.name);
	file.name = NULL;
}

/* --------------------------------------------------------------- writing -- */

int write_all(int fd, const void *data, size_t size)
{
	const char *bytes = data;
	ssize_t n;

	while (size > 0) {
		n = write(fd, bytes, size);
		if (n < 0 && errno != EINTR)
			return errno;
		if (n == 0)
			return ENOSPC;
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

int new_file_write(const void *data, size_t size)
{
	return write_all(file.fd, data, size);
}

const char *new_file_end(void)
{
	int fd = file.fd;

	file.fd = -1;
	return close(fd) == 0 ? file.name : NULL;
}

int new_file_keep(void)
{
	if (rename(file.name, file.path) != 0)
		return errno;
	forget();
	return 0;
}

void new_file_remove(void)
{
	if (file.fd >= 0)
		close(file.fd);
	file.fd = -1;
	if (file.name == NULL)
		return;
	unlink(file.name);
	forget();
}
