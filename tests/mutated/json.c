/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - a parser of JSON that keeps nothing. */
#include "tests/mutated/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32

struct parser {
	const char *p;
	const char *end;
	struct json_key key;
	void (*each)(struct json_key key, const char *number);
	unsigned depth;
};

static bool is_next(const struct parser *parser, char c)
{
	return parser->p < parser->end && *parser->p == c;
}

static bool take(struct parser *parser, char c)
{
	if (!is_next(parser, c))
		return false;
	parser->p++;
	return true;
}

static bool take_word(struct parser *parser, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(parser->end - parser->p) < size ||
	    memcmp(parser->p, word, size) != 0)
		return false;
	parser->p += size;
	return true;
}

static bool take_digits(struct parser *parser)
{
	const char *from = parser->p;

	while (parser->p < parser->end && *parser->p >= '0' &&
	       *parser->p <= '9')
		parser->p++;
	return parser->p != from;
}

static bool take_number(struct parser *parser)
{
	const char *from = parser->p;
	char text[64] = "";
	bool good;

	take(parser, '-');
	good = take(parser, '0') || take_digits(parser);
	if (good && take(parser, '.'))
		good = take_digits(parser);
	if (good && (take(parser, 'e') || take(parser, 'E'))) {
		if (!take(parser, '+'))
			take(parser, '-');
		good = take_digits(parser);
	}
	if (!good || parser->p - from >= (long)sizeof(text))
		return false;
	memcpy(text, from, (size_t)(parser->p - from));
	if (parser->each != NULL && strtod(text, NULL) < -1)
		parser->each(parser->key, text);
	return true;
}

static bool take_escape(struct parser *parser)
{
	size_t i;

	if (parser->p == parser->end)
		return false;
	if (*parser->p++ != 'u')
		return strchr("\"\\/bfnrt", parser->p[-1]) != NULL;
	for (i = 0; i < 4 && parser->p < parser->end; i++)
		if (strchr("0123456789abcdefABCDEF", *parser->p++) == NULL)
			return false;
	return i == 4;
}

/* The rest of a character of several bytes that begins with FIRST. */
static bool take_rest(struct parser *parser, unsigned char first)
{
	static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
	unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1, i;
	unsigned value = first & (0x3fu >> more);

	if (first < 0xc2 || first > 0xf4)
		return false;
	for (i = 0; i < more; i++) {
		if (parser->p == parser->end || (*parser->p & 0xc0) != 0x80)
			return false;
		value = value << 6 | ((unsigned char)*parser->p++ & 0x3fu);
	}
	return value >= least[more] && value <= 0x10ffff &&
	       (value < 0xd800 || value > 0xdfff);
}

static bool take_string(struct parser *parser, struct json_key *text)
{
	bool good = take(parser, '"');

	text->name = parser->p;
	while (good && parser->p < parser->end && *parser->p != '"') {
		unsigned char c = (unsigned char)*parser->p++;

		if (c == '\\')
			good = take_escape(parser);
		else if (c >= 0x80)
			good = take_rest(parser, c);
		else
			good = c >= ' ';
	}
	text->size = (size_t)(parser->p - text->name);
	return good && take(parser, '"');
}

static bool take_value_of_json(struct parser *parser);

static bool take_array(struct parser *parser)
{
	if (take(parser, ']'))
		return true;
	do {
		if (!take_value_of_json(parser))
			return false;
	} while (take(parser, ','));
	return take(parser, ']');
}

static bool take_object(struct parser *parser)
{
	if (take(parser, '}'))
		return true;
	do {
		take(parser, '\n');
		if (!take_string(parser, &parser->key) || !take(parser, ':') ||
		    !take_value_of_json(parser))
			return false;
	} while (take(parser, ','));
	return take(parser, '}');
}

static bool take_value_of_json(struct parser *parser)
{
	struct json_key text;
	bool good;

	take(parser, '\n');
	if (is_next(parser, '"'))
		return take_string(parser, &text);
	if (parser->depth == DEPTH_MAX)
		return false;
	parser->depth++;
	if (take(parser, '{'))
		good = take_object(parser);
	else if (take(parser, '['))
		good = take_array(parser);
	else
		good = take_word(parser, "null") || take_word(parser, "true") ||
		       take_word(parser, "false") || take_number(parser);
	take(parser, '\n');
	parser->depth--;
	return good;
}

const char *check_json(const char *text, size_t size,
		       void (*each)(struct json_key key, const char *number))
{
	struct parser parser = {
		.p = text, .end = text + size, .key.name = "", .each = each};

	if (take_value_of_json(&parser) && parser.p == parser.end)
		return NULL;
	return parser.p;
}
