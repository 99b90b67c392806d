/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - a file that is there whole or not at all. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "tables/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform.h"

/* Makes the folders in PATH, which is as before afterwards. */
static int make_folders(char *path)
{
	char *slash = path;
	int code = 0;

	while (code == 0 && (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			code = errno;
		*slash = '/';
	}
	return code;
}

/* A number that no other program of this system has now. */
static unsigned long own_number(void)
{
#if HAS_PROCESSES
	return (unsigned long)getpid();
#else
	return 0;
#endif
}

/* So many names are tried: others can be of programs that were killed. */
#define NAMES_MAX 10000

/* Writes to PLACE the name number TRY for while the file is not whole. */
static void name_temporary(struct place *place, size_t size, unsigned try)
{
	const char *slash = strrchr(place->path, '/');
	const char *name = slash != NULL ? slash + 1 : place->path;

	snprintf(place->temporary, size, "%.*s.%s.%lu-%u",
		 (int)(name - place->path), place->path, name, own_number(),
		 try);
}

/* Begins the file that has a name which no other has. */
static int open_temporary(struct place *place, size_t size)
{
	unsigned try;
	int fd = -1;

	for (try = 0; fd < 0 && try < NAMES_MAX; try++) {
		name_temporary(place, size, try);
		fd = open(place->temporary,
			  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			return errno;
	}
	if (fd < 0)
		return errno;
	place->file = fdopen(fd, "wb");
	if (place->file != NULL)
		return 0;
	close(fd);
	remove(place->temporary);
	return ENOMEM;
}

int place_open(struct place *place, const char *path)
{
	size_t size = strlen(path) + 64;
	int code = ENOMEM;

	*place =
		(struct place){.path = strdup(path), .temporary = malloc(size)};
	if (place->path != NULL && place->temporary != NULL)
		code = make_folders(place->path);
	if (code == 0)
		code = open_temporary(place, size);
	if (code != 0)
		place_free(place);
	return code;
}

int place_end(struct place *place)
{
	bool failed = ferror(place->file) != 0;
	FILE *file = place->file;

	place->file = NULL;
	errno = 0;
	if (fclose(file) != 0 || failed)
		return errno != 0 ? errno : EIO;
	return 0;
}

int place_keep(struct place *place)
{
	if (rename(place->temporary, place->path) != 0)
		return errno;
	free(place->temporary);
	place->temporary = NULL;
	return 0;
}

void place_free(struct place *place)
{
	if (place->file != NULL)
		fclose(place->file);
	if (place->temporary != NULL)
		remove(place->temporary);
	free(place->temporary);
	free(place->path);
	*place = (struct place){0};
}
