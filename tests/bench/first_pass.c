/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * first_pass.c - opens a trace and closes it again, which is the first of the
 * two passes over it and nothing else.
 *
 *	first_pass trace.out
 */
#include <stdio.h>

#include <gtrace/gtrace.h>

int main(int argc, char **argv)
{
	struct gtrace_error error;
	struct gtrace *trace;

	if (argc != 2) {
		fputs("usage: first_pass trace.out\n", stderr);
		return 2;
	}
	if (gtrace_open_path(argv[1], NULL, &trace, &error) != GTRACE_OK) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	gtrace_close(trace);
	return 0;
}
