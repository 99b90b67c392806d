#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# engines_test.sh GTRACE TEST.py - runs a test with engines that read tables, which
# sh tests/run.sh -engines installs.
set -eu

python=${GTRACE_ENGINES:-}/bin/python
[ -n "${GTRACE_ENGINES:-}" ] && [ -x "$python" ] || {
	echo "skipped: DuckDB, pyarrow and Spark are not installed: sh tests/run.sh -engines"
	exit 0
}
PYTHONPATH=tests/engines exec "$python" -B "$2" "$1" testdata
