#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# unchanged_test.sh GOROOT UNPATCHED_GOROOT [CACHE] - proves that everything `go
# tool trace` did before it does as before: help, profiles, debug output and web
# pages are those of the unpatched one.
set -eu

new=$(readlink -f "$1")
old=$2
. tests/go/env.sh
[ $# -lt 3 ] || go_cache "$3"
server=
trap '[ -z "$server" ] || kill "$server"; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

# The debug output that there is, a trace of which the tool makes all pages.
trace=testdata/go1.8-small/http.trace
debug=
more_pages=
case $(sed -n 1p "$new/VERSION") in
go1.8*) ;;
go1.19* | go1.2[01]*) debug=-d ;;
*)
	trace=testdata/go1.22-small/http.trace
	debug=-d=parsed
	more_pages="/trace?view=thread /jsontrace?view=thread /mmu /usertasks /userregions"
	;;
esac
case $(sed -n 1p "$new/VERSION") in
go1.22* | go1.23*) debug=-d=1 ;;
esac

# Every use of the tool listens, and not every system knows localhost.
listen=-http=127.0.0.1:0

# run GOROOT COMMAND ARG... - its go, whichever release it is.
run() {
	local goroot=$1
	shift
	GOROOT=$goroot "$goroot/bin/go" "$@"
}

# From Go 1.25 on a go command without this tool builds it.
pprof=$(printf '%s\n' "$old" /usr/lib/go-*/pkg/tool/*/pprof | sed -n 2p)
if [ ! -x "$pprof" ]; then
	pprof="$old/bin/go tool pprof"
fi

# profile GOROOT TYPE - a profile as lines, whose order is not specified.
profile() {
	run "$1" tool trace $listen "-pprof=$2" "$trace" >"$scratch/profile"
	# shellcheck disable=SC2086 # words
	GOROOT=$old $pprof -top -nodecount=100000 "$scratch/profile" \
		2>/dev/null | sort
}

# page ADDRESS PATH - the page without its HTTP headers. The order of what is in
# some pages is not specified, so the lines are sorted, but for the main page,
# where the links to the pages about processors are left out. So is the code that
# marks a range in the timeline of Go 1.8; that of later releases always did.
page() {
	exec 3<>"/dev/tcp/${1%:*}/${1##*:}"
	printf 'GET %s HTTP/1.0\r\n\r\n' "$2" >&3
	if [ "$2" = / ]; then
		sed '1,/^\r$/d
			/^<h2>Processors<\/h2>$/,/^<h2>User-/{/^<h2>User-/!d}
			/^<a href="\/\(slices\|stw\|waits\|blocks\)">[A-Z][a-z -]*<\/a><br>$/d' <&3
	else
		sed '1,/^\r$/d
			/^    var opts = new tr.importer.ImportOptions();$/,/^    var i = /{
				s/^\(    var i = new tr.importer.Import(model\), opts);$/\1);/
				/^    var i = /!d
			}
			/^    var sel = location.hash/,/interestRange/d' <&3 | sort
	fi
	exec 3<&-
}

# pages GOROOT ARG... - serves the trace and writes its pages to stdout.
pages() {
	local goroot=$1 tool address= i
	shift
	# From Go 1.25 on the tool may be in the build cache.
	tool=$(run "$goroot" tool -n trace)
	# The server before it left its address there, and this one's process
	# may start after the first look.
	: >"$scratch/log"
	# Without PATH there is no browser for it to open, and every release
	# says where it listens.
	env -i HOME="$scratch" GOROOT="$goroot" PATH="$scratch" "$tool" \
		$listen "$@" "$trace" >"$scratch/log" 2>&1 &
	server=$!
	for i in $(seq 100); do
		address=$(sed -n 's,.*listening on http://,,p' "$scratch/log")
		[ -z "$address" ] || break
		sleep 0.1
	done
	if [ -z "$address" ]; then
		echo "no server: $(cat "$scratch/log")" >&2
		return 1
	fi
	for i in / /goroutines /trace /jsontrace $more_pages; do
		echo "== $i"
		page "$address" "$i"
	done
	kill "$server"
	wait "$server" 2>/dev/null || true
	server=
}

run "$old" tool trace -h >"$scratch/old" 2>&1 || true
run "$new" tool trace -h >"$scratch/new" 2>&1 || true
grep -v -e '^	-dump: ' -e '^	-diagreedy=N: ' -e '^	-stw=N: ' \
	-e '^	-wait=N: ' -e '^	-delay=N: ' -e '^	-block=N: ' -e '^	-goroutines=N: ' \
	-e '^	-requests=N: ' -e '^	-gctrace: ' -e '^	-schedtrace=time: ' \
	-e '^	-format=type: ' "$scratch/new" |
	cmp "$scratch/old" -
echo "-h: as before, but for $(diff "$scratch/old" "$scratch/new" | grep -c '^>') lines"

if [ -n "$debug" ]; then
	run "$old" tool trace $listen "$debug" "$trace" >"$scratch/old"
	run "$new" tool trace $listen "$debug" "$trace" >"$scratch/new"
	[ -s "$scratch/new" ]
	cmp "$scratch/old" "$scratch/new"
	echo "$debug: as before, $(wc -l <"$scratch/new") lines"
fi

for type in net sync syscall sched; do
	profile "$new" "$type" >"$scratch/new"
	profile "$old" "$type" >"$scratch/old"
	grep -q flat "$scratch/new"
	diff "$scratch/old" "$scratch/new"
	echo "-pprof=$type: as before, $(wc -l <"$scratch/new") lines"
done

pages "$old" >"$scratch/old"
pages "$new" >"$scratch/new"
grep -q goroutine "$scratch/new"
diff "$scratch/old" "$scratch/new" | head -n 40
# Zero is as if the flag were not there.
pages "$new" -diagreedy=0 -stw=0 -dump=false >"$scratch/zero"
diff "$scratch/old" "$scratch/zero" | head -n 40
cmp "$scratch/old" "$scratch/new"
cmp "$scratch/old" "$scratch/zero"
echo "-http: as before, $(wc -l <"$scratch/new") lines"
