#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# skill_test.sh GTRACE README SKILL_TEST.PY - bounded output, and the text for agents:
# its steps, played on traces with known causes.
set -eu

if ! command -v python3 >/dev/null; then
	echo "skipped: no python3, which plays the steps"
	exit
fi
exec python3 -B "$3" "$1" "$2"
