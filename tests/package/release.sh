#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# release.sh FOLDER - writes what a release offers to FOLDER: gtrace.html, the page
# for any browser, as a file for any web server; gtrace-VERSION.tar.xz, the sources;
# and SHA256SUMS. Takes what c/web/build.sh takes.
set -eu

usage="usage: release.sh FOLDER"
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
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$1"
cd "$1"
sh "$root/c/web/build.sh" "$PWD/gtrace.html"
sh "$root/tests/package/debian.sh" "$scratch" >"$scratch/log"
for sources in "$scratch"/*.orig.tar.xz; do
	name=${sources##*/}
	cp "$sources" "$(echo "${name%.orig.tar.xz}" | tr _ -).tar.xz"
done
sha256sum gtrace.html gtrace-*.tar.xz >SHA256SUMS
echo "release.sh: next: python3 -m http.server --directory $PWD 8000"
