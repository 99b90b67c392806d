#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# on_demand_test.sh GOROOT [CACHE] - proves that in a patched toolchain of Go
# 1.25 or later without a binary of the tool, the go command builds one that has
# the reports, and that one built without cgo prints what is missing and does
# all else.
set -eu

. tests/go/env.sh
goroot=$(readlink -f "$1")
[ $# -lt 2 ] || go_cache "$2"

version=$("$goroot/bin/go" env GOVERSION)
case $version in
go1.[0-9] | go1.[0-9].* | go1.1[0-9]* | go1.2[0-4]*)
	echo "skipped: make.bash of $version builds the tool"
	exit
	;;
esac

# A tree of links to that one, but without the tool.
tree=$scratch/goroot
tools=pkg/tool/$("$goroot/bin/go" env GOOS)_$("$goroot/bin/go" env GOARCH)
mkdir -p "$tree/$tools"
ln -s "$goroot"/* "$tree/" 2>/dev/null || true
ln -s "$goroot"/pkg/* "$tree/pkg/" 2>/dev/null || true
ln -s "$goroot/$tools"/* "$tree/$tools/"
rm "$tree/$tools/trace"
export GOROOT=$tree
go=$goroot/bin/go
old=testdata/go1.8-small/idle
new=testdata/go1.22-small/idle

CGO_ENABLED=1 "$go" tool trace -diagreedy=10 $old.trace |
	cmp - $old.diagreedy10
tool=$(CGO_ENABLED=1 "$go" tool -n trace)
case $tool in
"$GOCACHE"/*) echo "$version: the go command built $tool" ;;
*)
	echo "FAIL: the tool is $tool, not one of the cache"
	exit 1
	;;
esac

# without VARIABLE=VALUE... - the tool as it is built with this environment.
without() {
	local status=0
	env "$@" "$go" tool trace -dump $old.trace \
		>"$scratch/out" 2>"$scratch/err" || status=$?
	if [ $status -ne 1 ] || [ -s "$scratch/out" ] ||
		! grep -q "need cgo" "$scratch/err" ||
		! grep -q "with a C compiler installed, CGO_ENABLED=1 go tool trace" \
			"$scratch/err"; then
		echo "FAIL: $*: exit $status: $(cat "$scratch/err")"
		exit 1
	fi
	env "$@" "$go" tool trace -d=parsed $new.trace >"$scratch/out"
	[ -s "$scratch/out" ]
	if command -v python3 >/dev/null; then
		python3 -B tests/go/pages_test.py "$(env "$@" "$go" tool -n trace)" \
			"$version" "$scratch" none
	fi
	echo "$*: $(cat "$scratch/err")"
}

without CGO_ENABLED=0
# The go command turns cgo off if there is no C compiler.
without -u CC PATH=/nonexistent
