#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# get_test.sh - proves, without a network, that get.sh unpacks an archive with
# the right SHA-256, and that it leaves nothing of any other.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

# archive NAME VERSION - makes an archive like those of go.dev/dl. Sets sum.
archive() {
	rm -rf "$scratch/go"
	mkdir -p "$scratch/go/src"
	printf %s "$2" >"$scratch/go/VERSION"
	echo "package x" >"$scratch/go/src/x.go"
	tar -czf "$scratch/$1.tar.gz" -C "$scratch" go
	sum=$(sha256sum <"$scratch/$1.tar.gz")
	sum=${sum%% *}
	echo "$1 file://$scratch/$1.tar.gz $sum" >>"$scratch/releases"
}

# refuses WORDS ARGUMENT... - get.sh fails, says so, and leaves nothing.
refuses() {
	words=$1
	shift
	! "$scratch/get.sh" "$@" 2>"$scratch/err" || fail "get.sh $*: no error"
	grep -q "$words" "$scratch/err" || fail "get.sh $*: $(cat "$scratch/err")"
	[ -z "$(ls -A "$scratch/trees" 2>/dev/null)" ] || fail "get.sh $*: leaves something"
}

cp patches/get.sh "$scratch"
echo "# a comment" >"$scratch/releases"
archive go1.8.3 go1.8.3
archive go1.8.4 go1.8.3
archive go1.8.5 go1.8.5
echo . >>"$scratch/go1.8.5.tar.gz"
echo "go1.8.6 file://$scratch/none.tar.gz $sum" >>"$scratch/releases"

refuses "usage: .* go1.8.3 go1.8.4 go1.8.5" go1.8.3
refuses "go1.8 is not in" go1.8 "$scratch/trees/a"
refuses "does not have the sources of go1.8.4" go1.8.4 "$scratch/trees/a"
refuses "SHA-256 of file://.* is [0-9a-f]*, want $sum" go1.8.5 "$scratch/trees/a"
refuses "none.tar.gz cannot be downloaded" go1.8.6 "$scratch/trees/a"

"$scratch/get.sh" go1.8.3 "$scratch/trees/a/" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
[ "$(ls -A "$scratch/trees")" = a ] || fail "more than the folder: $(ls -A "$scratch/trees")"
cmp "$scratch/trees/a/src/x.go" "$scratch/go/src/x.go"
! "$scratch/get.sh" go1.8.3 "$scratch/trees/a" 2>"$scratch/err" || fail "a folder that exists: no error"
grep -q 'exists$' "$scratch/err" || fail "a folder that exists: $(cat "$scratch/err")"

# What is in the project.
grep -q '^go1\.8\.3 https://go\.dev/dl/go1\.8\.3\.src\.tar\.gz [0-9a-f]\{64\}$' patches/releases ||
	fail "patches/releases"
echo "get_test.sh: an archive is taken, four are refused"
