/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.c - hashes of texts, and the secrets of hashes. */
#define _DEFAULT_SOURCE /* getentropy */

#include "base/hash.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/random.h>
#endif

/*
 * For a system that has no random bits to give, as in a jail that forbids the
 * call: the time, and the address of the stack, which most systems randomise.
 */
static uint64_t guess_secret(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) *
		       0x9e3779b97f4a7c15u ^
	       (uint64_t)(uintptr_t)&now * 0xd6e8feb86659fd93u;
}

uint64_t gti_new_secret(void)
{
	uint64_t secret;

	if (getentropy(&secret, sizeof(secret)) != 0)
		secret = guess_secret();
	return secret | 1;
}

uint64_t gti_hash_text(const void *text, size_t size, uint64_t secret)
{
	uint64_t hash = hash_key(size, secret), tail = 0;
	const uint8_t *data = text;

	/* Eight bytes at a time. */
	for (; size >= sizeof(hash); size -= sizeof(hash)) {
		hash = hash_key(hash ^ load64(data), secret);
		data += sizeof(hash);
	}
	if (size != 0)
		memcpy(&tail, data, size);
	return hash_key(hash ^ tail, secret);
}
