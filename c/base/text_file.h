/* SPDX-License-Identifier: BSD-3-Clause */
/* text_file.h - files of text beside a trace, which are read whole. */
#ifndef GTRACE_BASE_TEXT_FILE_H_
#define GTRACE_BASE_TEXT_FILE_H_

#include "base/memory.h"

/* Takes the SIZE bytes at TEXT, all of the file PATH, into SELF. */
typedef enum gtrace_status text_reader(void *self, const char *path,
				       const char *text, size_t size,
				       struct gtrace_error *error);

/*
 * Has READ take the file at PATH. Returns what READ does, or fills in ERROR if
 * the file cannot be read, or only in part.
 */
enum gtrace_status gti_read_text_file(const char *path,
				      const struct gtrace_allocator *memory,
				      text_reader *read, void *self,
				      struct gtrace_error *error);

#endif /* GTRACE_BASE_TEXT_FILE_H_ */
