/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - the bare scan: the least work that looks at every record.
 *
 * Decodes each value of each record of an undamaged trace of Go 1.7 to 1.21
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

#include "v1/table.h"

#define HEADER_BYTES 16

/* One fault a page would be the larger part of the work. */
#ifdef MAP_POPULATE
#define MAP_FLAGS (MAP_PRIVATE | MAP_POPULATE)
#else
#define MAP_FLAGS MAP_PRIVATE
#endif

static inline const uint8_t *value(const uint8_t *p, uint64_t *v)
{
	uint64_t sum = *p & 0x7f;
	unsigned shift = 7;

	for (; *p++ & 0x80; shift += 7)
		sum |= (uint64_t)(*p & 0x7f) << shift;
	*v = sum;
	return p;
}

/* The record at P, of which the first byte says that its length follows. */
static const uint8_t *scan_long(const uint8_t *p, uint64_t *sum)
{
	unsigned type = *p++ & 63;
	const uint8_t *end;
	uint64_t v;

	p = value(p, &v);
	for (end = p + v; p < end; *sum += v)
		p = value(p, &v);
	if (type != EV_USER_LOG)
		return p;
	p = value(p, &v);
	return p + v;
}

static const uint8_t *scan_string(const uint8_t *p, uint64_t *sum)
{
	uint64_t v;

	p = value(p + 1, &v);
	*sum += v;
	p = value(p, &v);
	return p + v;
}

static uint64_t scan(const uint8_t *p, const uint8_t *end, uint64_t *sum)
{
	uint64_t records = 0;
	uint64_t v;
	unsigned n;

	for (; p < end; records++) {
		if ((*p & 63) == EV_STRING) {
			p = scan_string(p, sum);
		} else if (*p >> 6 == 3) {
			p = scan_long(p, sum);
		} else {
			for (n = (*p++ >> 6) + 1u; n > 0; n--) {
				p = value(p, &v);
				*sum += v;
			}
		}
	}
	return records;
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	uint64_t sum = 0;
	uint64_t records;
	struct stat st;
	const uint8_t *data;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < HEADER_BYTES) {
		fputs("usage: scan trace.out\n", stderr);
		return 2;
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_FLAGS, fd, 0);
	if (data == MAP_FAILED) {
		perror(argv[1]);
		return 1;
	}
	records = scan(data + HEADER_BYTES, data + st.st_size, &sum);
	printf("%" PRIu64 " records, sum %" PRIu64 "\n", records, sum);
	return 0;
}
