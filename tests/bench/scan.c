/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - the bare scan: the least work that looks at every record.
 *
 * Decodes each value of each record of an undamaged trace of Go 1.7 or later
 * and adds them up, without a check. Readers are measured against it, whole
 * process against whole process. Prints how many records there are, and the
 * sum, so that no compiler leaves the work out.
 *
 *	scan trace.out
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scan.h"

#define HEADER_BYTES 16

/* One fault a page would be the larger part of the work. */
#ifdef MAP_POPULATE
#define MAP_FLAGS (MAP_PRIVATE | MAP_POPULATE)
#else
#define MAP_FLAGS MAP_PRIVATE
#endif

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	const uint8_t *data, *p, *end;
	unsigned minor = 0;
	uint64_t sum = 0;
	uint64_t records;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < HEADER_BYTES) {
		fputs("usage: scan trace.out\n", stderr);
		return 2;
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_FLAGS, fd, 0);
	if (data == MAP_FAILED) {
		perror(argv[1]);
		return 1;
	}
	sscanf((const char *)data, "go 1.%u trace", &minor);
	p = data + HEADER_BYTES;
	end = data + st.st_size;
	records = minor < 22 ? scan1(p, end, &sum) : scan2(p, end, &sum);
	printf("%" PRIu64 " records, sum %" PRIu64 "\n", records, sum);
	return 0;
}
