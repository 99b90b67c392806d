#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# follow_test.sh GTRACE PROGRAM - -follow: a line or an object a generation while
# the trace comes, or with limits the violations, which are those of the whole
# trace; pipes that stall, end early or are interrupted; and PROGRAM, written in
# Go, which stalls on the loopback address, with each installed Go from 1.22 on.
set -eu

gtrace=$(realpath "$1")
program=$(realpath "$2")
traces=$(realpath testdata)
paced=$(realpath "$(dirname "$0")/paced.py")
scratch=$(mktemp -d)
. tests/served.sh
trap 'stop_server; rm -rf "$scratch"' EXIT
cd "$scratch"
long=$traces/go1.27-small/gens.trace
old=$traces/go1.22-small/gens.trace

fail() {
	echo "follow_test.sh: $*"
	[ ! -s err ] || cat err
	exit 1
}

# usage LINE ARGUMENT... - refused, with this line.
usage() {
	want=$1
	shift
	got=0
	"$gtrace" "$@" >out 2>err </dev/null || got=$?
	[ $got -eq 2 ] || fail "gtrace $*: status $got"
	[ "$(head -n 1 err)" = "gtrace: $want" ] || fail "gtrace $*: $(cat err)"
	[ ! -s out ] || fail "gtrace $*: output"
}

# appears SECONDS COMMAND... - waits until the command is true.
appears() {
	left=$(($1 * 10))
	shift
	until "$@"; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.1
	done
}

# ended PID - whether the process has ended.
ended() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

# has COUNT FILE - whether the file has so many lines.
has() {
	[ "$(wc -l <"$2")" -ge "$1" ]
}

# stalled COUNT - whether so many slices of the program are told of, and it has
# written as many generations, and one.
stalled() {
	[ "$(grep -c ': slice of .* in main\.stall ' out)" -ge "$1" ] &&
		[ "$(cat whole | "$gtrace" -follow -format=json - 2>/dev/null | wc -l)" -gt "$1" ]
}

usage "-dump does not go with -follow" -follow -dump "$long"
usage "-follow is for one trace" -follow "$long" "$old"
usage "-follow prints text, or without limits -format=json" -follow -format=csv "$long"
usage "filters go with -follow only if a limit is given, such as -max-slice=20ms" -follow -g=1 "$long"
got=0
"$gtrace" -follow "$traces/go1.21-small/mix.trace" >out 2>err || got=$?
[ $got -eq 1 ] && grep -q "a trace of Go 1.21 or older cannot be followed" err || fail "a trace of Go 1.21: status $got"

# An object for each generation; they follow one another.
for trace in "$long" "$old"; do
	cat "$trace" | "$gtrace" -follow -format=json - >out 2>err || fail "-format=json"
	python3 - "$(wc -c <"$trace")" <<END || fail "-format=json: $(cat out)"
import json, sys
objects = [json.loads(line) for line in open("out")]
assert len(objects) == 3, len(objects)
for a, b in zip(objects, objects[1:]):
    assert a["end"] == b["begin"] and a["to"] < b["from"], (a, b)
    assert a["generation"] + 1 == b["generation"]
assert objects[-1]["end"] == int(sys.argv[1])
worst = 0
for o in objects:
    # What the worst one is; all are of the last ten seconds.
    worst = max(worst, o["worst"]["harm"])
    assert o["recent"] == o["worst"] and o["worst"]["harm"] == worst, o
    assert "command" not in o["worst"], o
    of = objects[o["worst"]["generation"] - objects[0]["generation"]]
    assert [o["worst"][k] for k in ("from", "to", "text")] == [of["from"], of["to"], of["headline"]], o
    costs = [f["ran"] + f["delayed"] + f["blocked"] for f in o["functions"]]
    assert all(-1 <= f["ready_p99"] <= o["wait_max"] * 1.02 for f in o["functions"]), o
    assert max(f["ready_p99"] for f in o["functions"]) > 0, o
    assert costs[0] > 0 and all(a >= b - 3 for a, b in zip(costs, costs[1:])), o
    assert 0 < o["length"], o
    assert 0 <= o["ran"] <= o["procs"] * o["length"] * 1.1, o
    assert o["headline"]
END
done

# A line for each, and then the summary, which is that of the file.
"$gtrace" "$long" | grep -v '^Next[:,] ' >want
cat "$long" | "$gtrace" -follow - >out 2>err || fail "-follow"
sed '1,/^$/d' out | grep -v '^Next[:,] ' | cmp - want
[ "$(sed '/^$/q' out | wc -l)" -eq 4 ] || fail "not a line a generation: $(head -n 5 out)"
head -n 1 out | grep -q '^19:27:54.739 2 Ps busy [0-9]* % · ready [0-9.]*, longest wait ' || fail "$(head -n 1 out)"

# A generation is told of when it has come, and nothing more.
for trace in "$long" "$old"; do
	python3 "$paced" "$gtrace" "$trace" 15ms || fail "a generation is told of late"
done

# With limits: as many lines as of the whole trace, the longest first.
limits="-max-slice=15ms -max-wait=50ms -max-stop=1us -max-block=1ms"
for trace in "$long" "$old"; do
	for way in "-rows=100000" ""; do
		got=0
		# shellcheck disable=SC2086
		"$gtrace" $limits "$trace" | wc -l >want
		# shellcheck disable=SC2086
		cat "$trace" | "$gtrace" -follow $limits $way - >out 2>err || got=$?
		[ $got -eq 3 ] || fail "limits: status $got"
		awk -v want="$(cat want)" -v rows="${way#-rows=}" '
			/ more$/ { count += $3; next }
			{ count++; lines++ }
			END {
				if (rows == "" && lines > 40) exit 1
				if (rows != "" && lines != count) exit 1
				if (count < want * 0.95 || count > want * 1.05) exit 1
			}' out || fail "limits: not $(cat want): $(cat out)"
	done
done
grep -q '^-: and [0-9]* more$' out || fail "what is not told: $(cat out)"
got=0
"$gtrace" -follow -max-slice=1h "$long" >out 2>err || got=$?
[ $got -eq 0 ] && [ ! -s out ] || fail "nothing is longer than an hour: status $got, $(cat out)"

# A generation is told of while the pipe is open; then its writer ends in the
# middle of the next one.
first=$("$gtrace" -follow -format=json "$long" | sed -n '1s/.*"end":\([0-9]*\).*/\1/p')
mkfifo pipe
mkdir kept
TMPDIR=$scratch/kept "$gtrace" -follow - <pipe >out 2>err &
reader=$!
exec 3>pipe
head -c "$first" "$long" >&3
appears 20 has 1 out || fail "the line of a generation that is complete: $(cat out)"
# Meanwhile what has come is in a file without a name, where TMPDIR says.
if [ -d /proc/$reader/fd ]; then
	ls -l /proc/$reader/fd | grep -q " -> $scratch/kept/gtrace-.* (deleted)$" || fail "no file in TMPDIR"
fi
[ -z "$(ls kept)" ] || fail "the file in TMPDIR has a name"
head -c 700 "$long" >&3
exec 3>&-
got=0
wait $reader || got=$?
[ $got -eq 1 ] || fail "a batch of generation 1 again: status $got"
"$gtrace" -follow -max-slice=15ms - <pipe >out 2>err &
reader=$!
exec 3>pipe
head -c "$first" "$long" >&3
appears 20 has 1 out || fail "violations of a generation that is complete: $(cat out)"
tail -c +$((first + 1)) "$long" | head -c 500 >&3
sleep 0.3
kill -INT $reader
exec 3>&-
got=0
wait $reader || got=$?
[ $got -eq 3 ] || fail "interrupted: status $got"
grep -q "^standard input: the file ends early, at byte $((first + 500)): " err || fail "what was left out: $(cat err)"

# What is recorded at an address is followed, and kept in a file.
cat >fetch <<END
#!/usr/bin/env python3
import os, sys, time
sys.stdout.buffer.write(open("$long", "rb").read())
sys.stdout.flush()
if os.path.exists("stays"):
    time.sleep(100)
END
printf '#!/bin/sh\necho why it fails >&2\nexit 4\n' >fails
chmod +x fetch fails
"$gtrace" "$long" >want
GTRACE_FETCH=./fetch "$gtrace" -follow -o=kept.trace localhost:1 >out 2>err || fail "-follow of an address"
cmp kept.trace "$long"
sed '1,/^$/d' out | sed "s|kept.trace|$long|" | grep -v '^Next[:,] ' >shown
grep -v '^Next[:,] ' want | cmp - shown
grep -q "^Next: .* kept.trace$" out || fail "no file to look at next: $(cat out)"
grep -q "^gtrace: recorded kept.trace (" err || fail "what is recorded: $(cat err)"
# A command shows the worst of it.
GTRACE_FETCH=./fetch "$gtrace" -follow -format=json -o="a b.trace" localhost:1 >out 2>err || fail "-follow -format=json of an address"
command=$(python3 -c 'import json; print([json.loads(l)["worst"]["command"] for l in open("out")][-1])')
[ "$command" = "gtrace -from=1185ms -to=2202ms 'a b.trace'" ] || fail "the command is $command"
(gtrace() { "$gtrace" "$@"; }; eval "$command") >shown || fail "$command"
has 5 shown && grep -q "^Too much work at once for 2 processors" shown || fail "$command: $(cat shown)"
got=0
GTRACE_FETCH=./fails "$gtrace" -follow -o=other.trace localhost:1 >out 2>err || got=$?
[ $got -eq 1 ] && grep -qx "localhost:1: ./fails ended with status 4: why it fails" err || fail "status $got"
[ ! -s out ] && [ ! -e other.trace ] || fail "a recording that failed leaves something"
: >stays
GTRACE_FETCH=./fetch "$gtrace" -follow -o=other.trace localhost:1 >out 2>err &
reader=$!
appears 20 has 3 out || fail "lines of a recording that goes on: $(cat out)"
kill -TERM $reader # a shell ignores SIGINT in the background
appears 20 ended $reader || fail "a recording does not end: the program that fetches goes on"
got=0
wait $reader || got=$?
[ $got -eq 0 ] && grep -q "until it was interrupted" err || fail "status $got"
cmp other.trace "$long"

# A compressed trace is read while it is decompressed, here by a program that waits
# in the middle, and then fails.
gzip -c "$long" >pressed
"$gtrace" -follow "$long" | sed '/^$/q' >want
"$gtrace" -follow pressed | sed '/^$/q' | cmp - want
cat pressed | "$gtrace" -follow - | sed '/^$/q' | cmp - want
mkdir bin
cat >bin/gzip <<END
#!/bin/sh
head -c $first '$long'
until [ -e fails ]; do sleep 0.1; done
rm fails
echo "gzip: why it fails" >&2
exit 1
END
chmod +x bin/gzip
rm -f fails
PATH=$scratch/bin:$PATH "$gtrace" -follow pressed >out 2>err &
reader=$!
appears 20 has 1 out || fail "a compressed trace is read to its end first: $(cat out)"
: >fails
got=0
wait $reader || got=$?
[ $got -eq 1 ] && grep -qx "pressed: gzip cannot decompress it: gzip: why it fails" err || fail "status $got"
has 2 out && fail "more is told than the first generation: $(cat out)"

# A reader that closes.
cat "$long" | "$gtrace" -follow - 2>err | head -n 1 >out
has 1 out || fail "a reader that closes"
[ ! -s err ] || fail "a reader that closes: $(cat err)"
if [ -w /dev/full ]; then
	got=0
	cat "$long" | "$gtrace" -follow - >/dev/full 2>err || got=$?
	[ $got -eq 1 ] && grep -q 'no space left' err || fail "a full disk: status $got"
fi

# On a terminal a table, which is drawn for each generation and fits.
cat >screen.py <<'END'
import fcntl, os, pty, struct, sys, termios

rows, columns, term = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.environ["TERM"] = term
    os.execvp("sh", ["sh", "-c", 'cat "$1" | "$0" -follow -'] + sys.argv[4:])
shown = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    shown += more
assert os.waitpid(pid, 0)[1] == 0
tables = shown.decode().split("\033[H")[1:]
assert len(tables) == (0 if term == "dumb" else 3), shown
if tables and rows > 10:
    assert "Last 10 s: 19:27:" in tables[-1] and "Worst so far: the same" in tables[-1], tables[-1]
    assert "The trace is not kept" in tables[-1], tables[-1]
for table in tables:
    lines = table[:table.index("\033[J")].split("\033[K\r\n")
    assert lines.pop() == ""
    assert 5 < len(lines) < rows, lines
    assert all(len(line) <= columns for line in lines), lines
    assert " Ps busy " in lines[0], lines
    assert ["ran", "delayed", "blocked", "ready"] in [line.split()[:4] for line in lines], lines
END
for size in "24 80 xterm" "10 40 xterm" "60 200 xterm" "24 80 dumb"; do
	# shellcheck disable=SC2086
	python3 screen.py $size "$gtrace" "$long" >out 2>err || fail "a terminal of $size"
done

# There, q ends it, and the table says if nothing comes.
cat >keys.py <<'END'
import os, pty, sys, termios

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp("sh", ["sh", "-c", '(cat "$1"; exec sleep 100) | "$0" -follow -'] + sys.argv[1:])
shown = b""
while b"nothing has come since " not in shown:
    shown += os.read(terminal, 65536)
assert termios.tcgetattr(terminal)[3] & (termios.ICANON | termios.ECHO) == 0
os.write(terminal, b"xq")
while b"longest slices" not in shown:
    shown += os.read(terminal, 65536)
assert b"q or Ctrl-C ends it" in shown
assert termios.tcgetattr(terminal)[3] & termios.ICANON
os.close(terminal)
END
timeout 60 python3 keys.py "$gtrace" "$long" >out 2>err || fail "the key q"

# A program that stalls for 50 ms every second.
if ! command -v curl >/dev/null; then
	echo "skipped: there is no curl to record with"
	exit
fi
told=0
for go in /usr/lib/go-*/bin/go; do
	[ -x "$go" ] || continue
	"$go" version | grep -qE 'go1\.(2[2-9]|[3-9][0-9])' || continue
	cp "$program" served.go
	build "$go" || fail "$go build"
	: >address
	./served >address &
	server=$!
	appears 20 test -s address || fail "$go: the program does not listen"
	: >out # what was told of the Go before is no news
	curl -sN "http://$(cat address)/debug/pprof/trace?seconds=60" | tee whole |
		"$gtrace" -follow -max-slice=20ms -func='main\.stall' - >out 2>err &
	reader=$!
	# Two stalls, and then the program dies.
	appears 60 stalled 2 || fail "$go: the stalls are not told: $(cat out)"
	kill -KILL "$server"
	server=
	got=0
	wait $reader || got=$?
	[ $got -eq 3 ] || fail "$go: the program is killed: status $got"
	# Each is told of when the generation has come in which it ends, or the next one.
	python3 "$paced" "$gtrace" whole 20ms main.stall || fail "$go: a stall is told of late"
	told=$((told + 1))
done
if [ $told -eq 0 ]; then
	echo "skipped: no Go from 1.22 on is installed"
	exit
fi
echo "follow_test.sh: programs of $told releases of Go are told of"
