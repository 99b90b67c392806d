#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# url_test.sh GTRACE PROGRAM - traces that are recorded at a URL: from scripts that
# take the place of curl, and from PROGRAM, written in Go, on the loopback address.
set -eu

gtrace=$(realpath "$1")
program=$(realpath "$2")
small=$(realpath testdata/go1.27-small/http.trace)
scratch=$(mktemp -d)
. tests/served.sh
trap 'stop_server; rm -rf "$scratch"' EXIT
cd "$scratch"
tests=0

fail() {
	echo "url_test.sh: $*"
	[ ! -s err ] || cat err
	exit 1
}

# run STATUS ARGUMENT... - the exit status of gtrace.
run() {
	want=$1
	shift
	got=0
	"$gtrace" "$@" >out 2>err </dev/null || got=$?
	[ $got -eq "$want" ] || fail "gtrace $*: status $got, want $want"
	tests=$((tests + 1))
}

# says PATTERN - a line of standard error.
says() {
	grep -q -e "$1" err || fail "no line '$1'"
}

# fetcher NAME - a program, from standard input, that fetches from now on. It notes
# its arguments, one a line.
fetcher() {
	{
		echo '#!/bin/sh'
		echo "printf '%s\\n' \$# \"\$@\" >>'$scratch/arguments'"
		cat
	} >"$1"
	chmod +x "$1"
	rm -f arguments
	GTRACE_FETCH=$scratch/$1
	export GTRACE_FETCH
}

# asked URL - what the program was asked for.
asked() {
	[ "$(cat arguments)" = "$(printf '2\n-fsSN\n%s' "$1")" ] || fail "not $1: $(cat arguments)"
	rm -f arguments
}

recorded() {
	name=$(sed -n 's/^gtrace: recorded \(.*\) ([0-9.]* MB).*/\1/p' err)
	[ -s "$name" ] || fail "no recording is named"
	cmp -- "$name" "$small"
	rm -- "$name"
}

# The URL that is completed, and hostile ones, of which no part is a flag, a line
# or a command of its own.
fetcher good <<END
cat '$small'
END
default=/debug/pprof/trace?seconds=5
while IFS='|' read -r given url; do
	# shellcheck disable=SC2059
	run 0 -diagreedy=1 "$(printf "$given")"
	asked "$url"
	recorded
	"$gtrace" -diagreedy=1 "$small" | cmp - out
done <<END
localhost:6060|http://localhost:6060$default
http://localhost:6060|http://localhost:6060$default
HTTP://localhost:6060/|http://localhost:6060$default
https://h/debug/pprof|https://h$default
h:1/debug/pprof/|http://h:1$default
:6060|http://localhost:6060$default
[::1]:6060|http://[::1]:6060$default
http://h/x/trace?seconds=2|http://h/x/trace?seconds=2
http://a:b@h:1/x#y|http://a:b@h:1/x
http://-o/x|http://-o/x
http://h/a\\nb c\\042\$(id)'\`{1,2}[3]|http://h/a%0Ab%20c%22\$(id)'%60%7B1,2%7D%5B3%5D
http://[::1\\n-o]/x|http://%5B::1%0A-o%5D/x
http://h/\\303\\244|http://h/%C3%A4
END
run 0 -seconds=9 -diagreedy=1 h:1
asked "http://h:1/debug/pprof/trace?seconds=9"
recorded
run 0 -seconds=9 -diagreedy=1 'h:1/x?y'
asked "http://h:1/x?y&seconds=9"
recorded
for bad in -h:1 h:x h: h:123456 http:/h "h:1 -o"; do
	run 1 -- "$bad"
	says ": no such file or directory$"
	[ ! -e arguments ] || fail "$bad is a URL"
done
cp "$small" h:1
run 0 -diagreedy=1 h:1
[ ! -s err ] || fail "a file of that name is not read"
rm h:1

# Files: names of the same second differ, and none is overwritten.
run 0 -diagreedy=1 -o "$scratch/-c" h:1
cmp -- "$scratch/-c" "$small"
echo keep >kept
rm -f arguments
run 1 -o kept h:1
says "^h:1: kept exists, and is not overwritten$"
[ "$(cat kept)" = keep ] || fail "-o overwrites"
[ ! -e arguments ] || fail "it is recorded before the file is looked at"
ln -s nothing link
run 1 -o link h:1
[ ! -e nothing ] || fail "a link is followed"
run 1 -o none/x h:1
says "^h:1: none/x: no such file or directory$"
run 0 -diagreedy=1 -j=3 h:1 h:1 h:1
[ "$(find . -name 'h_1-*.trace' | wc -l)" -eq 3 ] || fail "three recordings are not three files"
rm -f ./*.trace
for use in "-o=x kept" "-seconds=1 kept" "-o=x h:1 h:2" "-seconds=0 h:1" "-seconds=1 h:1/?seconds=2"; do
	# shellcheck disable=SC2086
	run 2 $use
done
compressed=$scratch/small.gz
gzip -c "$small" >"$compressed"
fetcher gzipped <<END
cat '$compressed'
END
run 0 -diagreedy=1 h:1
"$gtrace" -diagreedy=1 "$small" | cmp - out
rm -f ./*.trace

# What goes wrong, in words; no file stays.
# fails PATTERN - the program, from standard input, fails so.
fails() {
	fetcher bad
	run 1 h:1
	says "^h:1: $1"
	[ -z "$(find . -name '*.trace')" ] || fail "a file stays: $1"
}
fails "not found (HTTP 404): does the program import net/http/pprof" <<'END'
echo "curl: (22) The requested URL returned error: 404" >&2
exit 22
END
fails "the server wants a login (HTTP 401)" <<'END'
echo "curl: (22) The requested URL returned error: 401" >&2
exit 22
END
for words in "tracing already enabled" "execution tracer already enabled"; do
	fails "Could not enable tracing: $words (HTTP 500): another trace is being recorded" <<END
[ \$1 = -sSN ] && echo "Could not enable tracing: $words" && exit
echo "curl: (22) The requested URL returned error: 500" >&2
exit 22
END
done
[ "$(sed -n 2p arguments):$(sed -n 5p arguments)" = -fsSN:-sSN ] || fail "asked otherwise: $(cat arguments)"
fails "profile duration exceeds server's WriteTimeout (HTTP 400)" <<'END'
[ $1 = -sSN ] && echo "profile duration exceeds server's WriteTimeout" && exit
echo "curl: (22) The requested URL returned error: 400 Bad Request" >&2
exit 22
END
fails "HTTP 502$" <<'END'
[ $1 = -sSN ] && echo "<html>proxy" && exit
echo "curl: (22) The requested URL returned error: 502" >&2
exit 22
END
fails "connection refused, or no way there: does the program listen at this address? (curl: (7) " <<'END'
echo "curl: (7) Failed to connect to h port 1" >&2
exit 7
END
fails "there is no such host (curl: (6) " <<'END'
echo "curl: (6) Could not resolve host: h" >&2
exit 6
END
fails "an HTML page, such as that of a login, and no trace" <<'END'
echo "  <!DOCTYPE html><title>Login</title>"
END
fails 'text and no trace, which begins with "hello"' <<'END'
echo hello
END
fails "the answer is empty$" </dev/null
fails "what comes is no trace$" <<'END'
printf '\001\002\003'
END
# What never ends is not waited for.
fails "an HTML page" <<'END'
echo "<html>"
exec yes
END
fails ".*/bad ended with status 3: no such option$" <<'END'
echo "no such option" >&2
exit 3
END
fails ".*/bad was ended$" <<'END'
kill -9 $$
END
fails ".*/bad ended with status 1: gone..*31m" <<'END'
printf 'gone\033[31m\n' >&2
exit 1
END
GTRACE_FETCH=$scratch/none run 1 h:1
says "^h:1: .*/none is not installed"

# A recording that ends early is reported as far as it goes.
half=$(($(wc -c <"$small") / 2))
fetcher dies <<END
head -c $half '$small'
echo "curl: (18) transfer closed" >&2
exit 18
END
run 0 -diagreedy=1 h:1
says "^gtrace: recorded h_1-.*, until the connection ended$"
says "^h_1-.*: the file ends early, at byte $half: .*; nothing was read from byte "

# appears FILE - waits until something is in it, for ten seconds at most.
appears() {
	left=100
	while [ ! -s "$1" ] && [ $left -gt 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
}

# With a real program.
unset GTRACE_FETCH
if ! command -v curl >/dev/null; then
	echo "skipped: curl is not there, which records from a program"
	exit 0
fi
ran=0
for go in /usr/lib/go-*/bin/go; do
	case $go in */go-1.1[0-9]/*) continue ;; esac
	[ -x "$go" ] || continue
	cp "$program" served.go
	build "$go" || fail "$go build"
	rm -f address ./*.trace
	./served >address &
	server=$!
	appears address
	address=$(cat address)
	run 3 -seconds=2 -max-slice=15ms "$address"
	grep -q ": slice of .* in main.stall (" out || fail "$go: the stall is not found: $(cat out)"
	run 1 "http://$address/nothing"
	says "not found (HTTP 404)"
	run 1 "http://$address/login"
	says "an HTML page"
	rm -f other
	curl -s "http://$address/debug/pprof/trace?seconds=60" >other &
	other=$!
	appears other
	run 1 -seconds=1 "$address"
	says "already enabled (HTTP 500)"
	kill $other
	wait $other || true
	sleep 0.5
	# Ctrl-C ends the recording. On a busy machine it takes time to begin.
	for seconds in 3 12 48; do
		timeout -s INT $seconds "$gtrace" -seconds=60 "$address" >out 2>err ||
			[ $? -eq 124 ] || fail "interrupted"
		! grep -q ', until it was interrupted$' err || break
	done
	says ", until it was interrupted$"
	says "; nothing was read from byte "
	[ -s out ] || fail "$go: nothing is reported of an interrupted recording"
	stop_server
	run 1 "$address"
	says "connection refused"
	ran=$((ran + 1))
done
[ $ran -gt 0 ] || echo "skipped: no Go from 1.20 on is there"
echo "url_test.sh: $tests uses and $ran releases of Go as they should be"
