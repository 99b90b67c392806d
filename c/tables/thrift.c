/* SPDX-License-Identifier: BSD-3-Clause */
/* thrift.c - structs in the compact protocol of Apache Thrift. */
#include "tables/thrift.h"

#include <string.h>

void thrift_begin(struct thrift *thrift, unsigned number, enum thrift_type type)
{
	bytes_add_byte(thrift->to,
		       (number - thrift->last) << 4 | (unsigned)type);
	thrift->last = number;
}

void thrift_int(struct thrift *thrift, unsigned number, enum thrift_type type,
		int64_t value)
{
	thrift_begin(thrift, number, type);
	bytes_add_zigzag(thrift->to, value);
}

void thrift_binary(struct thrift *thrift, unsigned number, const void *data,
		   size_t size)
{
	thrift_begin(thrift, number, THRIFT_BINARY);
	bytes_add_varint(thrift->to, size);
	bytes_add(thrift->to, data, size);
}

void thrift_text(struct thrift *thrift, unsigned number, const char *text)
{
	thrift_binary(thrift, number, text, strlen(text));
}

void thrift_list(struct thrift *thrift, unsigned number, enum thrift_type type,
		 size_t count)
{
	const unsigned most = 15; /* a count that is written with the type */

	thrift_begin(thrift, number, THRIFT_LIST);
	if (count < most) {
		bytes_add_byte(thrift->to, (unsigned)count << 4 | type);
		return;
	}
	bytes_add_byte(thrift->to, most << 4 | type);
	bytes_add_varint(thrift->to, count);
}

struct thrift thrift_open(struct thrift *thrift, unsigned number)
{
	thrift_begin(thrift, number, THRIFT_STRUCT);
	return (struct thrift){.to = thrift->to};
}

void thrift_end(struct thrift *thrift)
{
	bytes_add_byte(thrift->to, 0);
}

void thrift_empty(struct thrift *thrift, unsigned number)
{
	struct thrift empty = thrift_open(thrift, number);

	thrift_end(&empty);
}
