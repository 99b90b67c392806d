/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate.c - writes a synthetic trace to a file.
 *
 *	generate -events=10000000 -procs=8 -out=eight.trace
 *
 * Prints how many events it has.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/synthetic.h"

static const char usage[] =
	"usage: generate [-version=1008] [-events=N] [-procs=N]\n"
	"                [-goroutines=N] [-churn=N] [-ties=N] [-futile=N]\n"
	"                [-seed=N] -out=FILE\n"
	"  -version     1005 to 1021, as in the header: 1008 for Go 1.8\n"
	"  -events      how many, roughly\n"
	"  -procs       processors\n"
	"  -goroutines  goroutines that live all the time\n"
	"  -churn       goroutines that are created, run and end\n"
	"  -ties        one event in N is at the same ticks as another's\n"
	"  -futile      one start in N is after a futile wakeup, up to Go 1.8\n"
	"  -out         the file, - for standard output\n";

static void write_file(void *context, const void *data, size_t size)
{
	if (fwrite(data, 1, size, context) != size) {
		perror("generate");
		exit(1);
	}
}

/* Reads "-NAME=VALUE", and says whether ARGUMENT is of that name. */
static bool number(const char *argument, const char *name, uint64_t *value)
{
	size_t length = strlen(name);
	char *end;

	if (strncmp(argument, name, length) != 0 || argument[length] != '=')
		return false;
	errno = 0;
	*value = strtoull(argument + length + 1, &end, 10);
	return errno == 0 && *end == '\0' && argument[length + 1] != '\0';
}

static bool parse(char **arguments, struct synthetic_options *o,
		  const char **out)
{
	uint64_t v;

	for (; *arguments != NULL; arguments++) {
		if (number(*arguments, "-version", &v))
			o->version = (unsigned)v;
		else if (number(*arguments, "-events", &v))
			o->events = v;
		else if (number(*arguments, "-procs", &v))
			o->processors = (uint32_t)v;
		else if (number(*arguments, "-goroutines", &v))
			o->goroutines = (uint32_t)v;
		else if (number(*arguments, "-churn", &v))
			o->churn = v;
		else if (number(*arguments, "-ties", &v))
			o->ties = (uint32_t)v;
		else if (number(*arguments, "-futile", &v))
			o->futile = (uint32_t)v;
		else if (number(*arguments, "-seed", &v))
			o->seed = v;
		else if (strncmp(*arguments, "-out=", 5) == 0)
			*out = *arguments + 5;
		else
			return false;
	}
	return *out != NULL && o->processors > 0 && o->goroutines > 0 &&
	       o->version >= 1005 && o->version <= 1021;
}

int main(int argc, char **argv)
{
	struct synthetic_options options = {
		.version = 1008,
		.events = 1000000,
		.processors = 4,
		.goroutines = 100,
		.seed = 1,
		.write = write_file,
	};
	const char *out = NULL;
	FILE *file;
	uint64_t events;

	if (argc < 1 || !parse(argv + 1, &options, &out)) {
		fputs(usage, stderr);
		return 2;
	}
	file = strcmp(out, "-") == 0 ? stdout : fopen(out, "wb");
	if (file == NULL) {
		perror(out);
		return 1;
	}
	options.context = file;
	events = synthetic_trace(&options);
	if (fclose(file) != 0) {
		perror(out);
		return 1;
	}
	fprintf(stderr, "%" PRIu64 " events\n", events);
	return 0;
}
