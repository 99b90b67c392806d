/* SPDX-License-Identifier: BSD-3-Clause */
/* url.c - addresses at which programs give traces of themselves. */
#define _POSIX_C_SOURCE 200809L

#include "tools/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SECONDS_DEFAULT 5

static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "0123456789";

/* Returns the size of the scheme of TEXT; 0: it has none. */
static size_t scheme_size(const char *text)
{
	static const char *const schemes[] = {"http://", "https://"};
	size_t i;

	for (i = 0; i < 2; i++)
		if (strncasecmp(text, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return 0;
}

/* Returns the size of the host that TEXT begins with. */
static size_t host_size(const char *text)
{
	size_t size;

	if (*text != '[') {
		size = strspn(text, letters);
		while (size > 0 && text[size] != '\0' &&
		       (strchr(letters, text[size]) != NULL ||
			strchr("-._", text[size]) != NULL))
			size++;
		return size;
	}
	size = 1 + strspn(text + 1, "0123456789abcdefABCDEF:.");
	return text[size] == ']' ? size + 1 : 0;
}

bool url_is_one(const char *text)
{
	size_t size = scheme_size(text), digits;

	if (size != 0)
		return text[size] != '\0' && text[size] != '/';
	/* Of :6060 the host is this machine, as where a program listens. */
	size = host_size(text);
	if (text[size] != ':')
		return false;
	digits = strspn(text + size + 1, "0123456789");
	size += 1 + digits;
	return digits > 0 && digits <= 5 &&
	       (text[size] == '\0' || strchr("/?", text[size]) != NULL);
}

/* Returns the seconds in the query of TEXT, NULL if it has none. */
static const char *find_seconds(const char *text)
{
	const char *at = strchr(text, '?');

	for (; at != NULL; at = strpbrk(at + 1, "&;"))
		if (strncmp(at + 1, "seconds=", 8) == 0)
			return at + 1;
	return NULL;
}

bool url_has_seconds(const char *text)
{
	return find_seconds(text) != NULL;
}

/* Writes the SIZE bytes of TEXT, with %XX for those that a URL cannot have. */
static void write_escaped(FILE *to, const char *text, size_t size)
{
	for (; size > 0; text++, size--) {
		unsigned byte = (unsigned char)*text;

		if (byte <= ' ' || byte >= 0x7f ||
		    strchr("\"<>[]\\^`{|}", (int)byte) != NULL)
			fprintf(to, "%%%02X", byte);
		else
			fputc((int)byte, to);
	}
}

/* Writes HOST, of SIZE bytes, in which [] can be around an address. */
static void write_host(FILE *to, const char *host, size_t size)
{
	size_t address = *host == '[' ? host_size(host) : 0;

	fwrite(host, 1, address, to);
	write_escaped(to, host + address, size - address);
}

/* Writes REST, the path and the query of a URL. */
static void write_rest(FILE *to, const char *rest, size_t seconds)
{
	static const char *const folders[] = {"", "/", "/debug/pprof",
					      "/debug/pprof/"};
	size_t size = strcspn(rest, "#");
	bool is_folder = false, has_query = memchr(rest, '?', size) != NULL;
	size_t i;

	for (i = 0; i < 4; i++)
		is_folder |= strlen(folders[i]) == size &&
			     memcmp(folders[i], rest, size) == 0;
	if (is_folder)
		fprintf(to, "/debug/pprof/trace?seconds=%zu",
			seconds != 0 ? seconds : SECONDS_DEFAULT);
	else
		write_escaped(to, rest, size);
	if (!is_folder && seconds != 0)
		fprintf(to, "%cseconds=%zu", has_query ? '&' : '?', seconds);
}

char *url_complete(const char *text, size_t seconds)
{
	size_t scheme = scheme_size(text), host;
	const char *rest = text + scheme;
	char *url = NULL;
	size_t size;
	FILE *to = open_memstream(&url, &size);

	if (to == NULL)
		return NULL;
	fputs(scheme == 8 ? "https://" : "http://", to);
	host = strcspn(rest, "/?#");
	if (*rest == ':')
		fputs("localhost", to);
	write_host(to, rest, host);
	write_rest(to, rest + host, seconds);
	if (fclose(to) == 0)
		return url;
	free(url);
	return NULL;
}

void url_host(const char *url, char *to, size_t size)
{
	const char *host = url + scheme_size(url);
	const char *end = host + strcspn(host, "/?#"), *p, *first = to;

	/* A name and a password can be before it. */
	for (p = host; p < end; p++)
		if (*p == '@')
			host = p + 1;
	for (; host < end && size > 1; host++, size--) {
		bool is_plain = strchr(letters, *host) != NULL ||
				(to > first && (*host == '.' || *host == '-'));

		*to++ = is_plain ? *host : '_';
	}
	*to = '\0';
}
