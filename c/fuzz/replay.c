/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.c - gives files to a fuzz target without a fuzzer, each in memory of
 * exactly its size, so that a sanitizer detects reads past the end.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long size;

	if (file == NULL)
		return 1;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	data = malloc((size_t)size);
	if ((data == NULL && size != 0) ||
	    fread(data, 1, (size_t)size, file) != (size_t)size)
		return 1;
	fclose(file);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (replay(argv[i]) != 0) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
	printf("%d inputs replayed\n", argc - 1);
	return argc > 1 ? 0 : 1;
}
