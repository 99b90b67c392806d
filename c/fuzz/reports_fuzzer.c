/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reports_fuzzer.c - makes every report in every format of any file, also of
 * what -partial has of it, and checks their sums: see every_report.h.
 */
#include "fuzz/fuzz.h"
#include "tests/mutated/every_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	make_every_report(data, size, size);
	return 0;
}
