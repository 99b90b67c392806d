#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# macos_test.sh [ZIG] - the command in C links for macOS, arm64 and amd64, with the
# compiler ZIG. That is no test that it runs there. Without ZIG, the one in `python3
# -m ziglang` is taken, which is installed from PyPI for this test if it is not there.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
skip() {
	echo "skipped: $*"
	exit
}

zig=${1:-}
if [ -z "$zig" ]; then
	command -v python3 >/dev/null || skip "no python3, which has the compiler"
	if ! python3 -c 'import ziglang' 2>/dev/null; then
		python3 -m pip install -q --target "$scratch/zig" ziglang >"$scratch/log" 2>&1 ||
			skip "pip does not install ziglang: $(tail -n 1 "$scratch/log")"
		export PYTHONPATH=$scratch/zig
	fi
	zig=$(python3 -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
fi
export ZIG_GLOBAL_CACHE_DIR=$scratch/cache ZIG_LOCAL_CACHE_DIR=$scratch/cache

# From the folder that has the sources, and not from links to them.
cd "$(dirname "$(readlink -f "$0")")/.."
for processor in aarch64:0c000001 x86_64:07000001; do
	"$zig" cc -target "${processor%:*}-macos" -std=c11 -O1 -Ic -Ic/include -DNDEBUG c/*.c \
		c/base/*.c c/analysis/*.c c/feed/*.c c/v1/*.c c/v2/*.c c/edit/*.c c/report/*.c \
		c/tables/*.c c/tools/*.c -pthread -o "$scratch/gtrace"
	# A file of Mach-O with 64 bits, the processor, and that it is a program.
	[ "$(od -An -tx1 -N16 "$scratch/gtrace" | tr -d ' \n' | sed 's/^\(.\{16\}\).\{8\}/\1/')" = \
		"cffaedfe${processor#*:}02000000" ] || {
		echo "macos_test.sh: $processor: $(od -An -tx1 -N16 "$scratch/gtrace")"
		exit 1
	}
	echo "${processor%:*}-macos: links, $(wc -c <"$scratch/gtrace") bytes; not run"
done
