/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c - other programs, which are started without a shell. */
#define _POSIX_C_SOURCE 200809L

#include "tools/child.h"

#include <errno.h>
#include <stdint.h>

#include "base/platform.h"

#if !HAS_PROCESSES
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#if HAS_PROCESSES
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/*
 * Of the time in which a pipe is made and has no flag yet that keeps it from
 * programs that other threads start: a copy of its end would keep it open.
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int child_pipe(int ends[2])
{
	int code = 0, low[2], i;

	if (pipe(low) != 0)
		return errno;
	for (i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (ends[i] < 0)
			code = errno;
		close(low[i]);
	}
	for (i = 0; i < 2 && code != 0; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	return code;
}

/*
 * Starts it with the descriptors FROM as its first three. Signals reach it,
 * also where the thread that starts it takes none: child_stop() sends one.
 */
static int spawn(pid_t *pid, const char *const *arguments, const int from[3])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int code = posix_spawn_file_actions_init(&actions), i;

	if (code != 0)
		return code;
	code = posix_spawnattr_init(&attributes);
	if (code != 0) {
		posix_spawn_file_actions_destroy(&actions);
		return code;
	}
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	for (i = 0; i < 3 && code == 0; i++)
		code = posix_spawn_file_actions_adddup2(&actions, from[i], i);
	if (code == 0)
		code = posix_spawnp(pid, arguments[0], &actions, &attributes,
				    (char *const *)(uintptr_t)arguments,
				    environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

int child_start(struct child *child, const char *const *arguments, int in,
		int errors)
{
	int ends[2] = {-1, -1}, code;
	pid_t pid = 0;

	pthread_mutex_lock(&mutex);
	code = child_pipe(ends);
	if (code == 0) {
		code = spawn(&pid, arguments, (int[]){in, ends[1], errors});
		close(ends[1]);
		if (code != 0)
			close(ends[0]);
	}
	pthread_mutex_unlock(&mutex);
	*child = (struct child){.pid = pid, .out = ends[0]};
	return code;
}

void child_stop(const struct child *child)
{
	kill((pid_t)child->pid, SIGTERM);
}

int child_end(struct child *child)
{
	pid_t waited;
	int status;

	close(child->out);
	do
		waited = waitpid((pid_t)child->pid, &status, 0);
	while (waited < 0 && errno == EINTR);
	if (waited < 0 || !WIFEXITED(status))
		return CHILD_LOST;
	return WEXITSTATUS(status);
}

#else

/*
 * A host of WASI that starts programs does so where a file /.run/IN/ERRORS/
 * ARGUMENTS is opened, with \1 between arguments: its content is what the
 * program prints, and its end, where it is sought, the exit status. /.stop/FILE
 * ends the program, if anything is asked of it. Other hosts have no folder
 * /.here.
 */
int child_start(struct child *child, const char *const *arguments, int in,
		int errors)
{
	size_t size = 64, i;
	struct stat info;
	char *name;
	int fd, code;

	if (stat("/.here", &info) != 0)
		return ENOSYS;
	for (i = 0; arguments[i] != NULL; i++)
		size += strlen(arguments[i]) + 1;
	name = malloc(size);
	if (name == NULL)
		return ENOMEM;
	snprintf(name, size, "/.run/%d/%d/%s", in, errors, arguments[0]);
	for (i = 1; arguments[i] != NULL; i++) {
		strcat(name, "\1");
		strcat(name, arguments[i]);
	}
	fd = open(name, O_RDONLY);
	code = fd < 0 ? errno : 0;
	free(name);
	*child = (struct child){.out = fd};
	return code;
}

void child_stop(const struct child *child)
{
	struct stat info;
	char name[32];

	snprintf(name, sizeof(name), "/.stop/%d", child->out);
	stat(name, &info);
}

int child_end(struct child *child)
{
	const off_t lost = 255;
	off_t status = lseek(child->out, 0, SEEK_END);

	close(child->out);
	return status < 0 || status >= lost ? CHILD_LOST : (int)status;
}
#endif
