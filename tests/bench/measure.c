/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.c - runs a command several times, its output going to /dev/null.
 *
 *	measure RUNS COMMAND [ARGUMENT...]
 *
 * Prints one line: the least time of RUNS runs, from fork to exit, in seconds;
 * the least processor time, user and system together, in seconds; and the peak
 * of anonymous memory in KiB. The last is read from /proc/PID/status five
 * times a millisecond in one more run, which is not timed, so that the looking
 * slows nothing down that counts. It misses what comes and goes between two
 * looks.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 200000

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

static pid_t begin(char **command)
{
	pid_t child = fork();
	int fd;

	if (child < 0)
		give_up("fork");
	if (child > 0)
		return child;
	fd = open("/dev/null", O_WRONLY);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		give_up("/dev/null");
	execvp(command[0], command);
	give_up(command[0]);
	return -1;
}

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void check(int status, char **command)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	fprintf(stderr, "measure: %s failed\n", command[0]);
	exit(1);
}

/* The wall-clock time of one run, and the processor time. */
static double run(char **command, double *processor)
{
	double start = seconds_now();
	pid_t child = begin(command);
	struct rusage usage;
	double wall;
	int status;

	if (wait4(child, &status, 0, &usage) < 0)
		give_up("wait4");
	wall = seconds_now() - start;
	check(status, command);
	*processor = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	return wall;
}

/* What /proc says that CHILD has, or 0. */
static long anonymous_kib(pid_t child)
{
	char path[64], line[128];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)child);
	f = fopen(path, "r");
	if (f == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "RssAnon:", 8) == 0)
			kib = strtol(line + 8, NULL, 10);
	fclose(f);
	return kib;
}

static long peak_kib(char **command)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	pid_t child = begin(command);
	long kib, peak = 0;
	int status;

	while (waitpid(child, &status, WNOHANG) == 0) {
		kib = anonymous_kib(child);
		if (kib > peak)
			peak = kib;
		nanosleep(&pause, NULL);
	}
	check(status, command);
	return peak;
}

int main(int argc, char **argv)
{
	double wall, processor, best = 0, best_processor = 0;
	int runs = argc > 2 ? atoi(argv[1]) : 0;
	int i;

	if (runs < 1) {
		fputs("usage: measure RUNS COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	for (i = 0; i < runs; i++) {
		wall = run(argv + 2, &processor);
		if (i == 0 || wall < best)
			best = wall;
		if (i == 0 || processor < best_processor)
			best_processor = processor;
	}
	printf("%.6f %.6f %ld\n", best, best_processor, peak_kib(argv + 2));
	return 0;
}
