/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof.c - a profile as `go tool pprof` reads it. */
#include "report/pprof.h"

#include <string.h>

#include "base/compiler.h"
#include "base/utf8.h"
#include "report/names.h"

/*
 * So many samples have a goroutine; those of further ones are added up over all
 * goroutines.
 */
#define LABELLED_MAX ((size_t)1 << 15)

/* Numbers of texts. Their bytes are compared: no padding may be left unset. */
struct pprof_function {
	uint32_t name;
	uint32_t file;
};

struct pprof_location {
	int64_t line;
	uint64_t function;
};

struct pprof_key {
	uint64_t g;
	uint32_t stack;
	uint32_t work; /* a string */
};

struct pprof_sample {
	uint64_t count;
	uint64_t time;
	uint32_t goroutine; /* a string; 0: no label */
	uint32_t work;      /* likewise */
};

bool gti_pprof_init(struct pprof *pprof, size_t stack_max,
		    const struct gtrace_allocator *memory)
{
	*pprof = (struct pprof){.memory = memory, .stack_max = stack_max};
	gti_texts_init(&pprof->strings, memory);
	gti_texts_init(&pprof->functions, memory);
	gti_texts_init(&pprof->locations, memory);
	gti_texts_init(&pprof->stacks, memory);
	gti_texts_init(&pprof->keys, memory);
	pprof->stack = gti_allocate_zeroed(memory, stack_max + 1,
					   sizeof(*pprof->stack));
	if (pprof->stack != NULL && gti_texts_put(&pprof->strings, "", 0) == 0)
		return true;
	gti_pprof_free(pprof);
	return false;
}

void gti_pprof_free(struct pprof *pprof)
{
	gti_texts_free(&pprof->strings);
	gti_texts_free(&pprof->functions);
	gti_texts_free(&pprof->locations);
	gti_texts_free(&pprof->stacks);
	gti_texts_free(&pprof->keys);
	gti_array_free(&pprof->samples, sizeof(struct pprof_sample),
		       pprof->memory);
	gti_release(pprof->memory, pprof->stack,
		    (pprof->stack_max + 1) * sizeof(*pprof->stack));
	pprof->stack = NULL;
}

/* ------------------------------------------------------------------- add -- */

static uint32_t put_string(struct pprof *pprof, const char *text)
{
	return gti_texts_put(&pprof->strings, text, strlen(text));
}

/* Returns the number of a location. NO_TEXT: there is no memory. */
static uint32_t put_location(struct pprof *pprof, struct gtrace_string name,
			     struct gtrace_string file, int64_t line)
{
	struct pprof_function function = {
		.name = gti_texts_put(&pprof->strings, name.data, name.size),
		.file = gti_texts_put(&pprof->strings, file.data, file.size),
	};
	struct pprof_location location = {.line = line};

	if (function.name == NO_TEXT || function.file == NO_TEXT)
		return NO_TEXT;
	location.function =
		gti_texts_put(&pprof->functions, &function, sizeof(function));
	if (location.function == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&pprof->locations, &location, sizeof(location));
}

static uint32_t put_stack(struct pprof *pprof, const struct pprof_add *to)
{
	struct gtrace_string name = {to->nothing, 0}, none = {"", 0};
	size_t count = to->count, i;

	if (count == 0) {
		name.size = strlen(to->nothing);
		pprof->stack[0] = put_location(pprof, name, none, 0);
		count = 1;
	} else {
		for (i = 0; i < count; i++)
			pprof->stack[i] = put_location(
				pprof, to->frames[i].function,
				to->frames[i].file, to->frames[i].line);
	}
	for (i = 0; i < count; i++)
		if (pprof->stack[i] == NO_TEXT)
			return NO_TEXT;
	return gti_texts_put(&pprof->stacks, pprof->stack,
			     count * sizeof(*pprof->stack));
}

/* Adds the sample of KEY. NULL: there is no memory. */
static struct pprof_sample *new_sample(struct pprof *pprof,
				       const struct pprof_key *key)
{
	struct pprof_sample *sample;
	char number[DECIMAL_MAX + 1];
	struct pprof_sample added = {.work = key->work};

	if (key->g != PPROF_ANY_G) {
		*gti_put_signed(number, (int64_t)key->g) = '\0';
		added.goroutine = put_string(pprof, number);
		pprof->labelled++;
	}
	if (added.goroutine == NO_TEXT ||
	    !gti_array_reserve(&pprof->samples, sizeof(*sample), pprof->memory))
		return NULL;
	sample = (struct pprof_sample *)pprof->samples.items +
		 pprof->samples.count++;
	*sample = added;
	return sample;
}

bool gti_pprof_add(struct pprof *pprof, const struct pprof_add *to,
		   uint64_t count, uint64_t time)
{
	struct pprof_key key = {.g = to->g};
	struct pprof_sample *sample;
	uint32_t number;

	if (pprof->stack == NULL)
		return false;
	if (!to->again) {
		pprof->last_stack = put_stack(pprof, to);
		pprof->last_work = put_string(pprof, to->work);
	}
	if (pprof->last_stack == NO_TEXT || pprof->last_work == NO_TEXT)
		return false;
	key.stack = pprof->last_stack;
	key.work = pprof->last_work;
	if (pprof->labelled >= LABELLED_MAX)
		key.g = PPROF_ANY_G;
	number = gti_texts_put(&pprof->keys, &key, sizeof(key));
	if (number == NO_TEXT)
		return false;
	if (number < pprof->samples.count)
		sample = (struct pprof_sample *)pprof->samples.items + number;
	else
		sample = new_sample(pprof, &key);
	if (sample == NULL)
		return false;
	sample->count += count;
	sample->time += time;
	return true;
}

/* -------------------------------------------------------------- encoding -- */

/* Fields of the messages. All numbers are below 16: a tag is one byte. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION = 10,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/* How a field is encoded. */
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

static size_t number_size(uint64_t value)
{
	return highest_bit(value | 1) / 7 + 1;
}

static size_t field_size(uint64_t value)
{
	return 1 + number_size(value);
}

static char *put_number(char *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (char)(value | 0x80);
	*to++ = (char)value;
	return to;
}

static char *put_field(char *to, unsigned field, uint64_t value)
{
	*to++ = (char)(field << 3 | WIRE_NUMBER);
	return put_number(to, value);
}

/* Begins a message of SIZE bytes as a field. */
static char *put_message(char *to, unsigned field, size_t size)
{
	*to++ = (char)(field << 3 | WIRE_BYTES);
	return put_number(to, size);
}

/* A message of so many numbers fits into what is reserved. */
#define FIXED_MAX 128

_Static_assert(FIXED_MAX <= WRITER_RESERVE_MAX, "fixed messages fit");

static void write_number(struct writer *writer, uint64_t value)
{
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	writer_commit(writer, put_number(to, value));
}

static void write_message(struct writer *writer, unsigned field, size_t size)
{
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	writer_commit(writer, put_message(to, field, size));
}

static void write_type(struct writer *writer, uint32_t type, uint32_t unit)
{
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_SAMPLE_TYPE,
			 field_size(type) + field_size(unit));
	to = put_field(to, TYPE_TYPE, type);
	writer_commit(writer, put_field(to, TYPE_UNIT, unit));
}

static void write_mapping(struct writer *writer, uint32_t file)
{
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_MAPPING, 4 * 2 + field_size(file));
	to = put_field(to, MAPPING_ID, 1);
	to = put_field(to, MAPPING_FILE, file);
	to = put_field(to, MAPPING_HAS_FUNCTIONS, 1);
	to = put_field(to, MAPPING_HAS_FILES, 1);
	writer_commit(writer, put_field(to, MAPPING_HAS_LINES, 1));
}

static void write_function(struct writer *writer, uint64_t id,
			   const struct pprof_function *function)
{
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_FUNCTION,
			 field_size(id) + 2 * field_size(function->name) +
				 field_size(function->file));
	to = put_field(to, FUNCTION_ID, id);
	to = put_field(to, FUNCTION_NAME, function->name);
	to = put_field(to, FUNCTION_SYSTEM_NAME, function->name);
	writer_commit(writer, put_field(to, FUNCTION_FILE, function->file));
}

static void write_location(struct writer *writer, uint64_t id,
			   const struct pprof_location *location)
{
	uint64_t function = location->function + 1;
	uint64_t number = (uint64_t)location->line;
	size_t line = field_size(function) + field_size(number);
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_LOCATION,
			 field_size(id) + field_size(1) + field_size(line) +
				 line);
	to = put_field(to, LOCATION_ID, id);
	to = put_field(to, LOCATION_MAPPING, 1);
	to = put_message(to, LOCATION_LINE, line);
	to = put_field(to, LINE_FUNCTION, function);
	writer_commit(writer, put_field(to, LINE_LINE, number));
}

/* The bytes of TEXT once what is not UTF-8 is replaced by U+FFFD. */
static size_t clean_size(struct gtrace_string text)
{
	const unsigned char *bytes = (const unsigned char *)text.data;
	size_t at = 0, size = 0, one;

	for (; at < text.size; at += one != 0 ? one : 1) {
		one = gti_utf8_size(bytes + at, text.size - at);
		size += one != 0 ? one : 3;
	}
	return size;
}

static void write_string(struct writer *writer, struct gtrace_string text)
{
	const unsigned char *bytes = (const unsigned char *)text.data;
	size_t size = clean_size(text), at = 0, one;

	write_message(writer, PROFILE_STRING, size);
	if (size == text.size) {
		gti_write_bytes(writer, text.data, text.size);
		return;
	}
	for (; at < text.size; at += one != 0 ? one : 1) {
		one = gti_utf8_size(bytes + at, text.size - at);
		if (one != 0)
			gti_write_bytes(writer, bytes + at, one);
		else
			gti_write_bytes(writer, "\xef\xbf\xbd", 3);
	}
}

/* ----------------------------------------------------------------- write -- */

/* The strings that are in every profile. */
struct words {
	uint32_t what, count, time, unit, goroutine, work, trace;
};

static bool put_words(struct pprof *pprof, const struct pprof_head *head,
		      struct words *words)
{
	*words = (struct words){
		.what = put_string(pprof, head->what),
		.count = put_string(pprof, "count"),
		.time = put_string(pprof, "time"),
		.unit = put_string(pprof,
				   head->in_ticks ? "ticks" : "nanoseconds"),
		.goroutine = put_string(pprof, "goroutine"),
		.work = put_string(pprof, "work"),
		.trace = put_string(pprof,
				    head->trace != NULL ? head->trace : ""),
	};
	return words->what != NO_TEXT && words->count != NO_TEXT &&
	       words->time != NO_TEXT && words->unit != NO_TEXT &&
	       words->goroutine != NO_TEXT && words->work != NO_TEXT &&
	       words->trace != NO_TEXT;
}

static size_t label_size(uint32_t key, uint32_t value)
{
	return field_size(key) + field_size(value);
}

static void write_label(struct writer *writer, uint32_t key, uint32_t value)
{
	char *to = gti_writer_reserve(writer, FIXED_MAX);

	to = put_message(to, SAMPLE_LABEL, label_size(key, value));
	to = put_field(to, LABEL_KEY, key);
	writer_commit(writer, put_field(to, LABEL_STRING, value));
}

static size_t values_size(const struct pprof_sample *sample)
{
	return number_size(sample->count) + number_size(sample->time);
}

static uint32_t location_at(struct gtrace_string stack, size_t i)
{
	uint32_t number;

	memcpy(&number, stack.data + i * sizeof(number), sizeof(number));
	return number;
}

/* The size of a part with its tag and its size. */
static size_t part_size(size_t size)
{
	return field_size(size) + size;
}

static void write_sample(struct writer *writer, const struct words *words,
			 struct gtrace_string stack,
			 const struct pprof_sample *sample)
{
	size_t count = stack.size / sizeof(uint32_t), i;
	size_t locations = 0, size;

	for (i = 0; i < count; i++)
		locations += number_size((uint64_t)location_at(stack, i) + 1);
	size = part_size(locations) + part_size(values_size(sample)) +
	       part_size(label_size(words->work, sample->work));
	if (sample->goroutine != 0)
		size += part_size(
			label_size(words->goroutine, sample->goroutine));
	write_message(writer, PROFILE_SAMPLE, size);
	write_message(writer, SAMPLE_LOCATIONS, locations);
	for (i = 0; i < count; i++)
		write_number(writer, (uint64_t)location_at(stack, i) + 1);
	write_message(writer, SAMPLE_VALUES, values_size(sample));
	write_number(writer, sample->count);
	write_number(writer, sample->time);
	write_label(writer, words->work, sample->work);
	if (sample->goroutine != 0)
		write_label(writer, words->goroutine, sample->goroutine);
}

static void write_samples(const struct pprof *pprof, const struct words *words,
			  struct writer *writer)
{
	const struct pprof_sample *samples = pprof->samples.items;
	struct pprof_key key;
	uint32_t i;

	for (i = 0; i < pprof->samples.count; i++) {
		memcpy(&key, texts_at(&pprof->keys, i).data, sizeof(key));
		write_sample(writer, words, texts_at(&pprof->stacks, key.stack),
			     &samples[i]);
	}
}

static void write_tables(const struct pprof *pprof, struct writer *writer)
{
	struct pprof_location location;
	struct pprof_function function;
	uint32_t i;

	for (i = 0; i < texts_count(&pprof->locations); i++) {
		memcpy(&location, texts_at(&pprof->locations, i).data,
		       sizeof(location));
		write_location(writer, (uint64_t)i + 1, &location);
	}
	for (i = 0; i < texts_count(&pprof->functions); i++) {
		memcpy(&function, texts_at(&pprof->functions, i).data,
		       sizeof(function));
		write_function(writer, (uint64_t)i + 1, &function);
	}
	for (i = 0; i < texts_count(&pprof->strings); i++)
		write_string(writer, texts_at(&pprof->strings, i));
}

bool gti_pprof_write(struct pprof *pprof, const struct pprof_head *head,
		     struct writer *writer)
{
	struct words words;
	char *to;

	if (!put_words(pprof, head, &words))
		return false;
	write_type(writer, words.what, words.count);
	write_type(writer, words.time, words.unit);
	write_mapping(writer, words.trace);
	write_samples(pprof, &words, writer);
	write_tables(pprof, writer);
	to = gti_writer_reserve(writer, FIXED_MAX);
	if (!head->in_ticks)
		to = put_field(to, PROFILE_DURATION, (uint64_t)head->length);
	writer_commit(writer, put_field(to, PROFILE_DEFAULT_TYPE, words.time));
	return true;
}
