// SPDX-License-Identifier: BSD-3-Clause
//
// header_test.cc - the public header and the library serve C++ as well.
#include <gtrace/gtrace.h>

#include <cstring>

int main()
{
	gtrace *trace;
	gtrace_error error;

	if (std::strcmp(gtrace_version(), GTRACE_VERSION) != 0)
		return 1;
	if (gtrace_open_memory("", 0, nullptr, &trace, &error) !=
	    GTRACE_ERROR_HEADER)
		return 1;
	return std::strcmp(gtrace_status_string(error.status),
			   "not a trace, or its header is short");
}
