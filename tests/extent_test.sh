#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# extent_test.sh GTRACE EXTENT.PY - what is said of a whole trace is said of its
# extent, in the recorded traces of up to 30 KiB, or of any size in a long run.
set -eu

if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not there"
	exit 0
fi
size="-size -31k"
[ -z "${GTRACE_LONG:-}" ] || size=
# shellcheck disable=SC2046,SC2086 # words
python3 -B "$2" "$1" $(find -L testdata -name '*.trace' $size -not -path '*/damaged/*' \
	-not -path '*/attack/*' -not -path '*/fuzz/*' | sort)
