/* SPDX-License-Identifier: BSD-3-Clause */
/* header.h - the first line of a trace. */
#ifndef GTRACE_V2_HEADER_H_
#define GTRACE_V2_HEADER_H_

#include "v2/batch.h"

/*
 * Reads the header of the file, source->data and source->size, and sets the
 * rest of SOURCE. Fails with GTRACE_ERROR_HEADER if it is not that of a trace,
 * at the offset source->size if more bytes could complete it, and with
 * GTRACE_ERROR_VERSION if its version is none of Go 1.22 to 1.26.
 */
enum gtrace_status gti_v2_header_read(struct source *source,
				      struct gtrace_error *error);

#endif /* GTRACE_V2_HEADER_H_ */
