#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh - builds the benchmark's programs, makes its inputs, measures, and
# prints the tables that c/README.md shows.
#
#	tests/bench/run.sh [-quick] [-cpu] [-runs=N] [TRACE...]
#
#   -quick   inputs of a tenth of the size
#   -cpu     processor time (user and system) instead of wall clock, for a
#            machine that has other things to do meanwhile
#   -runs=N  each time is the best of N runs, 5 unless said otherwise
#   TRACE    recorded traces to measure beside the synthetic ones
#
# Takes some minutes, with -quick about one. What is being done is on standard
# error, the tables on standard output.
#
# Environment:
#   GTRACE_PROPOSAL_ROOT  a built go1.8.3 tree with the proposal's cmd/trace,
#                         which is then measured too (one run; it takes 90
#                         bytes of memory for each byte of a trace)
#   GTRACE_BENCH_BIN      a folder with gtrace, generate, scan, first_pass and
#                         measure built by other means; Bazel is not run then
#   BAZEL                 the Bazel to run, "bazel" unless said otherwise
#   TMPDIR                where the inputs go, 170 MB at most
#
# Times are of whole processes, best of N; memory is the peak of anonymous
# memory (measure.c tells how both are found).
set -euo pipefail

runs=5
scale=10
clock='wall clock'
traces=()
for argument; do
	case $argument in
	-quick) scale=1 ;;
	-cpu) clock='processor time' ;;
	-runs=*) runs=${argument#-runs=} ;;
	-*)
		sed -n '/^# run.sh/,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2
		exit 2
		;;
	*) traces+=("$(realpath "$argument")") ;;
	esac
done

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
bin=${GTRACE_BENCH_BIN:-$work/bin}
proposal=
trap 'rm -rf "$work"' EXIT

# say WORDS...: what is being done, as long as no row of a table tells.
say() {
	echo "run.sh: $*" >&2
}

build() {
	local target
	say 'building'
	(cd "$root" && "${BAZEL:-bazel}" build -c opt //c/tools:gtrace \
		//tests/bench:all) >"$work/build.log" 2>&1 || {
		cat "$work/build.log" >&2
		exit 1
	}
	mkdir "$bin"
	for target in c/tools/gtrace tests/bench/{generate,scan,first_pass,measure}; do
		cp "$root/bazel-bin/$target" "$bin/"
	done
}

find_proposal() {
	[ -n "${GTRACE_PROPOSAL_ROOT:-}" ] || return 0
	export GOROOT=$GTRACE_PROPOSAL_ROOT
	proposal=$(echo "$GOROOT"/pkg/tool/*/trace)
	# It leaves with status 2 after its usage.
	[[ $("$proposal" -h 2>&1 || true) == *-diagreedy=* ]] || {
		echo "run.sh: no -diagreedy in $proposal" >&2
		exit 1
	}
}

machine() {
	echo "Machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
		"$(nproc) processors, $(awk '/MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
		"$(uname -sr | cut -d- -f1)"
	echo "Best of $runs runs, $clock, $(date +%F), $(git -C "$root" describe --always --dirty 2>/dev/null || echo no commit)"
}

# generate FILE OPTION...: a synthetic trace.
generate() {
	local file=$1
	shift
	say "generating $*"
	"$bin/generate" "$@" -out="$file" 2>/dev/null
}

# size FILE: sets bytes and records.
size() {
	bytes=$(stat -Lc %s "$1")
	records=$("$bin/scan" "$1" | cut -d' ' -f1)
}

# seconds RUNS COMMAND...: sets time and memory (KiB); empty if it failed.
seconds() {
	local processor
	read -r time processor memory < <("$bin/measure" "$@" 2>>"$work/errors") || {
		time='' memory=''
		return 0
	}
	[ "$clock" = 'wall clock' ] || time=$processor
}

row_head() {
	printf '%-22s %9s %9s %9s %9s %11s\n' '' seconds ns/record MB/s 'x scan' 'anon KiB'
}

# row NAME: what was just measured, beside the scan's time.
row() {
	if [ -z "$time" ]; then
		printf '%-22s %9s\n' "$1" failed
		return
	fi
	awk -v name="$1" -v t="$time" -v m="$memory" -v n="$records" \
		-v b="$bytes" -v s="$scan" 'BEGIN {
		printf "%-22s %9.4f %9.2f %9.1f %9.2f %11d\n",
			name, t, t * 1e9 / n, b / t / 1e6, t / s, m
	}'
}

# against_proposal FLAG TIME: the proposal's row, and how much longer it took.
against_proposal() {
	[ -n "$proposal" ] && [ -n "$2" ] || return 0
	seconds 1 "$proposal" "$1" "$file"
	row "proposal $1"
	[ -z "$time" ] ||
		awk -v t="$time" -v o="$2" \
			'BEGIN { printf "%-22s %9.0f times as long\n", "", t / o }'
}

# table TITLE FILE: one trace, everything that is done with it.
table() {
	local file=$2 version greedy dump
	size "$file"
	version=$(head -c 16 "$file" | tr -d '\0')
	echo
	awk -v title="$1" -v v="$version" -v b="$bytes" -v n="$records" 'BEGIN {
		printf "%s: %s, %.1f MB, %.2f million records\n", title, v, b / 1e6, n / 1e6
	}'
	row_head
	seconds "$runs" "$bin/scan" "$file"
	scan=$time
	row 'bare scan'
	seconds "$runs" "$bin/first_pass" "$file"
	row 'first pass'
	seconds "$runs" "$bin/gtrace" -diagreedy=10 "$file"
	greedy=$time
	row '-diagreedy=10'
	seconds "$runs" "$bin/gtrace" -diagreedy=1000 "$file"
	row '-diagreedy=1000'
	seconds "$runs" "$bin/gtrace" -dump "$file"
	dump=$time
	row '-dump >/dev/null'
	case $version in
	*1.[5-8]' '*)
		against_proposal -diagreedy=10 "$greedy"
		against_proposal -dump "$dump"
		;;
	esac
}

curve_head() {
	echo
	echo "$1"
	printf '%12s %9s %9s %9s %9s %7s %7s %9s %7s %11s\n' "$2" million scan \
		greedy ns/record 'x scan' 'x last' dump 'x last' 'anon KiB'
}

# point VALUE OPTION...: one line of a growth curve. "x last" compares the time
# a record with that of the line before, so 1.00 is growth with the size.
point() {
	local value=$1 file=$work/point.trace greedy memory_greedy
	shift
	generate "$file" "$@"
	size "$file"
	seconds "$runs" "$bin/scan" "$file"
	scan=$time
	seconds "$runs" "$bin/gtrace" -diagreedy=10 "$file"
	greedy=$time memory_greedy=$memory
	seconds "$runs" "$bin/gtrace" -dump "$file"
	rm "$file"
	if [ -z "$greedy" ] || [ -z "$time" ]; then
		printf '%12s %9s\n' "$value" failed
		return
	fi
	awk -v v="$value" -v n="$records" -v s="$scan" -v g="$greedy" \
		-v d="$time" -v lg="$last_greedy" -v ld="$last_dump" \
		-v m="$memory_greedy" 'BEGIN {
		g1 = g / n; d1 = d / n
		printf "%12s %9.2f %9.4f %9.4f %9.2f %7.2f %7s %9.4f %7s %11d\n",
			v, n / 1e6, s, g, g1 * 1e9, g / s,
			lg ? sprintf("%.2f", g1 / lg) : "-", d,
			ld ? sprintf("%.2f", d1 / ld) : "-", m
	}'
	last_greedy=$(awk "BEGIN { print $greedy / $records }")
	last_dump=$(awk "BEGIN { print $time / $records }")
}

# curve TITLE COLUMN: begins a growth curve.
curve() {
	last_greedy='' last_dump=''
	curve_head "$1" "$2"
}

synthetic() {
	local million=$((scale * 100000)) file=$work/table.trace p v
	for p in 2 4 32; do
		generate "$file" -version=1008 -events=$((10 * million)) -procs=$p \
			-goroutines=1000 -churn=$((million / 2))
		table "synthetic, $p processors" "$file"
	done
	for v in 1019 1021; do
		generate "$file" -version=$v -events=$((10 * million)) -procs=8 \
			-goroutines=1000 -churn=$((million / 2))
		table 'synthetic, 8 processors' "$file"
	done
	rm "$file"
}

growth() {
	local million=$((scale * 100000)) n
	curve 'Size: 8 processors, 1000 goroutines' 'size'
	for n in 1 2 4 8 16; do
		point "x$n" -events=$((2 * n * million)) -procs=8 -goroutines=1000
	done
	curve 'Processors: 10,000 goroutines, same number of events' processors
	for n in 2 4 8 16 32 64 128 256 512 1000; do
		point $n -events=$((8 * million)) -procs=$n -goroutines=10000
	done
	curve 'Live goroutines: 8 processors, same number of events' goroutines
	for n in 1000 10000 100000 1000000; do
		point $n -events=$((10 * million)) -procs=8 -goroutines=$n
	done
	curve 'Goroutines that come and go: 8 processors, 1000 live' goroutines
	for n in 1000 10000 100000 1000000; do
		point $n -events=$((10 * million)) -procs=8 -goroutines=1000 -churn=$n
	done
}

[ -n "${GTRACE_BENCH_BIN:-}" ] || build
find_proposal
machine
for trace in "${traces[@]}"; do
	table "$(basename "$trace")" "$trace"
done
synthetic
growth
if [ -s "$work/errors" ]; then
	echo
	echo 'What failed said:'
	sort "$work/errors" | uniq -c
fi
