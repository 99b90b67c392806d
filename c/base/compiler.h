/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler.h - all compiler extensions. */
#ifndef GTRACE_BASE_COMPILER_H_
#define GTRACE_BASE_COMPILER_H_

#include <stdint.h>
#include <string.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Makes optimized code rely on X. */
#define ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())

#define NOINLINE __attribute__((noinline))
/*
 * The functions that take nearly all the time start at a cache line, so that
 * their speed does not depend on the code linked before them.
 */
#define HOT __attribute__((aligned(64)))

/* Forced under sanitizers, gcc takes half a minute for v2/turns.c. */
#ifdef SANITIZED
#define ALWAYS_INLINE inline
#else
#define ALWAYS_INLINE inline __attribute__((always_inline))
#endif

/*
 * For a thread-local variable that a signal handler reads: it is found without
 * a call, which in a shared object could allocate memory.
 */
#define INITIAL_EXEC __attribute__((tls_model("initial-exec")))

#define PRINTF_LIKE(string, first)                                             \
	__attribute__((__format__(__printf__, string, first)))

/* Returns the position of the lowest set bit of V, which is not 0. */
static inline unsigned lowest_bit(uint64_t v)
{
	return (unsigned)__builtin_ctzll(v);
}

/* Returns the position of the highest set bit of V, which is not 0. */
static inline unsigned highest_bit(uint64_t v)
{
	return 63 - (unsigned)__builtin_clzll(v);
}

/* Returns the eight bytes of V in the opposite order. */
static inline uint64_t swap_bytes(uint64_t v)
{
	return __builtin_bswap64(v);
}

/* Returns the eight bytes at P, the first being the least significant. */
static inline uint64_t load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = swap_bytes(v);
#endif
	return v;
}

#endif /* GTRACE_BASE_COMPILER_H_ */
