/* SPDX-License-Identifier: BSD-3-Clause */
/* generations.c - the parts of a trace, known by their hashes. */
#include "tables/sha256.h"
#include "tables/work.h"

/* What is known of the generation that is visited. */
struct hashed {
	struct work *work;
	struct sha256 sum;
};

static int add_bytes(void *context, const void *data, size_t size)
{
	struct hashed *hashed = context;

	sha256_add(&hashed->sum, data, size);
	return 0;
}

static int add_generation(void *context, const struct gtrace_trace_part *of)
{
	struct hashed *hashed = context;
	char hash[SHA256_DIGITS + 1];
	struct generations_row row = {
		.generation = number_of(of->number),
		.hash = {hash, SHA256_DIGITS},
		.start_ns = of->start,
		.end_ns = of->end,
		.bytes = number_of(of->size),
	};

	sha256_end(&hashed->sum, hash);
	sha256_begin(&hashed->sum);
	files_add(hashed->work->files, TABLE_GENERATIONS, &row);
	return files_failed(hashed->work->files);
}

enum gtrace_status work_generations(struct work *work,
				    struct gtrace_error *error)
{
	struct hashed hashed = {.work = work};
	const struct gtrace_trace_part_visitor visitor = {
		.size = sizeof(visitor),
		.part = add_generation,
		.bytes = add_bytes,
		.context = &hashed,
	};

	sha256_begin(&hashed.sum);
	return gtrace_visit_trace_parts(work->of->trace, &visitor, error);
}
