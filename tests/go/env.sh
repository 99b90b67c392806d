# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# env.sh - sourced by the tests that run a go command: sets scratch, a folder
# that is removed at the end, and lets no setting of the user's reach the go
# command, which keeps its files in that folder.
#
# go_cache CACHE - lets it begin with what was built for //go:goroot. CACHE is
# the folder that goroot.sh made; it stays as it is.
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
unset GOENV GOFLAGS GOROOT
export GOPATH=$scratch GOCACHE=$scratch/cache HOME=$scratch
export GOTOOLCHAIN=local

go_cache() {
	cp -RL "$1" "$GOCACHE"
	chmod -R u+w "$GOCACHE"
	CC=$(cat "$GOCACHE/CC")
	export CC
}
