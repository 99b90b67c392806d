#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh FOLDER - builds the library, the command and its documents without
# Bazel, for install.sh --from=FOLDER. Takes CC, CPPFLAGS, CFLAGS and LDFLAGS
# from the environment. GTRACE, if it is set, is a gtrace that runs on this
# machine, for a build for another one.
set -eu

usage="usage: build.sh FOLDER"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
1:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
mkdir -p "$1/c/tools"
from=$1
install=$(dirname "$0")/install.sh
to=$(cd "$1/c" && pwd)
cd "$(dirname "$0")"
compile="${CC:-cc} -std=c11 -I. -Iinclude ${CPPFLAGS:-} ${CFLAGS:--O2}"

echo "build.sh: compiling the library and the command, about half a minute on one processor" >&2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for file in */*.c *.c; do
	case $file in
	fuzz/* | tables/* | tools/*) continue ;;
	esac
	# shellcheck disable=SC2086 # flags are words
	$compile -fvisibility=hidden -fPIC -c "$file" \
		-o "$scratch/$(echo "$file" | tr / _).o"
done
rm -f "$to/libgtrace.a"
${AR:-ar} rcs "$to/libgtrace.a" "$scratch"/*.o
# shellcheck disable=SC2086
$compile tables/*.c tools/*.c "$to/libgtrace.a" ${LDFLAGS:-} -pthread -o "$to/tools/gtrace"

gtrace=${GTRACE:-$to/tools/gtrace}
"$gtrace" -print=man >"$to/tools/gtrace.1"
"$gtrace" -print=bash >"$to/tools/gtrace.bash"
"$gtrace" -print=zsh >"$to/tools/_gtrace"
echo "build.sh: done; to install it: $install --from=$from [--prefix=DIR]" >&2
