/* SPDX-License-Identifier: BSD-3-Clause */
/* traces.h - all traces of testdata, one after the other. */
#ifndef GTRACE_TESTS_TRACES_H_
#define GTRACE_TESTS_TRACES_H_

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Calls CHECK for each trace in the folder PATH. Returns their number. */
static inline size_t each_trace_in(const char *path,
				   void (*check)(const char *path))
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	char name[512];
	size_t count = 0, size;

	if (folder == NULL)
		return 0;
	while ((entry = readdir(folder)) != NULL) {
		size = strlen(entry->d_name);
		if (size < 6 || strcmp(entry->d_name + size - 6, ".trace") != 0)
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		check(name);
		count++;
	}
	closedir(folder);
	return count;
}

/* Calls CHECK for each trace of testdata. Returns their number. */
static inline size_t each_trace(void (*check)(const char *path))
{
	static const char *const folders[] = {
		"testdata",
		"testdata/attack",
		"testdata/go1.19-small",
		"testdata/go1.21-small",
		"testdata/go1.22-small",
		"testdata/go1.23-small",
		"testdata/go1.24-small",
		"testdata/go1.26-small",
		"testdata/go1.27-small",
		"testdata/go1.8-small",
		"testdata/paths",
		"testdata/stops",
	};
	size_t count = 0, i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		count += each_trace_in(folders[i], check);
	return count;
}

#endif /* GTRACE_TESTS_TRACES_H_ */
