/* SPDX-License-Identifier: BSD-3-Clause */
/* text_file.c - files of text beside a trace, which are read whole. */
#include "base/text_file.h"

#include "base/fail.h"
#include "base/guard.h"

enum gtrace_status gti_read_text_file(const char *path,
				      const struct gtrace_allocator *memory,
				      text_reader *read, void *self,
				      struct gtrace_error *error)
{
	struct gtrace_error fault;
	struct input input;
	struct guard guard;
	enum gtrace_status status =
		gti_input_path(&input, path, NULL, memory, &fault);

	if (status == GTRACE_ERROR_MEMORY)
		return gti_fail_memory(error);
	if (status != GTRACE_OK)
		return gti_fail_system(error, status, 0, fault.system_error,
				       "%s", path);
	gti_guard_enter(&guard, &input);
	status = read(self, path, (const char *)input.data, input.size, error);
	status = gti_guard_leave(&guard, status, error);
	gti_input_close(&input);
	return status;
}
