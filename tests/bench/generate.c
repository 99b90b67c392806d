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
	"  -burst       steps of one processor before another's, on average;\n"
	"               otherwise 1, from 1022 on 4\n"
	"  -samples     one step in N is followed by a CPU sample, from 1019 "
	"on\n"
	"  -out         the file, - for standard output\n"
	"up to 1021:\n"
	"  -ties        one event in N is at the same ticks as another's\n"
	"  -futile      one start in N is after a futile wakeup, up to Go 1.8\n"
	"from 1022 on:\n"
	"  -generation  events of a generation, roughly\n";

struct options {
	uint64_t version, events, processors, goroutines, churn, seed;
	uint64_t ties, futile;
	uint64_t generation, threads, burst, samples;
	const char *out;
};

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

static bool parse_one(const char *argument, struct options *o)
{
	const struct {
		const char *name;
		uint64_t *value;
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

	if (strncmp(argument, "-out=", 5) == 0) {
		o->out = argument + 5;
		return true;
	}
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (number(argument, numbers[i].name, numbers[i].value))
			return true;
	return false;
}

static bool is_version(uint64_t version)
{
	return version >= 1005 && version <= 1026 && version != 1024;
}

static bool parse(char **arguments, struct options *o)
{
	for (; *arguments != NULL; arguments++)
		if (!parse_one(*arguments, o))
			return false;
	return o->out != NULL && o->processors > 0 && o->goroutines > 0 &&
	       is_version(o->version);
}

static uint64_t write_trace(const struct options *o, FILE *file)
{
	uint64_t few = o->version < GENERATOR_FIRST_OF_V2 ? 1 : 4;
	uint64_t burst = o->burst == 0 ? few : o->burst;
	const struct generator_options options = {
		.version = (unsigned)o->version,
		.events = o->events,
		.processors = (uint32_t)o->processors,
		.threads = (uint32_t)o->threads,
		.goroutines = (uint32_t)o->goroutines,
		.churn = o->churn,
		.burst = (uint32_t)burst,
		.samples = (uint32_t)o->samples,
		.ties = (uint32_t)o->ties,
		.futile = (uint32_t)o->futile,
		.generation = o->generation,
		.seed = o->seed,
		.write = write_file,
		.context = file,
	};

	return generate_trace(&options);
}

int main(int argc, char **argv)
{
	struct options options = {
		.version = 1008,
		.events = 1000000,
		.processors = 4,
		.goroutines = 100,
		.seed = 1,
		.generation = 2000000,
	};
	uint64_t events;
	FILE *file;

	if (argc < 1 || !parse(argv + 1, &options)) {
		fputs(usage, stderr);
		return 2;
	}
	file = strcmp(options.out, "-") == 0 ? stdout
					     : fopen(options.out, "wb");
	if (file == NULL) {
		perror(options.out);
		return 1;
	}
	events = write_trace(&options, file);
	if (fclose(file) != 0) {
		perror(options.out);
		return 1;
	}
	fprintf(stderr, "%" PRIu64 " events\n", events);
	return 0;
}
