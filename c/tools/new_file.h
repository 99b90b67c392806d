/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * new_file.h - a file that is there under its name only when it is whole: it is
 * written under another name in the same folder first. A process has one at a
 * time. If the process is ended meanwhile, by a signal that can be caught, the
 * other file is removed.
 */
#ifndef GTRACE_TOOLS_NEW_FILE_H_
#define GTRACE_TOOLS_NEW_FILE_H_

#include <stddef.h>

/* Writes SIZE bytes at DATA to FD. Returns 0 or an errno. */
int write_all(int fd, const void *data, size_t size);

/*
 * Begins the file PATH, which must live as long as the file. These functions
 * return 0 or an errno.
 */
int new_file_begin(const char *path);

/* Adds SIZE bytes at DATA to it. */
int new_file_write(const void *data, size_t size);

/* Ends writing. Returns the name that the file has, or NULL, with errno set. */
const char *new_file_end(void);

/* The file gets its name, and replaces one that had it. */
int new_file_keep(void);

/* Removes what was written, if there is anything. */
void new_file_remove(void);

#endif /* GTRACE_TOOLS_NEW_FILE_H_ */
