#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# release.sh FOLDER [MODULE] - writes what a release offers to FOLDER:
#
#	gtrace.html                   the command in a page, for any browser
#	gtrace-VERSION-linux-ARCH     the command as one file, for amd64 and arm64
#	gtrace-VERSION-go.tar.xz      the Go module MODULE (gtrace, if it is not given),
#	                              with the command for Go alone in cmd/gtrace
#	gtrace-VERSION.tar.xz         the sources
#	SHA256SUMS                    of these
#
# The same commit, made with the same programs, gives the same bytes. Takes what
# c/web/build.sh takes, gcc and Go; a file that something is missing for is left out,
# and it is said.
set -eu

usage="usage: release.sh FOLDER [MODULE]"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
[12]:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
module=${2:-gtrace}
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$root"
version=$(sed -n 's/^#define GTRACE_VERSION "\(.*\)"$/\1/p' c/include/gtrace/gtrace.h)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH

# static COMPILER ARCH - the command as a file that needs no other.
static() {
	if ! command -v "$1" >/dev/null; then
		echo "release.sh: left out: linux-$2, as $1 is not there"
		return
	fi
	"$1" -std=c11 -O2 -static -s -Ic -Ic/include -DNDEBUG c/*.c c/base/*.c c/analysis/*.c \
		c/feed/*.c c/v1/*.c c/v2/*.c c/edit/*.c c/report/*.c c/tables/*.c c/tools/*.c \
		-pthread -o "$to/gtrace-$version-linux-$2"
}

sh c/web/build.sh "$scratch/gtrace.wasm"
python3 c/web/make.py "$scratch/gtrace.wasm" "$to/gtrace.html"
static x86_64-linux-gnu-gcc amd64
static aarch64-linux-gnu-gcc arm64

if command -v go >/dev/null; then
	tree=gtrace-$version-go
	sh go/module.sh "$scratch/$tree" "$module" "$scratch/gtrace.wasm"
	tar -C "$scratch" --sort=name --owner=0 --group=0 --mode=u+rw,go=rX \
		--mtime="@$SOURCE_DATE_EPOCH" -cJf "$to/$tree.tar.xz" "$tree"
else
	echo "release.sh: left out: the Go module, as go is not there"
fi

sh tests/package/debian.sh "$scratch" >"$scratch/log"
for sources in "$scratch"/*.orig.tar.xz; do
	name=${sources##*/}
	cp "$sources" "$to/$(echo "${name%.orig.tar.xz}" | tr _ -).tar.xz"
done
cd "$to"
sha256sum gtrace.html gtrace-"$version"* >SHA256SUMS
echo "release.sh: next: python3 -m http.server --directory $to 8000"
