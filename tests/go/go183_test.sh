#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# go183_test.sh GTRACE LIBRARY BOOTSTRAP - proves, where GTRACE_GO183_ROOT names a
# go1.8.3 tree, that the series for it applies, that make.bash alone then
# builds all, and that the result passes what other toolchains have to pass.
# BOOTSTRAP is a Go to build with if that tree has not been built.
set -eu

gtrace=$1
library=$2
bootstrap=${3:-}
tree=${GTRACE_GO183_ROOT:-}
if [ -z "$tree" ]; then
	echo "skipped: no tree of go1.8.3 in GTRACE_GO183_ROOT or ~/go1.8.3; patches/get.sh go1.8.3 ~/go1.8.3 gets it"
	exit
fi
if [ -e "$tree/src/cmd/trace/report.go" ] && ! [ -e "$tree/.git" ]; then
	echo "skipped: $tree is patched already; patches/get.sh gets another"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

goroot=$scratch/goroot
if [ -e "$tree/.git" ]; then
	# As a reviewer would: git am on the release's tag.
	git clone -q --shared "$tree" "$goroot"
	git -C "$goroot" -c advice.detachedHead=false checkout -q go1.8.3
else
	mkdir "$goroot"
	cp -RLp "$tree"/{VERSION,bin,include,lib,misc,pkg,src,test} "$goroot" \
		2>/dev/null || true
	chmod -R u+w "$goroot"
fi
patches/apply.sh "$goroot"

if [ -x "$tree/bin/go" ]; then
	bootstrap=$tree
fi
if ! (
	cd "$goroot/src"
	unset GOPATH GOROOT
	# Modules, which the bootstrapping Go may know, are not meant.
	GO111MODULE=off GOROOT_BOOTSTRAP=$bootstrap HOME=$scratch ./make.bash
) >"$scratch/log" 2>&1; then
	tail -n 50 "$scratch/log"
	exit 1
fi
tail -n 3 "$scratch/log"

export GOROOT=$goroot
tests/go/toolchain_test.sh "$gtrace" "$goroot"
tests/go/command_test.sh "$goroot"
tests/go/shim_test.sh plain "$goroot" "$library"
tests/go/shim_test.sh checked "$goroot" "$library"
if [ -x "$tree/bin/go" ]; then
	tests/go/unchanged_test.sh "$goroot" "$tree"
else
	echo "skipped: $tree is not built, so there is nothing to compare with"
fi
