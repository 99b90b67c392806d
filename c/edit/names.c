/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - names in place of those that tell something.
 *
 * A name consists of words, which are letters, digits and _, and of what is
 * between them, which stays, as it is the shape of the name. A word becomes
 * another one by a permutation of all words of its length, so that different
 * words stay different: its halves are changed in turn, each by a hash of the
 * other half, as in a Feistel cipher.
 */
#include "edit/names.h"

#include <string.h>

#include "base/strings.h"

/* ------------------------------------------------------------------ hash -- */

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32) + v[3];
	v[2] += v[1];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	sip_round(v);
	v[0] ^= word;
}

/* SipHash-2-4 of the SIZE bytes at DATA after the number TWEAK. */
static uint64_t keyed_hash(const struct name_key *key, uint64_t tweak,
			   const uint8_t *data, size_t size)
{
	uint64_t v[4] = {
		key->words[0] ^ UINT64_C(0x736f6d6570736575),
		key->words[1] ^ UINT64_C(0x646f72616e646f6d),
		key->words[0] ^ UINT64_C(0x6c7967656e657261),
		key->words[1] ^ UINT64_C(0x7465646279746573),
	};
	uint64_t word = 0;
	size_t i;

	sip_word(v, tweak);
	for (i = 0; i < size; i++) {
		word |= (uint64_t)data[i] << i % 8 * 8;
		if (i % 8 == 7) {
			sip_word(v, word);
			word = 0;
		}
	}
	sip_word(v, word | (uint64_t)size << 56);
	v[2] ^= 0xff;
	for (i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

struct name_key gti_name_key(const char *salt)
{
	const struct name_key none = {{0, 0}};
	const uint8_t *data = (const uint8_t *)salt;
	size_t size = strlen(salt);

	return (struct name_key){{keyed_hash(&none, 1, data, size),
				  keyed_hash(&none, 2, data, size)}};
}

/* ----------------------------------------------------------------- words -- */

static const char letters[] =
	"abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* Where small letters with _, capital ones and digits begin, and how many. */
#define SMALL        0
#define SMALL_COUNT  27
#define GREAT        27
#define GREAT_COUNT  26
#define DIGITS       53
#define DIGITS_COUNT 10
#define ALL_COUNT    63

/* A word has at most so many bytes; longer ones are taken in pieces. */
#define WORD_MAX 64

static bool is_ascii_word(uint8_t byte)
{
	return byte != '\0' && strchr(letters, byte) != NULL;
}

/* Also bytes of characters of other alphabets. */
static bool is_word(uint8_t byte)
{
	return byte >= 0x80 || is_ascii_word(byte);
}

/* The part of `letters` that the first letter AT stays in. */
static void class_of(uint8_t at, uint8_t *first, uint8_t *count)
{
	*first = at < GREAT ? SMALL : at < DIGITS ? GREAT : DIGITS;
	*count = at < GREAT    ? SMALL_COUNT
		 : at < DIGITS ? GREAT_COUNT
			       : DIGITS_COUNT;
}

/*
 * Adds to the digits at TO, COUNT of them, below those at LIMITS, what follows
 * from ROUND and the OTHERS digits at FROM.
 */
static void add_half(const struct name_key *key, uint64_t round, uint8_t *to,
		     const uint8_t *limits, size_t count, const uint8_t *from,
		     size_t others)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (i % 4 == 0)
			bits = keyed_hash(key, round << 32 | i, from, others);
		to[i] = (uint8_t)((to[i] + (bits & 0xffff)) % limits[i]);
		bits >>= 16;
	}
}

#define ROUNDS 8

/* Replaces the word of the SIZE letters at WORD, at most WORD_MAX. */
static void replace_word(const struct name_key *key, uint8_t *word, size_t size)
{
	uint8_t digits[WORD_MAX], limits[WORD_MAX], first;
	size_t half = size / 2, i;
	unsigned round;

	for (i = 0; i < size; i++) {
		digits[i] = (uint8_t)(strchr(letters, word[i]) - letters);
		limits[i] = ALL_COUNT;
	}
	class_of(digits[0], &first, &limits[0]);
	digits[0] = (uint8_t)(digits[0] - first);
	if (size == 1) {
		/* Another letter, whichever it is. */
		i = keyed_hash(key, first, digits, 0) %
		    (uint64_t)(limits[0] - 1);
		digits[0] = (uint8_t)((digits[0] + 1 + i) % limits[0]);
	}
	for (round = 0; round < ROUNDS && size > 1; round++)
		if (round % 2 == 0)
			add_half(key, round + 1, digits, limits, half,
				 digits + half, size - half);
		else
			add_half(key, round + 1, digits + half, limits + half,
				 size - half, digits, half);
	digits[0] = (uint8_t)(digits[0] + first);
	for (i = 0; i < size; i++)
		word[i] = (uint8_t)letters[digits[i]];
}

/* Replaces the SIZE bytes at TEXT, whichever they are, by letters. */
static void replace_bytes(const struct name_key *key, uint8_t *text,
			  size_t size)
{
	uint64_t sum = keyed_hash(key, 0, text, size), bits = 0;
	const struct name_key own = {{sum, key->words[1]}};
	size_t i;

	for (i = 0; i < size; i++) {
		if (i % 4 == 0)
			bits = keyed_hash(&own, i, NULL, 0);
		text[i] = (uint8_t)letters[(bits & 0xffff) % ALL_COUNT];
		bits >>= 16;
	}
}

/* Replaces the SIZE bytes at TEXT as one word. */
static void replace_all(const struct name_key *key, uint8_t *text, size_t size)
{
	size_t i = 0;

	while (i < size && is_ascii_word(text[i]))
		i++;
	if (size == 0)
		return;
	if (i == size && size <= WORD_MAX)
		replace_word(key, text, size);
	else
		replace_bytes(key, text, size);
}

/* The size of the word that TEXT, of SIZE bytes, begins with. */
static size_t word_size(const uint8_t *text, size_t size)
{
	size_t end = 0;

	while (end < size && is_word(text[end]))
		end++;
	return end;
}

/* Replaces each word in the SIZE bytes at TEXT. */
static void replace_words(const struct name_key *key, uint8_t *text,
			  size_t size)
{
	size_t i = 0, word;

	while (i < size) {
		word = word_size(text + i, size - i);
		replace_all(key, text + i, word);
		i += word + (word == 0);
	}
}

/* ------------------------------------------------------------- functions -- */

static struct gtrace_string text_of(const uint8_t *text, size_t size)
{
	return (struct gtrace_string){(const char *)text, size};
}

/*
 * The size of the import path that FUNCTION begins with, or 0. The type of a
 * method and type arguments may have other paths.
 */
static size_t path_size(struct gtrace_string function)
{
	size_t end = 0, slash = 0, dot;

	while (end < function.size && function.data[end] != '[' &&
	       function.data[end] != '(') {
		if (function.data[end] == '/')
			slash = end;
		end++;
	}
	for (dot = slash; dot < end; dot++)
		if (function.data[dot] == '.')
			return dot;
	return 0;
}

bool gti_name_is_standard(struct gtrace_string function)
{
	function.size = path_size(function);
	return function.size != 0 && gti_is_standard_package(function);
}

/* Whether WORD is BEGIN and digits after it, or just that. */
static bool is_numbered(struct gtrace_string word, const char *begin)
{
	size_t i = strlen(begin);

	if (!string_begins(word, begin))
		return false;
	while (i < word.size && word.data[i] >= '0' && word.data[i] <= '9')
		i++;
	return i == word.size;
}

/* Whether WORD is one that compilers and standard interfaces put into names. */
static bool is_shape(struct gtrace_string word)
{
	static const char *const numbered[] = {
		"", "func", "init", "deferwrap", "gowrap", "range",
	};
	static const char *const others[] = {
		"main",  "glob",     "fm",      "Read",     "Write",
		"Close", "ReadFrom", "WriteTo", "ReadByte", "Accept",
		"Peek",  "Lock",     "Unlock",
	};
	size_t i;

	for (i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++)
		if (is_numbered(word, numbered[i]))
			return true;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (word.size == strlen(others[i]) &&
		    string_begins(word, others[i]))
			return true;
	return false;
}

/* Whether the SIZE bytes at TEXT end with END. */
static bool ends_with(const uint8_t *text, size_t size, const char *end)
{
	size_t tail = strlen(end);

	return size >= tail && memcmp(text + size - tail, end, tail) == 0;
}

/*
 * Replaces the word of the SIZE bytes at WORD, but for what tells that a
 * function locks, or that C is called.
 */
static void replace_own_word(const struct name_key *key, uint8_t *word,
			     size_t size)
{
	static const char *const begins[] = {"_Cfunc_", "lock", "Lock",
					     "unlock", "Unlock"};
	struct gtrace_string text = text_of(word, size);
	size_t kept = 0, tail = 0, i;

	if (is_shape(text))
		return;
	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (string_begins(text, begins[i]) && kept == 0)
			kept = strlen(begins[i]);
	/* What begins with such letters is not always that word. */
	if (kept != 0 && word[0] != '_' &&
	    (kept == size || word[kept] < 'A' || word[kept] > 'Z'))
		kept = 0;
	if (ends_with(word + kept, size - kept, "Unlock"))
		tail = strlen("Unlock");
	else if (ends_with(word + kept, size - kept, "Lock"))
		tail = strlen("Lock");
	replace_all(key, word + kept, size - kept - tail);
}

/* Replaces the words of a function after its import path. */
static void replace_own_words(const struct name_key *key, uint8_t *text,
			      size_t size)
{
	size_t i = 0, word;

	while (i < size) {
		word = word_size(text + i, size - i);
		if (word != 0)
			replace_own_word(key, text + i, word);
		i += word + (word == 0);
	}
}

static void replace_function(const struct name_key *key, uint8_t *text,
			     size_t size)
{
	size_t path = path_size(text_of(text, size));

	if (path != 4 || memcmp(text, "main", 4) != 0)
		replace_words(key, text, path);
	replace_own_words(key, text + path, size - path);
}

/* Replaces the type arguments of a standard function. */
static void replace_arguments(const struct name_key *key, uint8_t *text,
			      size_t size)
{
	const uint8_t *bracket = memchr(text, '[', size);
	size_t at = bracket != NULL ? (size_t)(bracket - text) : size;
	size_t end = size;

	while (end > at && text[end - 1] != ']')
		end--;
	replace_words(key, text + at, end - at);
}

/* ----------------------------------------------------------------- files -- */

static void replace_file(const struct name_key *key, uint8_t *text, size_t size)
{
	static const char *const kept[] = {".go", ".s", ".c", ".h"};
	size_t end = size, i;

	if (ends_with(text, size, "<autogenerated>"))
		return;
	if (ends_with(text, size, "_cgo_gotypes.go"))
		end = size - strlen("_cgo_gotypes.go");
	for (i = 0; i < sizeof(kept) / sizeof(kept[0]) && end == size; i++)
		if (ends_with(text, size, kept[i]))
			end = size - strlen(kept[i]);
	replace_words(key, text, end);
}

/* Whether FOLDER, of a file, is that of a standard package. */
static bool is_standard_folder(const uint8_t *folder, size_t size)
{
	return gti_is_standard_package(text_of(folder, size));
}

/* Whether PREFIX is where Go is installed on every system of a kind. */
static bool is_usual_root(const uint8_t *prefix, size_t size)
{
	struct gtrace_string text = text_of(prefix, size);

	return (size == strlen("/usr/local/go") &&
		string_begins(text, "/usr/local/go")) ||
	       (size <= strlen("/usr/lib/go-1.22") &&
		string_begins(text, "/usr/lib/go"));
}

/* A file of a standard function: what is before src/ tells who built it. */
static void replace_standard_file(const struct name_key *key, uint8_t *text,
				  size_t size)
{
	static const char source[] = "/src/";
	size_t tail = strlen(source), slash = size, at;

	while (slash > 0 && text[slash - 1] != '/')
		slash--;
	if (slash > 0 && is_standard_folder(text, slash - 1))
		return;
	for (at = 0; at + tail < slash; at++)
		if (memcmp(text + at, source, tail) == 0 &&
		    is_standard_folder(text + at + tail,
				       slash - 1 - at - tail)) {
			if (!is_usual_root(text, at))
				replace_words(key, text, at);
			return;
		}
	replace_file(key, text, size);
}

void gti_name_replace(const void *key, enum text_role role, uint8_t *text,
		      size_t size)
{
	if (gti_is_runtime_text(text_of(text, size)))
		return;
	switch (role) {
	case TEXT_FUNCTION:
		replace_function(key, text, size);
		return;
	case TEXT_STANDARD_FUNCTION:
		replace_arguments(key, text, size);
		return;
	case TEXT_FILE:
		replace_file(key, text, size);
		return;
	case TEXT_STANDARD_FILE:
		replace_standard_file(key, text, size);
		return;
	case TEXT_OTHER:
		replace_all(key, text, size);
		return;
	}
}
