# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# env.sh - sourced by the tests that run a go command: sets scratch, a folder
# that is removed at the end, and lets no setting of the user's reach the go
# command, which keeps its files in that folder. What it builds is kept in the
# output base of Bazel, which empties the folders of tests in each run: the standard
# library of a release, which from Go 1.20 on is not installed, is built for the first
# test that needs it, and the other configurations of run.sh have it, too. Results of
# tests are not taken from there.
#
# go_cache CACHE - adds what was built for //go:goroot to that. CACHE is the folder
# that goroot.sh made; it stays as it is.
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
unset GOENV GOROOT
export GOPATH=$scratch GOCACHE=$scratch/cache GOFLAGS=-count=1 HOME=$scratch
[ -z "${TEST_TMPDIR:-}" ] || GOCACHE=${TEST_TMPDIR%/execroot/*}/go_cache
export GOTOOLCHAIN=local

go_cache() {
	local added

	CC=$(cat "$1/CC")
	export CC
	[ "$1" != "$GOCACHE" ] || return 0
	added=$GOCACHE/added-$(stat -Lc %i-%Y "$1/CC")
	mkdir -p "$GOCACHE"
	# One test at a time; without flock, what two copy at once cp refuses, and the
	# go command builds anew what it does not find whole.
	(
		flock 9 2>/dev/null || true
		[ ! -e "$added" ] || exit 0
		cp -RLn "$1"/[0-9a-f][0-9a-f] "$GOCACHE" 2>/dev/null || true
		chmod -R u+w "$GOCACHE" 2>/dev/null || true
		touch "$added"
	) 9>"$GOCACHE/lock"
}
