#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pprof_test.sh GTRACE [newest CACHE] - reads profiles with pprof of the oldest and the
# newest Go in /usr/lib that come with it, as text and as pages: the stacks and
# the labels are there, and the sums are those of the slices and stops as JSON.
# The waits are compared with those of the command trace of Go 1.19 and 1.22, as
# sched.py says. With "newest", all is of the newest Go alone, whose go command
# may have to build it and begins with what was built for //go:goroot, which is
# in the folder CACHE.
set -eu

gtrace=$1
. tests/go/env.sh
server=
trap '[ -z "$server" ] || kill "$server"; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
export PPROF_TMPDIR=$scratch

fail() {
	echo "pprof_test: $1" >&2
	exit 1
}

# The sums of both values of the profile $1, with options $2..., as
# `pprof -raw` has them.
sums() {
	"$pprof" -raw "${@:2}" "$1" 2>/dev/null | awk '
		/^Locations/ { exit }
		/^Samples:/ { samples = 1; next }
		samples && /^ *[0-9]+ +[0-9]+: / {
			sub(":", "", $2)
			count += $1
			time += $2
		}
		END { printf "%.0f %.0f\n", count, time }'
}

# The number of lines of JSON on standard input, and the sum of field $1.
json_sums() {
	awk -v field="\"$1\":" '{
			at = index($0, field)
			count++
			time += substr($0, at + length(field)) + 0
		}
		END { printf "%.0f %.0f\n", count, time }'
}

check_sums() {
	local trace=$1 got want

	"$gtrace" -pprof=greedy "$trace" >"$scratch/greedy.pb"
	got=$(sums "$scratch/greedy.pb")
	want=$("$gtrace" -diagreedy=1000000 -format=json "$trace" |
		json_sums duration)
	[ "$got" = "$want" ] || fail "$trace: slices: $got, not $want"
	"$gtrace" -pprof=stw "$trace" >"$scratch/stw.pb"
	got=$(sums "$scratch/stw.pb" -tagfocus=phase=stopping)
	want=$("$gtrace" -stw=1000000 -format=json "$trace" |
		{ grep '"measured":true' || true; } | json_sums stopping)
	[ "$got" = "$want" ] || fail "$trace: stops: $got, not $want"
}

# A line of pprof with options $1... has $pattern.
expect() {
	"$pprof" "$@" >"$scratch/out" 2>"$scratch/err" ||
		fail "$pprof $*: $(cat "$scratch/err")"
	grep -Eq -- "$pattern" "$scratch/out" ||
		fail "$pprof $*: no $pattern in $(cat "$scratch/out")"
}

check_stacks() {
	"$gtrace" -pprof=greedy testdata/stops/go1.27_copy.trace \
		>"$scratch/greedy.pb"
	"$gtrace" -pprof=stw testdata/stops/go1.27_copy.trace \
		>"$scratch/stw.pb"
	pattern='^Slices by the stack where each ended; if it ended in a block, from the function of the program on'
	expect -comments "$scratch/greedy.pb"
	pattern='^Measured stop-the-world pauses by the stack where the last processor'
	expect -comments "$scratch/stw.pb"
	"$gtrace" -pprof=unblock testdata/go1.19-small/lock.trace \
		>"$scratch/unblock.pb"
	pattern='main.copyOnce|runtime.GC'
	expect -top -tagfocus=phase=stopped "$scratch/stw.pb"
	pattern='3.99ms .* sync.\(\*Mutex\).Unlock'
	expect -top -tagfocus=lock "$scratch/unblock.pb"
	"$gtrace" -pprof=assist testdata/go1.22-small/gc.trace \
		>"$scratch/assist.pb"
	pattern='^ +8.74ms +100% .* main.garbage.func1'
	expect -top "$scratch/assist.pb"
	"$gtrace" -pprof=path testdata/paths/pipeline.trace >"$scratch/path.pb"
	# The first goroutine of the chain is the outermost caller.
	pattern='^ +0 .* 23537.02us .* region ask'
	expect -top "$scratch/path.pb"
	pattern='18309.57us .* runtime.chansend1'
	expect -top -tagfocus=level=2 "$scratch/path.pb"
	pattern='65.70ms .* main.copyOnce'
	expect -top "$scratch/greedy.pb"
	# The last slice of the goroutine: its last own event is WaitGroup.Done().
	pattern='^ +1.84ms .* main.spawn.func1'
	expect -top "$scratch/greedy.pb"
	pattern='main.copyLoop'
	expect -peek=copyOnce "$scratch/greedy.pb"
	pattern='65.70ms .* main.copyOnce'
	expect -top -tagfocus=goroutine=8 "$scratch/greedy.pb"
	expect -top -tagfocus=goroutine=8:20 "$scratch/greedy.pb"
	expect -top -tagfocus=program "$scratch/greedy.pb"
	pattern='Showing nodes accounting for 0,'
	expect -top -tagfocus=goroutine=1000000 "$scratch/greedy.pb"
	pattern='65.70ms .* main.copyOnce'
	expect -top -tagignore=goroutine=9:1000000 "$scratch/greedy.pb"
	pattern=': 8$'
	expect -tags "$scratch/greedy.pb"
	pattern='program'
	expect -tags "$scratch/greedy.pb"
	pattern=' 8$'
	expect -top -cum -tagroot=goroutine "$scratch/greedy.pb"
	pattern='15.77ms .* main.copyOnce'
	expect -top "$scratch/stw.pb"
	pattern='^ +6 .* main.copyOnce'
	expect -top -sample_index=stops "$scratch/stw.pb"
	pattern='\(no goroutine\)'
	expect -top "$scratch/stw.pb"
	pattern='stw/main.go:89'
	expect -top -lines "$scratch/stw.pb"
	pattern='main\.copyOnce'
	check_pages "$scratch/greedy.pb"
	check_pages "$scratch/stw.pb"
}

# The page $1 of the server at $port has $pattern.
expect_page() {
	exec 3<>"/dev/tcp/127.0.0.1/$port"
	printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&3
	cat <&3 >"$scratch/page"
	exec 3>&-
	head -n 1 "$scratch/page" | grep -q ' 200 ' ||
		fail "$pprof -http: $1: $(head -n 1 "$scratch/page")"
	grep -Eq -- "$pattern" "$scratch/page" ||
		fail "$pprof -http: no $pattern in $1"
}

# As pprof -http shows the profile $1: its pages have $pattern.
check_pages() {
	# Without a port a free one is taken.
	: >"$scratch/log"
	"$pprof" -http=127.0.0.1: -no_browser "$1" \
		>"$scratch/out" 2>"$scratch/log" &
	server=$!
	for _ in $(seq 300); do
		port=$(sed -n 's,^Serving web UI on http://.*:\([0-9]*\)$,\1,p' \
			"$scratch/log")
		[ -z "$port" ] || break
		kill -0 "$server" 2>/dev/null || break
		sleep 0.1
	done
	[ -n "$port" ] || fail "$pprof -http: $(cat "$scratch/log")"
	expect_page /ui/top
	expect_page /ui/flamegraph
	expect_page "/ui/peek?f=copyOnce"
	kill "$server"
	wait "$server" || true
	server=
}

# at PATTERN - the files of that pattern, the oldest release first.
at() {
	# shellcheck disable=SC2086 # a pattern
	printf '%s\n' $1 | sort -V
}

# check_waits TRACE_COMMAND RELEASE
check_waits() {
	if command -v python3 >"$scratch/null" 2>&1; then
		PYTHONDONTWRITEBYTECODE=1 python3 tests/go/sched.py "$gtrace" \
			"$1" "$2" testdata/go1."$2"-small/[a-m]*.trace
	else
		echo "skipped: no python3"
	fi
}

found=$(at '/usr/lib/go-1.*/pkg/tool/*/pprof' | sed -n '1p;$p' | uniq)
if [ "${2:-}" = newest ]; then
	go=$(at '/usr/lib/go-1.*/bin/go' | tail -n 1)
	found=
	if [ -x "$go" ]; then
		go_cache "$3"
		# As release_test.sh and module_test.sh build packages in C of this release.
		export CGO_CFLAGS=-O0
		found=$("$go" tool -n pprof)
		# Until it runs the path may be that of a file to be built.
		"$go" tool pprof -h >"$scratch/out" 2>&1 || true
		"$go" tool trace -h >"$scratch/out" 2>&1 || true
		command=$("$go" tool -n trace)
		release=${go#/usr/lib/go-1.}
		check_waits "$command" "${release%%/*}"
	fi
else
	for release in 19 22; do
		command=$(at "/usr/lib/go-1.$release/pkg/tool/*/trace")
		[ ! -x "$command" ] || check_waits "$command" $release
	done
fi
tested=0
for pprof in $found; do
	[ -x "$pprof" ] || continue
	tested=$((tested + 1))
	check_stacks
	if [ $tested -ne 1 ] || [ "${2:-}" = newest ]; then
		continue
	fi
	for trace in testdata/before.trace testdata/go1.19-small/mix.trace \
		testdata/go1.27-small/http.trace testdata/stops/go1.21*.trace \
		testdata/stops/go1.27_copy.trace; do
		check_sums "$trace"
	done
done
[ $tested -ne 0 ] || echo "skipped: no Go with pprof in /usr/lib"
