/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - names in place of those that tell something: of the same length,
 * and the same one for the same name and salt.
 */
#ifndef GTRACE_EDIT_NAMES_H_
#define GTRACE_EDIT_NAMES_H_

#include "model/renaming.h"

/* From a salt. Without it, names cannot be tried out. */
struct name_key {
	uint64_t words[2];
};

struct name_key gti_name_key(const char *salt);

/* See struct renaming, whose context is a struct name_key. */
bool gti_name_is_standard(struct gtrace_string function);
void gti_name_replace(const void *key, enum text_role role, uint8_t *text,
		      size_t size);

/* Whether PATH is the import path of a package of the standard library. */
bool gti_is_standard_package(struct gtrace_string path);

/* Whether TEXT is one that the runtime writes, such as a reason of a block. */
bool gti_is_runtime_text(struct gtrace_string text);

#endif /* GTRACE_EDIT_NAMES_H_ */
