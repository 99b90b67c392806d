/* SPDX-License-Identifier: BSD-3-Clause */
/* format_v2.h - what the front end sees of the format of Go 1.22 and later. */
#ifndef GTRACE_V2_FORMAT_V2_H_
#define GTRACE_V2_FORMAT_V2_H_

#include "base/input.h"
#include "model/format.h"

/* Whether INPUT begins like a trace of Go 1.22 or later. */
bool gti_v2_is_trace(const struct input *input);

extern const struct format gti_format_v2;

#endif /* GTRACE_V2_FORMAT_V2_H_ */
