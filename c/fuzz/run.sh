#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh SECONDS CORPUS - fuzzes the reports for SECONDS of time with clang's
# libFuzzer, under AddressSanitizer and UndefinedBehaviorSanitizer. New inputs
# go to the folder CORPUS, those that fail to the current folder.
set -eu

seconds=$1
corpus=$2
here=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all -I"$here" -I"$here/include" \
	"$here"/*.c "$here"/base/*.c "$here"/v1/*.c "$here"/run/*.c \
	"$here"/report/*.c "$here/fuzz/greedy_fuzzer.c" -pthread \
	-o "$scratch/fuzzer"
mkdir -p "$corpus" "$scratch/seeds"
# Small seeds: the fuzzer changes them faster than it could large ones.
find "$here/../testdata" -name '*.trace' -size -40k -exec cp {} "$scratch/seeds" \;
"$scratch/fuzzer" -max_total_time="$seconds" -max_len=65536 -timeout=20 \
	-dict="$here/fuzz/trace.dict" "$corpus" "$scratch/seeds"
