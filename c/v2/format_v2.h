/* SPDX-License-Identifier: BSD-3-Clause */
/* format_v2.h - what the front end sees of the format of Go 1.22 and later. */
#ifndef GTRACE_V2_FORMAT_V2_H_
#define GTRACE_V2_FORMAT_V2_H_

#include "base/input.h"
#include "model/format.h"

/* The minor numbers of the versions that are read. */
#define V2_VERSION_LIST(X) X(22) X(23) X(25) X(26)

extern const struct format gti_format_v2;

#endif /* GTRACE_V2_FORMAT_V2_H_ */
