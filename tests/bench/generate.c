/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate.c - writes a synthetic trace to a file.
 *
 *	generate -version=1026 -events=10000000 -procs=8 -out=eight.trace
 *
 * Prints how many events it has (tests/generator.h).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator.h"

static const char usage[] =
	"usage: generate [-version=1008] [-events=N] [-procs=N]\n"
	"                [-goroutines=N] [-churn=N] [-seed=N] -out=FILE\n"
	"  -version     as in the header: 1005 to 1021, 1022, 1023, 1025 or\n"
	"               1026; 1008 for Go 1.8\n"
	"  -events      how many, roughly\n"
	"  -procs       processors\n"
	"  -goroutines  goroutines that live all the time\n"
	"  -churn       goroutines that are created, run and end\n"
	"  -threads     threads; most of those beyond three a processor are "
	"in\n"
	"               system calls\n"
	"  -burst       steps of one processor before another's, on average\n"
	"  -samples     one step in N is followed by a CPU sample, from 1019 "
	"on\n"
	"  -out         the file, - for standard output\n"
	"up to 1021:\n"
	"  -ties        one event in N is at the same ticks as another's\n"
	"  -futile      one start in N is after a futile wakeup, up to Go 1.8\n"
	"from 1022 on:\n"
	"  -generation  events of a generation, roughly\n";

static void write_file(void *context, const void *data, size_t size)
{
	if (fwrite(data, 1, size, context) != size) {
		perror("generate");
		exit(1);
	}
}

/* Reads "-NAME=VALUE", and says whether ARGUMENT is of that name. */
static bool number(const char *argument, const char *name, uint32_t *value)
{
	size_t length = strlen(name);
	unsigned long n;
	char *end;

	if (strncmp(argument, name, length) != 0 || argument[length] != '=')
		return false;
	errno = 0;
	n = strtoul(argument + length + 1, &end, 10);
	*value = (uint32_t)n;
	return errno == 0 && *end == '\0' && argument[length + 1] != '\0' &&
	       n <= UINT32_MAX;
}

static bool parse_one(const char *argument, struct generator_options *o)
{
	const struct {
		const char *name;
		uint32_t *value;
	} numbers[] = {
		{"-version", &o->version},
		{"-events", &o->events},
		{"-procs", &o->processors},
		{"-goroutines", &o->goroutines},
		{"-churn", &o->churn},
		{"-seed", &o->seed},
		{"-ties", &o->ties},
		{"-futile", &o->futile},
		{"-generation", &o->generation},
		{"-threads", &o->threads},
		{"-burst", &o->burst},
		{"-samples", &o->samples},
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (number(argument, numbers[i].name, numbers[i].value))
			return true;
	return false;
}

/* Without the file, which OUT becomes. */
static bool parse(char **arguments, struct generator_options *o,
		  const char **out)
{
	for (; *arguments != NULL; arguments++)
		if (strncmp(*arguments, "-out=", 5) == 0)
			*out = *arguments + 5;
		else if (!parse_one(*arguments, o))
			return false;
	return *out != NULL && o->processors > 0 && o->goroutines > 0 &&
	       o->version >= 1005 && o->version <= 1026 && o->version != 1024;
}

int main(int argc, char **argv)
{
	struct generator_options options = {
		.version = 1008,
		.events = 1000000,
		.processors = 4,
		.goroutines = 100,
		.seed = 1,
		.generation = 2000000,
		.write = write_file,
	};
	const char *out = NULL;
	uint64_t events;
	FILE *file;

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
	events = generate_trace(&options);
	if (fclose(file) != 0) {
		perror(out);
		return 1;
	}
	fprintf(stderr, "%" PRIu64 " events\n", events);
	return 0;
}
