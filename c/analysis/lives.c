/* SPDX-License-Identifier: BSD-3-Clause */
/* lives.c - how long goroutines were in each state. */
#include "analysis/lives.h"

void gti_lives_sum(const uint64_t times[LIFE_STATES], uint64_t count,
		   struct gtrace_times *to)
{
	uint64_t lived = 0;
	unsigned i;

	for (i = LIFE_NONE + 1; i < LIFE_STATES; i++)
		lived += times[i];
	*to = (struct gtrace_times){
		.count = count,
		.lived = (int64_t)lived,
		.ran = (int64_t)times[LIFE_RUNS],
		.assisted = (int64_t)times[LIFE_ASSISTS],
		.ready = (int64_t)times[LIFE_READY],
		.lost = (int64_t)times[LIFE_LOST],
	};
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		to->blocked[i] = (int64_t)times[LIFE_BLOCKED + i];
	to->blocked[GTRACE_BLOCK_SYSCALL] += to->lost;
}
