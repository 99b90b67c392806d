# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# served.sh - sourced by tests that run a program, written in Go, which listens at
# the loopback address. It is served.go in the present folder, and runs as $server.
# $scratch is a folder of the test.

# That of the tests in go/, which build the same packages.
cache=$scratch/cache
[ -z "${TEST_TMPDIR:-}" ] || cache=${TEST_TMPDIR%/execroot/*}/go_cache
mkdir -p "$cache"

# build GO - the program. Tests take turns, so that what the first one builds is there
# for the others.
build() (
	flock 9 2>/dev/null || true
	GOCACHE=$cache GO111MODULE=off CGO_ENABLED=0 "$1" build -o served served.go
) 9>"$cache/served"

server=
stop_server() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	server=
}
