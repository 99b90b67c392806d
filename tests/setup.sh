#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# setup.sh - installs what building and testing needs, on Debian 12 and its
# kin. Says what it installs. On other systems it names what is missing and
# stops.
set -eu

# Bazel with what Debian keeps apart from it, a C compiler and cmocka, the Go
# that is patched, and git for the series of patches.
packages="bazel-bootstrap bazel-platforms gcc g++ git golang-1.19 libc6-dev libcmocka-dev"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	missing=
	for tool in bazel cc git; do
		command -v $tool >/dev/null || missing="$missing $tool"
	done
	if ! printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <cmocka.h>\n' |
		cc -E - >/dev/null 2>&1; then
		missing="$missing cmocka"
	fi
	if [ -z "$missing" ]; then
		exit 0
	fi
	echo "setup.sh: this is not Debian, so install these yourself:$missing" >&2
	echo "setup.sh: (Bazel may be any release that still reads WORKSPACE)" >&2
	exit 1
fi

missing=
for package in $packages; do
	# shellcheck disable=SC2016
	state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
	[ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "setup.sh: these packages are missing, and installing them takes root:$missing" >&2
		exit 1
	fi
	as_root=sudo
fi
echo "setup.sh: installing$missing" >&2
$as_root apt-get update -q >&2
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive \
	apt-get install -q -y --no-install-recommends $missing >&2
