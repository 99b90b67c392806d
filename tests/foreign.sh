#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# foreign.sh SYSTEM [TEST...] - compiles the library, the tests in C and the
# command for another processor, and runs them under QEMU's user emulation. Run
# by hand:
#
#	foreign.sh aarch64-linux-gnu
#	foreign.sh s390x-linux-gnu      (which is big-endian)
#
# TEST is a file such as tests/trace_test.c; without, all are run, and the
# reports of testdata compared. On Debian 12 it takes, for arm64,
#
#	dpkg --add-architecture arm64
#	apt-get update
#	apt-get install qemu-user gcc-aarch64-linux-gnu libcmocka-dev:arm64
#
# and for s390x the same with that word; for i386
#
#	dpkg --add-architecture i386
#	apt-get update
#	apt-get install gcc-multilib libcmocka-dev:i386
set -eu

cd "$(dirname "$0")/.."
if [ $# -lt 1 ]; then
	echo "usage: foreign.sh SYSTEM [TEST...]" >&2
	exit 2
fi
system=$1
shift
case $system in
i386-*)
	# SSE2, as x87 computes with other precision, which shows in pictures.
	CC=${CC:-gcc -m32 -msse2 -mfpmath=sse}
	qemu=env
	;;
*)
	CC=${CC:-$system-gcc}
	qemu=${QEMU:-qemu-${system%%-*}}
	;;
esac
for program in "${CC%% *}" "$qemu"; do
	if ! command -v "$program" >/dev/null; then
		echo "skipped: no $program"
		exit
	fi
done
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(ls tests/*_test.c tests/*/*_test.c) golden

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo 'int main(void) { return 0; }' >"$scratch/main.c"
# shellcheck disable=SC2086
if ! $CC "$scratch/main.c" -lcmocka -o "$scratch/main" 2>/dev/null; then
	echo "skipped: no C library or no cmocka for $CC (foreign.sh says what to install)"
	exit
fi
# Warnings are errors: sizes and signs of types differ between processors.
flags="-std=c11 -O1 -pedantic-errors -Wall -Wextra -Wconversion -Wshadow
	-Wsign-compare -Wundef -Wvla -Werror -Ic -Ic/include -I. -Itests"

# compile FILE - to an object in scratch that has the file's path in its name.
compile() {
	object=$scratch/$(echo "${1%.c}" | tr / -).o
	# shellcheck disable=SC2086
	$CC $flags -c "$1" -o "$object"
}

library=
for file in c/*.c c/*/*.c; do
	case $file in
	c/fuzz/* | c/tools/gtrace.c) continue ;;
	esac
	compile "$file"
	library="$library $object"
done
support=
for file in tests/*.c; do
	case $file in
	*_test.c) continue ;;
	esac
	compile "$file"
	support="$support $object"
done

# Whether a signal handler learns the address of a lost page. QEMU's user
# emulation, 7.2 as well as 10.0, swaps its halves for s390x, and a test that
# loses pages would not end.
cat >"$scratch/probe.c" <<'END'
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char *page;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	_exit(info->si_addr != page);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	char path[] = "/tmp/gtrace_foreign_XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	sigaction(SIGBUS, &action, NULL);
	return *(volatile char *)page + 2;
}
END
# shellcheck disable=SC2086
$CC "$scratch/probe.c" -o "$scratch/probe"
sigbus=wrong
if "$qemu" "$scratch/probe"; then
	sigbus=right
fi

# run NAME COMMAND... - a test, whose output is shown if it fails.
passed=0
failed=0
run() {
	name=$1
	shift
	from=$(date +%s)
	if TEST_TMPDIR=$scratch timeout 1800 "$@" >"$scratch/log" 2>&1; then
		passed=$((passed + 1))
		echo "$name: passed in $(($(date +%s) - from)) s"
	else
		failed=$((failed + 1))
		tail -n 30 "$scratch/log"
		echo "$name: FAILED after $(($(date +%s) - from)) s"
	fi
}

for test; do
	if [ "$test" = golden ]; then
		# shellcheck disable=SC2086
		$CC $flags c/tools/gtrace.c $library -pthread -o "$scratch/gtrace"
		for folder in testdata testdata/*-small; do
			run "$folder" sh tests/golden/golden.sh "$folder" \
				"$qemu" "$scratch/gtrace"
		done
		continue
	fi
	if [ $sigbus = wrong ] && grep -q SIGBUS "$test"; then
		echo "$test: skipped: $qemu mixes up the addresses of SIGBUS"
		continue
	fi
	compile "$test"
	# shellcheck disable=SC2086
	$CC -o "$scratch/test" "$object" $support $library -lcmocka -lm \
		-pthread
	run "$test" "$qemu" "$scratch/test"
done
echo "$system: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
