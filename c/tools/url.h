/* SPDX-License-Identifier: BSD-3-Clause */
/* url.h - addresses at which programs give traces of themselves. */
#ifndef GTRACE_TOOLS_URL_H_
#define GTRACE_TOOLS_URL_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether TEXT is the address of a program, and not the name of a file: it
 * begins with http:// or https://, or is HOST:PORT, with or without a path.
 */
bool url_is_one(const char *text);

/* Whether TEXT, which is one, says for how many seconds to record. */
bool url_has_seconds(const char *text);

/*
 * Returns what is to be fetched for TEXT, which is one: with http:// if it has
 * no scheme, with the path and the query of net/http/pprof, for SECONDS, if it
 * has none, and with %XX for bytes that are not those of an URL. The caller
 * frees it. SECONDS of 0 leave the query of TEXT as it is, and are 5 where it
 * has none. NULL: out of memory.
 */
char *url_complete(const char *text, size_t seconds);

/*
 * Writes the host and the port of URL, which is complete, to the SIZE bytes at
 * TO, as they can be in the name of a file.
 */
void url_host(const char *url, char *to, size_t size);

#endif /* GTRACE_TOOLS_URL_H_ */
