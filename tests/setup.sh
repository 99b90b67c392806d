#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# setup.sh [demo|tests] - installs what go/demo.sh needs, or what all tests do
# (the default), on Debian 12 and its kin. Says before what it installs, how
# much that is and about how long it takes. On other systems it names what is
# missing and stops.
set -eu

usage="usage: setup.sh [demo|tests]"
kind=${1:-tests}
case $kind in
demo | tests) ;;
-h | -help | --help)
	echo "$usage"
	exit
	;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
cd "$(dirname "$0")/.."
. tests/step.sh

# Bazel with what Debian keeps apart from it, a C compiler, the Go that is
# patched, and git for the series of patches. Tests also need cmocka, and a C++
# compiler for the test that C++ can use the header.
packages="bazel-bootstrap bazel-platforms gcc git golang-1.19-go libc6-dev"
[ "$kind" = demo ] || packages="$packages g++ libcmocka-dev"

# compiles LANGUAGE HEADER... - whether cc finds the headers.
compiles() {
	language=$1
	shift
	printf '#include <%s>\n' "$@" | cc -E -x "$language" - >/dev/null 2>&1
}

# without_packages REASON - where apt-get cannot install what is needed: exits
# with status 0 if the tools are installed, otherwise prints what is missing.
without_packages() {
	missing=
	for tool in bazel cc git; do
		command -v $tool >/dev/null || missing="$missing $tool"
	done
	if [ "$kind" = tests ]; then
		compiles c stdarg.h stddef.h setjmp.h stdint.h cmocka.h ||
			missing="$missing cmocka"
		compiles c++ cstddef || missing="$missing c++"
	fi
	[ -n "$missing" ] || exit 0
	echo "setup.sh: $1, so install these yourself:$missing" >&2
	echo "setup.sh: (Bazel may be any release that still reads WORKSPACE)" >&2
	exit 1
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	without_packages "this is not Debian"
fi

missing=
# A package may also be installed for other architectures.
for package in $packages; do
	# shellcheck disable=SC2016
	dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
		grep -qx "install ok installed" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install --no-install-recommends$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "setup.sh: some packages are missing; as root, run" >&2
		echo "	apt-get update && $install" >&2
		exit 1
	fi
	as_root=sudo
	# sudo prompts for the password now, not while a progress line is shown.
	sudo -v
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The first of the lines of apt-get that match PATTERN, and how many more.
complaints() {
	grep "$1" "$log" | head -n 2
	lines=$(grep -c "$1" "$log" || true)
	[ "$lines" -le 2 ] || echo "and $((lines - 2)) more such lines"
}

run() {
	step "$@" && return
	if grep -q '^E: ' "$log"; then
		complaints '^E: ' >&2
	else
		tail -n 20 "$log" >&2
	fi
	if grep -q '^E: Failed to fetch' "$log"; then
		echo "setup.sh: packages cannot be fetched: is there a network?" >&2
	fi
	exit 1
}

# Bazel brings Java with it.
about=
case $missing in
*bazel-bootstrap*) about=", which took two minutes where it was tried" ;;
esac
run "asking for the lists of packages" "$log" $as_root apt-get update -q
# Without a network apt-get warns of that, and goes on with the lists it has.
complaints '^W: Failed to fetch' >&2
# apt-get says how much it is when it may not begin.
# shellcheck disable=SC2086
$as_root env LC_ALL=C $install --assume-no >"$log" 2>&1 || true
if grep -q '^E: .*\(Unable to locate\|no installation candidate\)' "$log"; then
	complaints '^E: ' >&2
	without_packages "this is not Debian 12"
fi
sed -n '/newly installed/p; /^Need to get/p; /^After this operation/p' "$log" |
	sed 's/^/setup.sh: /' >&2
# What is downloaded is not kept: that would be another 350 MB.
# shellcheck disable=SC2086
run "installing$missing$about" "$log" \
	$as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C $install \
	-o APT::Keep-Downloaded-Packages=false -q -y
