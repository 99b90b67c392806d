#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# wasm_inputs_test.sh GTRACE INPUTS COUNT [WASM] - COUNT traces that are changed at
# random, which INPUTS (mutated/reports_test.c) makes: the command for Go alone prints
# of each what GTRACE does, in one of fifteen reports, and exits like it. Each has an
# instance of its own, in one process. WASM is as for wasm_test.sh.
set -eu

test=wasm_inputs_test.sh
gtrace=$(realpath "$1")
inputs=$2
count=$3
wasm=${4:-}
. tests/go/wasm.sh
mkdir "$scratch/inputs"
"$inputs" -write 1 "$count" "$scratch/inputs"
cd "$scratch/module/cmd/gtrace"
GTRACE_INPUTS=$scratch/inputs GTRACE_NATIVE=$gtrace "$go" test -count=1 -timeout=60m -v . |
	tee "$scratch/log" || true
grep -q '^--- PASS: TestInputs' "$scratch/log" || fail "see above"
