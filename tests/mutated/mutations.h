/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mutations.h - traces that are recorded, generated or made record by record,
 * and changed at random: each is made from its number alone.
 *
 * Many of them are accepted. They have what a program does not write: ids near
 * 2^63 and 2^64, equal times and times of years, generations that are moved,
 * doubled or numbered anew, batches elsewhere, reasons and strings of any kind.
 */
#ifndef GTRACE_TESTS_MUTATED_MUTATIONS_H_
#define GTRACE_TESTS_MUTATED_MUTATIONS_H_

#include <stddef.h>
#include <stdint.h>

#include "tests/bytes.h"

/*
 * Makes trace NUMBER in B, which is opened. It depends on the traces of
 * testdata, if the program runs in the root of the repository.
 */
void make_mutated(struct builder *b, uint64_t number);

/* A value that is small, near a power of two, or any. */
uint64_t hostile_value(uint64_t *seed);

/*
 * Appends to TO a changed copy of FROM: up to Go 1.21, and from Go 1.22 on.
 * What is no trace is copied.
 */
void mutate_v1(struct builder *to, const struct builder *from, uint64_t *seed);
void mutate_v2(struct builder *to, const struct builder *from, uint64_t *seed);

/* Appends a trace of Go 1.22 or later that a random walk makes. */
void walk_v2(struct builder *to, uint64_t *seed);

/* Moves P over a value and returns it; P is END if there is none. */
uint64_t take_value(const uint8_t **p, const uint8_t *end);

#endif /* GTRACE_TESTS_MUTATED_MUTATIONS_H_ */
