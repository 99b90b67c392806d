/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - a whole file as bytes in memory. */
#define _DEFAULT_SOURCE      /* madvise, MAP_ANONYMOUS */
#define _FILE_OFFSET_BITS 64 /* files of over 2 GB where off_t has 32 bits */

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/stream.h"

#if HAS_MAPPED_FILES
#include <sys/mman.h>
#endif

/* The first buffer of a file of unknown size. It doubles from there. */
#define READ_FIRST ((size_t)1 << 20)

static enum gtrace_status fail_read(const struct input *input, int code,
				    const char *name,
				    struct gtrace_error *error)
{
	return gti_fail_system(
		error, GTRACE_ERROR_READ, input->size, code,
		input->size < INPUT_HEAD
			? "failed to read header: read %zu, err read %s"
			: "failed to read trace at offset 0x%zx: read %s",
		input->size, name);
}

/* Doubles the capacity. The first one is EXPECTED bytes. */
static bool grow(struct input *input, size_t expected)
{
	const struct gtrace_allocator *memory = input->memory;
	size_t capacity = input->capacity == 0 ? expected : input->capacity * 2;
	void *data;

	if (capacity <= input->capacity)
		return false;
	data = memory->resize(memory->context, (void *)(uintptr_t)input->data,
			      input->capacity, capacity);
	if (data == NULL)
		return false;
	input->data = data;
	input->capacity = capacity;
	return true;
}

/*
 * Reads FD, which may have EXPECTED bytes, to its end, or until CHECK rejects
 * its first bytes.
 */
static enum gtrace_status read_all(struct input *input, int fd, size_t expected,
				   const char *name, input_check *check,
				   struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;
	bool at_head;
	ssize_t n;

	input->kind = INPUT_READ;
	while (status == GTRACE_OK) {
		if (input->size == input->capacity && !grow(input, expected)) {
			status = gti_fail_memory(error);
			break;
		}
		n = read(fd, (uint8_t *)(uintptr_t)input->data + input->size,
			 input->capacity - input->size);
		if (n == 0)
			return GTRACE_OK;
		if (n < 0) {
			if (errno != EINTR)
				status = fail_read(input, errno, name, error);
			continue;
		}
		at_head = input->size < INPUT_HEAD;
		input->size += (size_t)n;
		if (at_head && input->size >= INPUT_HEAD && check != NULL)
			status = check(input->data, input->size, error);
	}
	gti_input_close(input);
	return status;
}

/* Returns false if the file cannot be mapped, as on some file systems. */
static bool map(struct input *input, int fd, size_t size)
{
#if HAS_MAPPED_FILES
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (data == MAP_FAILED)
		return false;
	input->kind = INPUT_MAPPED;
	input->data = data;
	input->size = size;
	input->capacity = size;
	input->page_size = (size_t)sysconf(_SC_PAGESIZE);
	return true;
#else
	(void)input;
	(void)fd;
	(void)size;
	return false;
#endif
}

enum gtrace_status gti_input_fd(struct input *input, int fd, const char *name,
				input_check *check,
				const struct gtrace_allocator *memory,
				struct gtrace_error *error)
{
	struct stat info;

	*input = (struct input){.kind = INPUT_BORROWED, .memory = memory};
	if (fstat(fd, &info) != 0)
		return fail_read(input, errno, name, error);
	/* Some files, such as those of /proc, do not tell their size. */
	if (!S_ISREG(info.st_mode) || info.st_size == 0)
		return read_all(input, fd, READ_FIRST, name, check, error);
	if ((uint64_t)info.st_size >= SIZE_MAX)
		return gti_fail_memory(error);
	if (map(input, fd, (size_t)info.st_size))
		return GTRACE_OK;
	/* A mapping has the whole file, wherever FD is in it. */
	(void)lseek(fd, 0, SEEK_SET);
	/* One byte more than it has, to see that it ends there. */
	return read_all(input, fd, (size_t)info.st_size + 1, name, check,
			error);
}

/* WASI's C library takes an empty name for the current folder. */
static int open_path(const char *path)
{
	int fd;

	if (*path == '\0') {
		errno = ENOENT;
		return -1;
	}
	do
		fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd;
}

enum gtrace_status gti_input_path(struct input *input, const char *path,
				  input_check *check,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	int fd = open_path(path);

	if (fd < 0) {
		int code = errno;

		*input = (struct input){.kind = INPUT_BORROWED};
		return gti_fail_system(error, GTRACE_ERROR_OPEN, 0, code,
				       "open %s", path);
	}
	status = gti_input_fd(input, fd, path, check, memory, error);
	close(fd);
	return status;
}

void gti_input_close(struct input *input)
{
	gti_stream_free(input);
	if (input->kind == INPUT_READ)
		gti_release(input->memory, (void *)(uintptr_t)input->data,
			    input->capacity);
#if HAS_MAPPED_FILES
	if (input->kind == INPUT_MAPPED)
		munmap((void *)(uintptr_t)input->data, input->capacity);
#endif
	*input = (struct input){.kind = INPUT_BORROWED};
}

void gti_input_done_with(const struct input *input, size_t first, size_t end)
{
#if HAS_MAPPED_FILES
	size_t within_page = input->page_size - 1;

	if (input->kind != INPUT_MAPPED)
		return;
	first = (first + within_page) & ~within_page;
	end &= ~within_page;
	if (first < end)
		(void)madvise((void *)(uintptr_t)(input->data + first),
			      end - first, MADV_DONTNEED);
#else
	(void)input;
	(void)first;
	(void)end;
#endif
}
