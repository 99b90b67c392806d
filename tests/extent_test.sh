#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# extent_test.sh GTRACE EXTENT.PY - what is said of a whole trace is said of its
# extent, in all recorded traces.
set -eu

if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not there"
	exit 0
fi
# shellcheck disable=SC2046 # words
python3 -B "$2" "$1" $(find -L testdata -name '*.trace' -not -path '*/damaged/*' \
	-not -path '*/attack/*' -not -path '*/fuzz/*' | sort)
