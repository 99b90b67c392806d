#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# symbols_test.sh ARCHIVE HEADER - of what the library defines for others to
# link to, the functions that HEADER declares start with gtrace_ and all else
# with gti_; a shared object made of ARCHIVE exports those functions and nothing
# else; the signal handler finds its thread-local variable without a call, also
# in a shared object; and memory comes from the caller's allocator: malloc is
# its default, and functions of the C library that call it are not used.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The preprocessor takes the comments out.
cc -E -P -Ic/include "$2" | tr '\n' ' ' | grep -oE '\<gtrace_[a-z0-9_]+ *\(' |
	tr -d ' (' | sort -u >"$scratch/declared"
grep -q '^gtrace_open_path$' "$scratch/declared"

nm -g --defined-only "$1" | awk 'NF == 3 {print $3}' | sort >"$scratch/defined"
grep -v '^gti_' "$scratch/defined" >"$scratch/public"
if ! diff "$scratch/declared" "$scratch/public"; then
	echo "symbols_test.sh: < is declared in $2 only, > is not declared there"
	exit 1
fi
cc -shared -Wl,-z,defs -Wl,--whole-archive "$1" -Wl,--no-whole-archive \
	-pthread -o "$scratch/libgtrace.so"
nm -D --defined-only "$scratch/libgtrace.so" | awk '{print $3}' |
	sort >"$scratch/exported"
if ! diff "$scratch/declared" "$scratch/exported"; then
	echo "symbols_test.sh: < is not exported, > is not declared in $2"
	exit 1
fi
if nm -g "$1" | grep -w __tls_get_addr; then
	echo "symbols_test.sh: a thread-local variable is found by a call"
	exit 1
fi
nm -A "$1" | awk '$(NF - 1) == "U"' >"$scratch/used"
if grep -vE '\<memory[.a-z]*:' "$scratch/used" |
	grep -E ' (malloc|calloc|realloc|free|reallocarray|aligned_alloc|posix_memalign)$' ||
	grep -E ' (qsort|strn?dup|v?asprintf|tmpfile|f(d|mem)?open|getline|getdelim|popen|opendir)$' \
		"$scratch/used"; then
	echo "symbols_test.sh: memory past the caller's allocator"
	exit 1
fi
grep -qE '\<memory[.a-z]*:.* malloc$' "$scratch/used"
echo "symbols_test.sh: $(wc -l <"$scratch/public") public symbols of" \
	"$(wc -l <"$scratch/defined")"
