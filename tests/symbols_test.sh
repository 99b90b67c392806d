#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# symbols_test.sh ARCHIVE - all that the library defines for others to link to
# starts with gtrace_ (public) or gti_ (internal).
set -eu

nm -g --defined-only "$1" | awk 'NF == 3 {print $3}' >"$TEST_TMPDIR/symbols"
grep -q '^gtrace_open_path$' "$TEST_TMPDIR/symbols"
if grep -vE "^(gtrace|gti)_" "$TEST_TMPDIR/symbols"; then
	echo "symbols_test.sh: these do not"
	exit 1
fi
echo "symbols_test.sh: $(wc -l <"$TEST_TMPDIR/symbols") symbols"
