/* SPDX-License-Identifier: BSD-3-Clause */
/* requests_parts.h - what the files that find requests share. */
#ifndef GTRACE_ANALYSIS_REQUESTS_PARTS_H_
#define GTRACE_ANALYSIS_REQUESTS_PARTS_H_

#include "analysis/blocks.h"
#include "analysis/filter.h"
#include "analysis/requests.h"

/* At most so many are kept of a goroutine. */
#define SERVINGS 8

/* A task or a region that is not over. */
struct span {
	struct span *next;   /* of the tasks or regions of the goroutine */
	struct span **link;  /* what points to it */
	struct lived *lived; /* NULL: the goroutine has ended */
	uint32_t name;
	bool is_open; /* not given back */
	bool is_task;
	bool is_lost;     /* a region whose goroutine has ended */
	struct stay stay; /* `times`: at its begin, or see `lived` */
};

/* What a goroutine does around a place where it has waited and may loop. */
struct serving {
	struct serving *next; /* of the goroutine */
	uint32_t at;          /* the place where it waits for requests */
	int64_t waits_since;  /* nanoseconds */
	bool waits;           /* for a request */
	bool serves; /* `request`, whose `times` are those at its begin */
	bool again;  /* one more wait there makes it a loop */
	struct request request;
	struct request_part parts[REQUEST_PARTS]; /* of `request` */
};

/* The life of a goroutine in full, which can serve requests. */
struct server {
	struct lived lived;       /* first: see struct lives */
	struct serving *servings; /* at different places */
	struct span *tasks;       /* that it began and are not over */
	struct span *regions;     /* likewise, the innermost one first */
};

static inline struct request_group *
requests_group(const struct requests *requests, size_t i)
{
	return (struct request_group *)requests->groups.items + i;
}

/* The root of the place with NAME. */
static inline struct loop_place *requests_root(const struct blocks *blocks,
					       uint32_t name)
{
	return &blocks_place(blocks, blocks_place(blocks, name)->root)->loop;
}

/* The group of the place with NAME. NULL: there is no memory. */
struct request_group *gti_requests_group(struct blocks *blocks, uint32_t name);

/*
 * REQUEST, which goroutine G ended, belongs to the group of the place with
 * NAME.
 */
void gti_requests_add(struct blocks *blocks, uint32_t name,
		      const struct request *request, uint64_t g);

/* STAY begins now in LIVED; or it has taken all until now. */
void gti_requests_stay(struct stay *stay, const struct lived *lived);
void gti_requests_stayed(struct stay *stay, const struct lived *lived);

/* The times of LIVED are complete up to TICKS. */
static inline void requests_bring_up(const struct blocks *blocks,
				     struct lived *lived, int64_t ticks)
{
	gti_life_goes_on(&blocks->lives, lived, lived->state,
			 clock_ns(blocks->clock, ticks));
}

/* Whether what lasts for LENGTH from BEGUN on is to count, by its times. */
static inline bool requests_choose(const struct blocks *blocks, int64_t begun,
				   int64_t length)
{
	const struct gtrace_filter *times = blocks->requests.times;

	return times == NULL ||
	       filter_chooses(times, begun, add_ns(begun, length));
}

/* The goroutine LIVED waits for the first time for SERVING, from now on. */
void gti_requests_first_wait(struct blocks *blocks, const struct lived *lived,
			     const struct serving *serving);

/* It has waited until now. */
void gti_requests_waited(struct blocks *blocks, const struct lived *lived,
			 const struct serving *serving);

/* It ends now, or the trace does. */
void gti_requests_last(struct blocks *blocks, const struct lived *lived,
		       const struct serving *serving);

/*
 * For how long requests of GROUP may have been served that did not begin, or
 * end, in the trace. They are not much longer than the others.
 */
uint64_t gti_requests_edge_time(const struct request_group *group);

/* Leaves only the MOST longest requests of GROUP, in order. */
void gti_requests_cut(struct request_group *group, size_t most,
		      const struct gtrace_allocator *memory);

/* Forgets what is not over. */
void gti_requests_forget_open(struct requests *requests,
			      const struct gtrace_allocator *memory);

#endif /* GTRACE_ANALYSIS_REQUESTS_PARTS_H_ */
