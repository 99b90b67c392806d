/* SPDX-License-Identifier: BSD-3-Clause */
/* list.h - the file of -files-from, which has a name on each line. */
#ifndef GTRACE_TOOLS_LIST_H_
#define GTRACE_TOOLS_LIST_H_

/*
 * Gives ADD, which adds it to settings.files, each name in the file
 * settings.files_from. Ends the command if that is no list of names.
 */
void list_read(void (*add)(const char *name));

#endif /* GTRACE_TOOLS_LIST_H_ */
