#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# symbols_test.sh ARCHIVE - all that the library defines for others to link to
# starts with gtrace_ (public) or gti_ (internal), and the signal handler finds
# its thread-local variable without a call, also in a shared object.
set -eu

nm -g --defined-only "$1" | awk 'NF == 3 {print $3}' >"$TEST_TMPDIR/symbols"
grep -q '^gtrace_open_path$' "$TEST_TMPDIR/symbols"
if grep -vE "^(gtrace|gti)_" "$TEST_TMPDIR/symbols"; then
	echo "symbols_test.sh: these do not"
	exit 1
fi
if nm -g "$1" | grep -w __tls_get_addr; then
	echo "symbols_test.sh: a thread-local variable is found by a call"
	exit 1
fi
echo "symbols_test.sh: $(wc -l <"$TEST_TMPDIR/symbols") symbols"
