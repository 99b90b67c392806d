#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# setup.sh [demo|tests|web|go] - installs what go/demo.sh needs, what all tests do (the
# default), what the page for browsers and its test do, or what the command for Go
# alone and a release do, on Debian 12 and its kin. Says before what that is, how
# much, and about how long it takes. On other systems it names what is missing and
# stops.
set -eu

usage="usage: setup.sh [demo|tests|web|go]"
case ${1:-tests} in
demo | tests | web | go) ;;
-h | -help | --help) echo "$usage" && exit ;;
*) echo "$usage" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/.."
. tests/step.sh

# Bazel with what Debian keeps apart from it, a C compiler, the Go that is
# patched, and git for the series of patches. Tests also need cmocka, a C++
# compiler, and the programs that read reports and documents.
packages="bazel-bootstrap bazel-platforms gcc git golang-1.19-go libc6-dev"
[ "${1:-}" = demo ] ||
	packages="$packages curl g++ jq libcmocka-dev mandoc parallel pkg-config sqlite3"
[ "${1:-}" != web ] ||
	packages="$packages chromium chromium-driver clang firefox-esr gcc-multilib libclang-rt-14-dev-wasm32 lld nodejs wasi-libc"
[ "${1:-}" != go ] ||
	packages="$packages clang gcc-aarch64-linux-gnu libc6-dev-arm64-cross libclang-rt-14-dev-wasm32 lld python3 wasi-libc wine wine64 xz-utils"

# without_packages REASON TESTS - where apt-get cannot install what is needed:
# exits with status 0 if the tools are installed, otherwise prints what is missing.
without_packages() {
	missing=
	for tool in bazel cc git; do
		command -v $tool >/dev/null || missing="$missing $tool"
	done
	command -v go >/dev/null || ls /usr/lib/go-*/bin/go >/dev/null 2>&1 ||
		[ -n "${GTRACE_GOROOT:-}" ] || missing="$missing go"
	if [ "$2" != demo ]; then
		printf '#include <%s.h>\n' stdarg stddef setjmp stdint cmocka |
			cc -E - >/dev/null 2>&1 || missing="$missing cmocka"
		echo '#include <cstddef>' | cc -E -x c++ - >/dev/null 2>&1 || missing="$missing c++"
	fi
	[ -n "$missing" ] || exit 0
	die "$1, so install these yourself:$missing
	bazel: 2.1.0, 4.2.3 and 7.7.1 were tried, others were not
	go: a release that patches/README.md names, with the sources of cmd/trace"
}

{ command -v dpkg-query && command -v apt-get; } >/dev/null ||
	without_packages "this is not Debian" "${1:-}"
missing=
for package in $packages; do
	# A package may also be installed for other architectures.
	# shellcheck disable=SC2016
	dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
		grep -qx "install ok installed" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install --no-install-recommends$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || die "some packages are missing; as root, run
	apt-get update && $install"
	as_root=sudo
	sudo -v # asks for the password now, not while a progress line is shown
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {
	step "$@" && return
	grep -m 2 '^E: ' "$log" >&2 || tail -n 20 "$log" >&2
	! grep -q '^E: Failed to fetch' "$log" || die "packages cannot be fetched: is there a network?"
	exit 1
}
run "asking for the lists of packages" "$log" $as_root apt-get update -q
# Without a network apt-get warns of that, and goes on with the lists it has.
grep -m 2 '^W: Failed to fetch' "$log" >&2 || true
# apt-get says how much it is when it may not begin.
# shellcheck disable=SC2086
$as_root env LC_ALL=C $install --assume-no >"$log" 2>&1 || true
! grep -Em 2 '^E: .*(Unable to locate|no installation candidate)' "$log" >&2 ||
	without_packages "this is not Debian 12" "${1:-}"
sed -En '/newly installed|^Need to get|^After this operation/s/^/setup.sh: /p' "$log" >&2
# Bazel brings Java with it, which took two minutes where it was tried. What is
# downloaded is not kept: that would be another 350 MB.
# shellcheck disable=SC2086
run "installing$missing (two minutes if Bazel is among them)" "$log" \
	$as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C $install \
	-o APT::Keep-Downloaded-Packages=false -q -y
