#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh TARGET SECONDS CORPUS - fuzzes TARGET (greedy, dump, edit, stops, stream,
# tables, reports, record, merge, v2_record or v2_order) for SECONDS of time with clang's
# libFuzzer, under AddressSanitizer and UndefinedBehaviorSanitizer. New inputs go to
# the folder CORPUS, those that fail to the current folder. With SECONDS 0 it makes
# CORPUS smaller instead: what adds nothing is left out.
set -eu

if [ $# -ne 3 ]; then
	sed -n '/^# run.sh/,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2
	exit 2
fi
target=$1
seconds=$2
corpus=$3
here=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

more=
[ "$target" != reports ] ||
	more=$(echo "$here"/../tests/mutated/every_report.c \
		"$here"/../tests/mutated/sums.c "$here"/../tests/mutated/json.c)
libraries=-pthread
[ "$target" != tables ] || libraries="-pthread -lcmocka"
# shellcheck disable=SC2046,SC2086 # the sources are several words
clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all -I"$here" -I"$here/include" -I"$here/.." \
	$(find "$here" -name '*.c' ! -path '*/tools/*' ! -path '*/fuzz/*') \
	"$here/fuzz/${target}_fuzzer.c" $more $libraries -o "$scratch/fuzzer"
mkdir -p "$corpus" "$scratch/seeds" "$scratch/less"
if [ "$seconds" = 0 ]; then
	"$scratch/fuzzer" -merge=1 "$scratch/less" "$corpus"
	rm -r "$corpus"
	mv "$scratch/less" "$corpus"
	exit 0
fi
# Small seeds: the fuzzer changes them faster than it could large ones.
find "$here/../testdata" -name '*.trace' -size -40k -exec cp {} "$scratch/seeds" \;
cp "$here"/../testdata/fuzz/* "$scratch/seeds"
"$scratch/fuzzer" -max_total_time="$seconds" -max_len=65536 -timeout=20 \
	-dict="$here/fuzz/trace.dict" -print_final_stats=1 \
	"$corpus" "$scratch/seeds"
