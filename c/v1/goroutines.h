/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goroutines.h - goroutines by id, with what the order of events needs to know
 * of each.
 *
 * The table holds the goroutines that live. One that has ended is forgotten
 * but for its id, in a set where a long range of ids costs next to nothing:
 * ids are never used again, and an event that from one again must wait for
 * ever.
 */
#ifndef GTRACE_V1_GOROUTINES_H_
#define GTRACE_V1_GOROUTINES_H_

#include "base/idset.h"
#include "base/memory.h"
#include "model/event.h"
#include "v1/table.h"
#include "v1/rules.h"

/* An id whose events the reference's merge puts in no order. */
#define ID_UNORDERED UINT64_MAX

/* The sequence number and state that the order of events follows. */
struct ordered_goroutine {
	uint64_t id;
	uint64_t sequence;
	int64_t blocked_ticks; /* its last GoSysBlock or GoInSyscall, or 0 */
	uint32_t slot;
	uint32_t next_free;
	uint32_t pinned;    /* events at the head of a stream that ask for it */
	uint32_t waiting;   /* of these, the ones that wait */
	uint8_t state;      /* enum order_state */
	uint8_t in_syscall; /* its last change of state was one of those */
};

struct goroutines {
	const struct gtrace_allocator *memory;
	struct chunks slots; /* struct ordered_goroutine */
	/* By hash, open addressing; NULL: free. */
	struct ordered_goroutine **table;
	uint32_t mask;       /* places in the table, less one */
	unsigned shift;      /* a hash's top bits are the place in it */
	uint64_t multiplier; /* odd, another one in each process */
	uint32_t used;       /* slots ever given out */
	uint32_t live;
	uint32_t free_list; /* SLOT_NONE: empty */
	struct idset ended;
	bool forget; /* give out slots again */
};

/*
 * Slot 0 becomes goroutine 0. FORGET: slots of goroutines that ended may be
 * given out again. Returns false if there is no memory.
 */
bool gti_goroutines_init(struct goroutines *goroutines, bool forget,
			 const struct gtrace_allocator *memory);

void gti_goroutines_free(struct goroutines *goroutines);

static inline struct ordered_goroutine *
goroutine_at(const struct goroutines *goroutines, uint32_t slot)
{
	return chunks_at(&goroutines->slots, slot,
			 sizeof(struct ordered_goroutine));
}

/* Gives a goroutine that is not in the table a slot; see goroutines_find. */
bool gti_goroutines_add(struct goroutines *goroutines, uint64_t id,
			struct ordered_goroutine **added);

static inline uint32_t goroutines_home(const struct goroutines *goroutines,
				       uint64_t id)
{
	return (uint32_t)((id * goroutines->multiplier) >> goroutines->shift);
}

/* Goroutine ID, or NULL if it is not in the table. */
static ALWAYS_INLINE struct ordered_goroutine *
goroutines_look(const struct goroutines *goroutines, uint64_t id)
{
	uint32_t at = goroutines_home(goroutines, id);
	struct ordered_goroutine *found;

	while ((found = goroutines->table[at]) != NULL) {
		if (LIKELY(found->id == id))
			break;
		at = (at + 1) & goroutines->mask;
	}
	return found;
}

/*
 * Finds goroutine ID, gives it a slot if it is not known, and sets *FOUND to
 * it, or to NULL if it has ended and was forgotten. Returns false if there is
 * no memory.
 */
static inline bool goroutines_find(struct goroutines *goroutines, uint64_t id,
				   struct ordered_goroutine **found)
{
	*found = goroutines_look(goroutines, id);
	if (*found != NULL)
		return true;
	return gti_goroutines_add(goroutines, id, found);
}

/* The slot of what was found. */
static inline uint32_t slot_of(const struct ordered_goroutine *goroutine)
{
	return LIKELY(goroutine != NULL) ? goroutine->slot : SLOT_NONE;
}

/*
 * The goroutine in SLOT has ended. Forgets it, if that is wanted and if no
 * event at the head of a stream asks for it. Returns false if there is no
 * memory.
 */
bool gti_goroutines_end(struct goroutines *goroutines, uint32_t slot);

#endif /* GTRACE_V1_GOROUTINES_H_ */
