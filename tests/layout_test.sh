#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# layout_test.sh - the public structs are laid out as tests/layout.txt says,
# where pointers have 8 bytes, and request_test.c tests each field of a request.
set -eu

if [ "$(getconf LONG_BIT)" != 64 ]; then
	echo "skipped: pointers do not have 8 bytes"
	exit
fi
exec python3 -B tests/layout.py -compare c/include tests/layout.txt
