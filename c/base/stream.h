/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - an input that comes while it is read: a pipe, say.
 *
 * What has come is kept in a file without a name, which is mapped from the
 * beginning with address space for all that may follow. So bytes keep their
 * address, pages that are needed no more leave memory, and later passes find
 * all of them. Where there can be no such file, or the address space is too
 * small, what has come moves in memory as it grows: then it has to be read to
 * its end before a format looks at it, see gti_stream_moves().
 */
#ifndef GTRACE_BASE_STREAM_H_
#define GTRACE_BASE_STREAM_H_

#include "base/input.h"

struct stream;

/*
 * Fills INPUT with what GIVEN gives, of which nothing has been read yet. NAME
 * is its name in messages. GIVEN->close is called by this function if it
 * fails, when the input has ended, or by gti_input_close(). Errors:
 * GTRACE_ERROR_MEMORY.
 */
enum gtrace_status gti_stream_open(struct input *input,
				   const struct gtrace_stream *given,
				   const char *name,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error);

/* Whether input->data changes when more is read. */
bool gti_stream_moves(const struct stream *stream);

/* Whether its reader was interrupted: there would have been more. */
bool gti_stream_is_short(const struct stream *stream);

/* Frees the stream of INPUT, but not what it has read. */
void gti_stream_free(struct input *input);

#endif /* GTRACE_BASE_STREAM_H_ */
