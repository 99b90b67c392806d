#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# usage_test.sh SCRIPT... - scripts for users print their usage if that is asked
# for, and where a flag is not known, and do nothing else; those that write a
# folder do not overwrite the sources that they read.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/here"
from=$PWD

fail() {
	echo "usage_test.sh: $*"
	cat "$scratch/out" "$scratch/err"
	exit 1
}

# run STATUS SCRIPT ARGUMENT... - in a folder that has to stay empty.
run() {
	want=$1
	script=$2
	shift 2
	status=0
	(cd "$scratch/here" && exec sh "$from/$script" "$@") \
		>"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
	[ $status -eq "$want" ] || fail "$script $*: status $status, want $want"
	[ -z "$(ls -A "$scratch/here")" ] || fail "$script $*: $(ls -A "$scratch/here")"
}

# is_usage FILE SCRIPT - whether FILE is one line about the use of SCRIPT.
is_usage() {
	[ "$(wc -l <"$1")" -eq 1 ] || fail "$2: not one line"
	grep -q "^usage: ${2##*/}" "$1" || fail "$2: no usage"
}

for script; do
	for flag in -h -help --help; do
		run 0 "$script" $flag
		is_usage "$scratch/out" "$script"
		[ ! -s "$scratch/err" ] || fail "$script $flag: standard error"
	done
	for arguments in -x --x=y "-x y"; do
		# shellcheck disable=SC2086
		run 2 "$script" $arguments
		is_usage "$scratch/err" "$script"
		[ ! -s "$scratch/out" ] || fail "$script $arguments: standard output"
	done
done

mkdir "$scratch/c" "$scratch/gtrace"
cp c/amalgamate.sh "$scratch/c"
: >"$scratch/gtrace/cgo.go"
run 2 c/amalgamate.sh "$scratch/c"
run 2 go/package.sh "$scratch/gtrace"
[ "$(ls "$scratch/c" "$scratch/gtrace" | wc -l)" -eq 5 ] || fail "sources are overwritten"

# Scripts that build say what comes next: build.sh, with a compiler that writes
# empty files, and debian.sh, of a tree that has what it reads.
printf 'while [ "$1" != -o ]; do shift; done\n: >"$2"\n' >"$scratch/cc"
CC="sh $scratch/cc" AR=: GTRACE=echo sh c/build.sh "$scratch/build" 2>"$scratch/err"
grep -q '^build.sh: compiling ' "$scratch/err" || fail "build.sh does not say what it does"
[ "$(tail -n 1 "$scratch/err")" = "build.sh: done; to install it: c/install.sh --from=$scratch/build [--prefix=DIR]" ] ||
	fail "build.sh does not name install.sh"
mkdir -p "$scratch/tree/tests/package" "$scratch/tree/c/include/gtrace"
cp tests/package/debian.sh "$scratch/tree/tests/package"
echo '#define GTRACE_VERSION "1.2"' >"$scratch/tree/c/include/gtrace/gtrace.h"
: >"$scratch/tree/LICENSE"
[ "$(sh "$scratch/tree/tests/package/debian.sh" "$scratch/debian")" = \
	"debian.sh: next: cd $scratch/debian/gtrace-1.2 && dpkg-buildpackage -us -uc" ] ||
	fail "debian.sh does not name dpkg-buildpackage"

# A release has the page, the commands, the Go module and the sources; here all are
# built at once, by programs that write no more than a file.
mkdir "$scratch/tree/c/web" "$scratch/tree/go" "$scratch/bin"
cp tests/package/release.sh "$scratch/tree/tests/package"
echo ': >"$1"' >"$scratch/tree/c/web/build.sh"
echo 'import sys; open(sys.argv[2], "w").write("<!DOCTYPE html>")' >"$scratch/tree/c/web/make.py"
echo 'mkdir "$1" && : >"$1/go.mod"' >"$scratch/tree/go/module.sh"
for program in x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc go; do
	(echo '#!/bin/sh' && cat "$scratch/cc") >"$scratch/bin/$program"
	chmod +x "$scratch/bin/$program"
done
(cd "$scratch" && PATH=$scratch/bin:$PATH sh tree/tests/package/release.sh release) >"$scratch/out" 2>"$scratch/err" ||
	fail "release.sh"
want="SHA256SUMS gtrace-1.2-go.tar.xz gtrace-1.2-linux-amd64 gtrace-1.2-linux-arm64 gtrace-1.2.tar.xz gtrace.html"
[ "$(cd "$scratch/release" && LC_ALL=C ls | tr '\n' ' ')" = "$want " ] ||
	fail "release.sh: $(ls "$scratch/release")"
(cd "$scratch/release" && sha256sum -c --quiet SHA256SUMS) || fail "release.sh: SHA256SUMS"
tar -tf "$scratch/release/gtrace-1.2.tar.xz" | grep -qx gtrace-1.2/c/web/build.sh ||
	fail "release.sh: the sources are not in gtrace-1.2.tar.xz"
[ "$(cat "$scratch/out")" = "release.sh: next: python3 -m http.server --directory $scratch/release 8000" ] ||
	fail "release.sh does not say how the page is served"
echo "usage_test.sh: $# scripts print their usage"
