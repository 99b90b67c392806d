#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh - builds the benchmark's programs, makes its inputs, measures, and
# prints the tables that RESULTS.md shows.
#
#	tests/bench/run.sh [OPTION...] [TRACE...]
#
#   -quick          inputs of a tenth of the size
#   -tiny           inputs of a hundredth, to see that this script works
#   -cpu            processor time (user and system) instead of wall clock, for
#                   a machine that has other work at the same time
#   -runs=N         each time is the best of N runs, 2 by default
#   -instructions   a column of instructions an event (valgrind; slow, best
#                   with -quick). Growth tables have those of -diagreedy=10
#   -only           the given traces and no others
#   -recorded       beside them only those that are recorded here
#   -tables         no growth tables
#   -growth         beside them only growth tables
#   -slow           the proposal and "go tool trace -d=parsed" not only on the
#                   given traces, half an hour more
#   TRACE           traces to measure before those that are made here
#
# Takes about 15 minutes of processor time, three with -quick. What is being
# done is on standard error, the tables on standard output.
#
# Environment:
#   GTRACE_BENCH_GOROOT   Go 1.22 or later, with its sources, whose reader is
#                         measured too; otherwise the newest one that is found
#   GTRACE_PROPOSAL_ROOT  a built go1.8.3 tree with the proposal's cmd/trace,
#                         which is measured too; it takes 90 bytes of memory
#                         for each byte of a trace
#   GTRACE_BENCH_BIN      a folder with gtrace, generate, scan, first_pass and
#                         measure built by other means; Bazel is not run then
#   BAZEL                 the Bazel to run, "bazel" by default
#   TMPDIR                where the inputs go, 300 MB at most
#
# Times are of whole processes; memory is the peak of anonymous memory
# (measure.c says how both are found).
set -euo pipefail

# What is measured of gtrace, a row each.
rows=(
	-diagreedy=10
	-diagreedy=1000
	-stw=10
	'-diagreedy=10 -stw=10'
	'-wait=10 -delay=10'
	-format=json
	-html=-
	-dump
)

# What is measured of the page for browsers, in Node, a row each.
node_rows=(-diagreedy=10 -format=json -html=-)

runs=2
scale=100
clock='wall clock'
instructions=
synthetic=yes
recorded=yes
growth=yes
slow=
traces=()
for argument; do
	case $argument in
	-quick) scale=10 ;;
	-tiny) scale=1 ;;
	-cpu) clock='processor time' ;;
	-runs=*) runs=${argument#-runs=} ;;
	-instructions) instructions=yes ;;
	-only) synthetic='' recorded='' growth='' ;;
	-recorded) synthetic='' growth='' ;;
	-tables) growth='' ;;
	-growth) synthetic='' recorded='' ;;
	-slow) slow=yes ;;
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
proposal=''
go=''
page=''
no_page='no node is installed'
no_go='no Go 1.22 or later is installed'
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# say WORDS...: what is being done.
say() {
	echo "run.sh: $*" >&2
}

# ------------------------------------------------------------- programs --

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

# build_page: gtrace.html, whose command is measured in Node.
build_page() {
	command -v node >/dev/null || return 0
	if sh "$root/c/web/build.sh" "$work/gtrace.html" >"$work/build.log" 2>&1; then
		page=$work/gtrace.html
	else
		no_page='gtrace.html is not built: no clang with the C library of WASI'
	fi
}

find_proposal() {
	[ -n "${GTRACE_PROPOSAL_ROOT:-}" ] || return 0
	proposal=$(echo "$GTRACE_PROPOSAL_ROOT"/pkg/tool/*/trace)
	# It leaves with status 2 after its usage.
	[[ $(GOROOT=$GTRACE_PROPOSAL_ROOT "$proposal" -h 2>&1 || true) == \
		*-diagreedy=* ]] || {
		echo "run.sh: no -diagreedy in $proposal" >&2
		exit 1
	}
}

# go_command ARGUMENT...: Go, with no setting of the user's and its files in
# the work folder.
go_command() {
	env -u GOROOT -u GOFLAGS GOENV=off GOPATH="$work/go" \
		GOCACHE="$work/cache" GOTOOLCHAIN=local "$go" "$@"
}

# find_go: sets go to the newest go command that has internal/trace's reader.
find_go() {
	local candidate best=0 minor
	for candidate in ${GTRACE_BENCH_GOROOT:+"$GTRACE_BENCH_GOROOT/bin/go"} \
		"$(command -v go || true)" /usr/local/go/bin/go \
		/usr/lib/go-*/bin/go; do
		[ -x "$candidate" ] || continue
		minor=$("$candidate" version | sed -n 's/.*go1\.\([0-9]*\).*/\1/p')
		if [ "${minor:-0}" -gt "$best" ]; then
			best=$minor go=$candidate
		fi
		[ "$candidate" != "${GTRACE_BENCH_GOROOT:-}/bin/go" ] || break
	done
	[ "$best" -ge 22 ] || go=''
}

# build_go: Go's reader alone, cmd/trace, which has -d=parsed, and a program to
# be traced.
build_go() {
	local goroot
	find_go
	[ -n "$go" ] || return 0
	say "building the reader of $("$go" version | cut -d' ' -f3)"
	goroot=$(readlink -f "$(go_command env GOROOT)")
	printf '{"Replace": {"%s": "%s"}}\n' \
		"$goroot/src/internal/trace/benchreader/main.go" \
		"$root/tests/bench/reader.go.txt" >"$work/overlay"
	cp "$root/tests/bench/workload.go.txt" "$work/workload.go"
	if ! {
		go_command build -overlay "$work/overlay" -o "$work/reader" \
			internal/trace/benchreader &&
			go_command build -o "$work/trace" cmd/trace &&
			go_command build -o "$work/workload" \
				"$work/workload.go"
	} >"$work/build.log" 2>&1; then
		no_go="$("$go" version) does not build its reader"
		cat "$work/build.log" >&2
		go=''
	fi
}

machine() {
	echo "Machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
		"$(nproc) processors, $(awk '/MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
		"$(uname -sr | cut -d- -f1), load $(cut -d' ' -f1 /proc/loadavg)"
	echo "Best of $runs runs, $clock, $(date +%F), $(git -C "$root" describe --always --dirty 2>/dev/null || echo no commit)"
	if [ -n "$go" ]; then
		echo "Go's reader: that of $("$go" version | cut -d' ' -f3)"
	else
		echo "Go's reader: $no_go"
	fi
}

# ---------------------------------------------------------- measurements --

# generate FILE OPTION...: a synthetic trace.
generate() {
	local file=$1
	shift
	say "generating $*"
	"$bin/generate" "$@" -out="$file" 2>/dev/null
}

# size FILE: sets bytes, events and version (22 for "go 1.22 trace").
size() {
	bytes=$(stat -Lc %s "$1")
	events=$("$bin/scan" "$1" | cut -d' ' -f1)
	version=$(head -c 16 "$1" | tr -d '\0' | sed 's/go 1\.\([0-9]*\).*/\1/')
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

# count COMMAND...: prints instructions an event. A Go program has one processor
# then, so that no others wait in a loop.
count() {
	[ -n "$instructions" ] || return 0
	GOMAXPROCS=1 valgrind --tool=cachegrind --cache-sim=no \
		--cachegrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
		awk -v n="$events" '/ refs:/ {
			gsub(",", "", $NF)
			printf "%.1f", $NF / n
		}'
}

row_head() {
	printf '%-24s %9s %9s %8s %7s %8s %9s%s\n' '' seconds ns/event MB/s \
		'x scan' 'x faster' 'anon KiB' "${instructions:+ instr/event}"
}

# row NAME [REFERENCE [COUNT]]: what was just measured, beside the scan's time,
# and the time that the reference for it took.
row() {
	if [ -z "$time" ]; then
		printf '%-24s %9s\n' "$1" failed
		return
	fi
	awk -v name="$1" -v t="$time" -v m="$memory" -v n="$events" \
		-v b="$bytes" -v s="$scan" -v r="${2:-}" -v c="${3:-}" 'BEGIN {
		printf "%-24s %9.4f %9.2f %8.1f %7.2f %8s %9d%s\n",
			name, t, t * 1e9 / n, b / t / 1e6, t / s,
			r ? sprintf(r < t ? "%.2f" : "%.1f", r / t) : "-", m,
			c ? sprintf(" %11s", c) : ""
	}'
}

# slow NAME COMMAND...: the row of a slow command, which is run once, on given
# traces or with -slow; otherwise sets time to nothing.
slow() {
	local name=$1
	shift
	time=''
	[ -n "$slow$given" ] || return 0
	say "$name (slow)"
	seconds 1 "$@"
	row "$name"
}

# references FILE: measures what others take for it; sets reference, of
# reports, and reference_dump.
references() {
	reference='' reference_dump=''
	if [ "$version" -ge 22 ]; then
		if [ -z "$go" ]; then
			printf '%-24s %s\n' "Go's reader" "$no_go"
			return
		fi
		seconds "$runs" "$work/reader" "$1"
		reference=$time
		row "Go's reader" '' "$(count "$work/reader" "$1")"
		slow 'go tool trace -d=parsed' "$work/trace" -d=parsed "$1"
		reference_dump=$time
	elif [ -n "$proposal" ] && [ "$version" -le 8 ]; then
		slow 'proposal -diagreedy=10' env \
			GOROOT="$GTRACE_PROPOSAL_ROOT" "$proposal" \
			-diagreedy=10 "$1"
		reference=$time
		slow 'proposal -dump' env GOROOT="$GTRACE_PROPOSAL_ROOT" \
			"$proposal" -dump "$1"
		reference_dump=$time
	fi
}

# in_node FILE: the page's command, of which "x faster" is against gtrace.
in_node() {
	local report
	if [ -z "$page" ]; then
		printf '%-24s %s\n' 'in Node' "$no_page"
		return
	fi
	for report in "${node_rows[@]}"; do
		seconds "$runs" node "$root/tests/bench/node.mjs" "$page" "$report" "$1"
		row "in Node $report" "${times[$report]}"
	done
}

# table TITLE FILE: one trace, everything that is done with it.
table() {
	local file=$2 flags report against
	local -A times
	size "$file"
	say "measuring $1"
	echo
	awk -v title="$1" -v v="$version" -v b="$bytes" -v n="$events" 'BEGIN {
		printf "%s: go 1.%s trace, %.1f MB, %.2f million events\n",
			title, v, b / 1e6, n / 1e6
	}'
	row_head
	seconds "$runs" "$bin/scan" "$file"
	scan=$time
	row 'bare scan' '' "$(count "$bin/scan" "$file")"
	references "$file"
	if [ "$version" -lt 22 ]; then
		seconds "$runs" "$bin/first_pass" "$file"
		row 'first pass' '' "$(count "$bin/first_pass" "$file")"
	fi
	for report in "${rows[@]}"; do
		read -ra flags <<<"$report"
		seconds "$runs" "$bin/gtrace" "${flags[@]}" "$file"
		case $report in
		-dump) against=$reference_dump ;;
		*) against=$reference ;;
		esac
		times[$report]=$time
		row "$report" "$against" "$(count "$bin/gtrace" "${flags[@]}" "$file")"
	done
	in_node "$file"
}

# ---------------------------------------------------------- growth tables --

# curve TITLE COLUMN: begins a growth table.
curve() {
	last_greedy='' last_dump=''
	echo
	echo "$1"
	printf '%12s %8s %8s %8s %8s %7s %7s %8s %8s %7s %9s%s\n' "$2" million \
		scan greedy ns/event 'x scan' 'x last' "x Go's" dump 'x last' \
		'anon KiB' "${instructions:+ instr/event}"
}

# point VALUE OPTION...: one line of a growth table. "x last" compares the time
# an event with that of the line before, so 1.00 is growth with the size.
point() {
	local value=$1 file=$work/point.trace greedy greedy_memory reader=''
	local counted
	shift
	generate "$file" "$@"
	size "$file"
	seconds "$runs" "$bin/scan" "$file"
	scan=$time
	if [ "$version" -ge 22 ] && [ -n "$go" ]; then
		seconds 1 "$work/reader" "$file"
		reader=$time
	fi
	seconds "$runs" "$bin/gtrace" -diagreedy=10 "$file"
	greedy=$time greedy_memory=$memory
	counted=$(count "$bin/gtrace" -diagreedy=10 "$file")
	seconds 1 "$bin/gtrace" -dump "$file"
	rm "$file"
	if [ -z "$greedy" ] || [ -z "$time" ]; then
		printf '%12s %8s\n' "$value" failed
		return
	fi
	awk -v v="$value" -v n="$events" -v s="$scan" -v g="$greedy" \
		-v d="$time" -v lg="$last_greedy" -v ld="$last_dump" \
		-v m="$greedy_memory" -v r="$reader" -v c="$counted" 'BEGIN {
		g1 = g / n; d1 = d / n
		printf "%12s %8.2f %8.4f %8.4f %8.2f %7.2f %7s %8s %8.4f %7s %9d%s\n",
			v, n / 1e6, s, g, g1 * 1e9, g / s,
			lg ? sprintf("%.2f", g1 / lg) : "-",
			r ? sprintf("%.1f", r / g) : "-", d,
			ld ? sprintf("%.2f", d1 / ld) : "-", m,
			c ? sprintf(" %11s", c) : ""
	}'
	last_greedy=$(awk "BEGIN { print $greedy / $events }")
	last_dump=$(awk "BEGIN { print $time / $events }")
}

# ------------------------------------------------------------------ inputs --

synthetic_v1() {
	local million=$((scale * 10000)) file=$work/table.trace p v
	for p in 2 4 32; do
		generate "$file" -version=1008 -events=$((10 * million)) \
			-procs=$p -goroutines=1000 -churn=$((million / 2))
		table "synthetic, $p processors" "$file"
	done
	for v in 1019 1021; do
		generate "$file" -version=$v -events=$((10 * million)) -procs=8 \
			-goroutines=1000 -churn=$((million / 2)) -samples=200
		table 'synthetic, 8 processors, CPU samples' "$file"
	done
	rm "$file"
}

# recorded_v2: traces of real programs (workload.go.txt), where there is a Go.
recorded_v2() {
	local file=$work/table.trace kind p
	if [ -z "$go" ]; then
		printf '\nrecorded: not measured, %s\n' "$no_go"
		return
	fi
	for kind in mixed channels http; do
		for p in 2 8 32; do
			say "recording $kind, $p processors"
			"$work/workload" $kind $p \
				$(((scale * 55 + 99) / 100)) "$file"
			table "recorded, $kind, $p processors" "$file"
		done
	done
	rm "$file"
}

# v2_table TITLE OPTION...
v2_table() {
	local million=$((scale * 10000)) file=$work/table.trace title=$1
	shift
	generate "$file" -version=1026 -events=$((12 * million)) \
		-generation=$((2 * million)) -churn=$((million / 2)) "$@"
	table "synthetic, $title" "$file"
	rm "$file"
}

synthetic_v2() {
	local p
	for p in 2 8 32; do
		v2_table "$p processors" -procs=$p -goroutines=1000
	done
	v2_table '8 processors, an event from each in turn' -procs=8 \
		-goroutines=1000 -burst=1
	v2_table '8 processors, CPU samples' -procs=8 -goroutines=1000 \
		-samples=200
	v2_table '8 processors, 10,000 threads' -procs=8 -goroutines=20000 \
		-threads=10000
	v2_table '8 processors, 1,000,000 goroutines' -procs=8 \
		-goroutines=1000000
}

growth_v1() {
	local million=$((scale * 10000)) n
	curve 'Go 1.8: size (8 processors, 1000 goroutines)' size
	for n in 1 2 4 8; do
		point "x$n" -events=$((n * million)) -procs=8 -goroutines=1000
	done
	curve 'Go 1.8: processors (10,000 goroutines, same number of events)' \
		processors
	for n in 2 4 8 16 32 64 128 256 512 1000; do
		point $n -events=$((3 * million)) -procs=$n -goroutines=10000
	done
	curve 'Go 1.8: live goroutines (8 processors, same number of events)' \
		goroutines
	for n in 1000 10000 100000 1000000; do
		point $n -events=$((5 * million)) -procs=8 -goroutines=$n
	done
	curve 'Go 1.8: goroutines that come and go (8 processors, 1000 live)' \
		goroutines
	for n in 1000 10000 100000 1000000; do
		point $n -events=$((5 * million)) -procs=8 -goroutines=1000 \
			-churn=$n
	done
}

# v2_point VALUE MILLIONS OPTION...
v2_point() {
	local million=$((scale * 10000)) value=$1 millions=$2
	shift 2
	point "$value" -version=1026 -events=$((millions * million)) \
		-generation=$million "$@"
}

# pipe_row FILE ARGUMENT...: measures gtrace with FILE through a pipe.
pipe_row() {
	local file=$1
	shift
	# shellcheck disable=SC2016
	seconds "$runs" bash -c 'exec "$1" "${@:3}" - < <(cat "$2")' bash \
		"$bin/gtrace" "$file" "$@"
	printf ' %9s %9s' "${time:-failed}" "$memory"
}

# Memory must not grow with what comes. The time is that of gtrace alone.
growth_pipe() {
	local n file=$work/point.trace
	echo
	echo 'Go 1.26 through a pipe: size (8 processors, 1000 goroutines)'
	printf '%12s %8s %9s %9s %9s %9s\n' size MB greedy 'anon KiB' follow \
		'anon KiB'
	for n in 1 4 16; do
		generate "$file" -version=1026 -events=$((n * scale * 10000)) \
			-generation=$((scale * 5000)) -procs=8 -goroutines=1000
		printf '%12s %8s' "x$n" $(($(stat -c %s "$file") / 1000000))
		pipe_row "$file" -diagreedy=10
		pipe_row "$file" -follow -max-slice=1s
		echo
	done
	rm "$file"
}

growth_v2() {
	local n
	curve 'Go 1.26: size (8 processors, 1000 goroutines)' size
	for n in 1 2 4 8; do
		v2_point "x$n" $n -procs=8 -goroutines=1000
	done
	curve 'Go 1.26: processors (10,000 goroutines, same number of events)' \
		processors
	for n in 2 4 8 16 32 64 128 256 512 1000; do
		v2_point $n 3 -procs=$n -goroutines=10000
	done
	curve 'Go 1.26: threads (8 processors, same number of events)' threads
	for n in 24 100 1000 10000; do
		v2_point $n 3 -procs=8 -goroutines=20000 -threads=$n
	done
	curve 'Go 1.26: live goroutines (8 processors), each with a status event a generation' \
		goroutines
	for n in 1000 10000 100000 1000000; do
		v2_point $n 5 -procs=8 -goroutines=$n
	done
	curve 'Go 1.26: goroutines that come and go (8 processors, 1000 live)' \
		goroutines
	for n in 1000 10000 100000 1000000; do
		v2_point $n 5 -procs=8 -goroutines=1000 -churn=$n
	done
	curve 'Go 1.26: steps of a processor before those of another (8 processors)' \
		steps
	for n in 1 4 16 64; do
		v2_point $n 3 -procs=8 -goroutines=1000 -burst=$n
	done
}

[ -n "${GTRACE_BENCH_BIN:-}" ] || build
find_proposal
build_go
build_page
machine
given=yes
for trace in ${traces[@]+"${traces[@]}"}; do
	table "$(basename "$trace")" "$trace"
done
given=
[ -z "$synthetic" ] || synthetic_v1
[ -z "$recorded" ] || recorded_v2
[ -z "$synthetic" ] || synthetic_v2
if [ -n "$growth" ]; then
	growth_v1
	growth_v2
	growth_pipe
fi
if [ -s "$work/errors" ]; then
	echo
	echo 'What failed said:'
	sort "$work/errors" | uniq -c
fi
