# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# env.sh - sourced by the tests that run a go command: sets scratch, a folder
# that is removed at the end, and lets no setting of the user's reach the go
# command, which keeps its files in that folder. What it builds is kept beside the
# folder that Bazel gives the test: the standard library of a release, which from Go
# 1.20 on is not installed, is built for the first test that needs it. Results of
# tests are not taken from there.
#
# go_cache CACHE - adds what was built for //go:goroot to that. CACHE is the folder
# that goroot.sh made; it stays as it is.
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
unset GOENV GOROOT
export GOPATH=$scratch GOCACHE=$scratch/cache GOFLAGS=-count=1 HOME=$scratch
[ -z "${TEST_TMPDIR:-}" ] || GOCACHE=${TEST_TMPDIR%/*}/go_cache
export GOTOOLCHAIN=local

go_cache() {
	local added

	CC=$(cat "$1/CC")
	export CC
	[ "$1" != "$GOCACHE" ] || return 0
	# Two tests may do so at the same time: the go command builds anew what it
	# does not find whole.
	added=$GOCACHE/added-$(stat -Lc %i-%Y "$1/CC")
	[ ! -e "$added" ] || return 0
	mkdir -p "$GOCACHE"
	cp -RLn "$1"/[0-9a-f][0-9a-f] "$GOCACHE"
	chmod -R u+w "$GOCACHE"
	touch "$added"
}
