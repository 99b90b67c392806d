#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# package_test.sh GTRACE - what tests/package/release.sh writes: twice the same bytes,
# binaries that run, and sums that agree.
set -eu

gtrace=$(realpath "$1")
# The repository, also where Bazel has made a folder of links to it.
cd "$(dirname "$(readlink -f tests/package/release.sh)")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if ! command -v clang >/dev/null || [ ! -e /usr/include/wasm32-wasi ]; then
	echo "skipped: no clang with wasi-libc"
	exit
fi
for run in one two; do
	sh tests/package/release.sh "$scratch/$run" >"$scratch/$run.log" 2>"$scratch/err" || {
		tail -n 3 "$scratch/err"
		if grep -q 'dial tcp\|no such host\|proxy' "$scratch/err"; then
			echo "skipped: the go command cannot fetch wazero"
			exit
		fi
		exit 1
	}
done
cat "$scratch/one.log"
cmp "$scratch/one/SHA256SUMS" "$scratch/two/SHA256SUMS"
(cd "$scratch/two" && sha256sum -c SHA256SUMS)
copy=testdata/stops/go1.27_copy.trace
"$gtrace" $copy >"$scratch/want"
for binary in "$scratch"/one/gtrace-*-linux-*; do
	case $binary in
	*-"$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')") "$binary" $copy | cmp - "$scratch/want" ;;
	*) echo "${binary##*/} only links: it is for another processor" ;;
	esac
done
