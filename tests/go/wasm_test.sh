#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# wasm_test.sh GTRACE [WASM] - the command for Go alone: `go install` from a folder as
# module proxy, without a C compiler, and what it installs prints what GTRACE does: of
# all golden files, from pipes, compressed, with limits, by relative and other names;
# and it passes the tests of the command. WASM is the module of c/web/build.sh, which
# is built if it is not given.
set -eu

test=wasm_test.sh
gtrace=$(realpath "$1")
wasm=${2:-}
. tests/go/wasm.sh
command -v python3 >/dev/null || skip "no python3, which makes the proxy"
[ -z "$(gofmt -l "$scratch"/module/cmd/gtrace/*.go)" ] || fail "gofmt"

# As users type it, with no C compiler.
python3 tests/go/goproxy.py "$scratch/module/cmd/gtrace" v0.4.0 "$scratch/proxy"
mkdir "$scratch/bin"
for program in sh env; do
	ln -s "$(command -v $program)" "$scratch/bin/$program"
done
started=$(date +%s)
(
	cd /
	PATH=${go%/*}:$scratch/bin GOBIN=$scratch/installed GONOSUMDB=example.com \
		GOPROXY=file://$scratch/proxy,$("$go" env GOPROXY) \
		"$go" install $module/cmd/gtrace@latest
)
echo "go install: $(($(date +%s) - started)) s, $(wc -c <"$scratch/installed/gtrace") bytes"
got=$scratch/installed/gtrace
[ "$("$got" -version)" = "$("$gtrace" -version)" ] || fail "-version"
[ -n "$(ls -A "$XDG_CACHE_HOME/gtrace")" ] || fail "nothing is kept in the cache"

# same ARGUMENT... - both print the same and end in the same way.
same() {
	want=0
	"$gtrace" "$@" >"$scratch/want" 2>"$scratch/want.err" </dev/null || want=$?
	status=0
	timeout 60 "$got" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
	[ $status -eq $want ] || fail "gtrace $*: status $status, want $want: $(cat "$scratch/err")"
	cmp "$scratch/want" "$scratch/out" || fail "gtrace $*"
	cmp "$scratch/want.err" "$scratch/err" || fail "gtrace $*: $(cat "$scratch/err")"
}
copy=testdata/stops/go1.27_copy.trace
for trace in $copy testdata/before.trace testdata/go1.27-small/task.trace; do
	same $trace
	same -stw -wait -delay -block -goroutines -requests $trace
	same -format=json $trace
	same -html=- $trace
done
# Several traces, also of those that cannot be read, and in copies of the command.
several=$(ls testdata/go1.2[67]-small/*.trace)
for jobs in 1 3; do
	# shellcheck disable=SC2086
	{
		same -j $jobs -no-join -diagreedy=10 -stw=3 -block=3 $several
		same -j $jobs -no-join -format=text $several none
		same -j $jobs -format=json -goroutines=3 $several
		same -j $jobs -max-stop=1ms $several
	}
done
same -compare -noise=20% testdata/after.trace testdata/before.trace
same -max-stop=1ms -max-wait=10ms $copy testdata/after.trace
same -max-stop=1s $copy
same -stw "$PWD/$copy"
same -stw none
same -stw testdata
same -h
same -x
same -print=skill
cd testdata/stops
same -stw ../before.trace
same -stw ./go1.27_copy.trace
cd ../..
# Pipes, compressed and not; one that its reader leaves; files that are written.
"$gtrace" -stw $copy >"$scratch/want"
cat $copy | "$got" -stw - | cmp - "$scratch/want"
"$got" -stw - <$copy | cmp - "$scratch/want"
gzip -c $copy >"$scratch/copy.gz"
"$got" -stw "$scratch/copy.gz" | cmp - "$scratch/want"
cat "$scratch/copy.gz" | "$got" -stw - | cmp - "$scratch/want"
head -c 700 "$scratch/copy.gz" >"$scratch/cut.gz"
cat "$scratch/cut.gz" | "$got" -stw - >"$scratch/out" 2>"$scratch/err" && fail "half of what is compressed"
grep -q "^standard input: gzip cannot decompress it: gzip: " "$scratch/err" || fail "$(cat "$scratch/err")"
[ "$("$got" -dump testdata/before.trace 2>"$scratch/err" | head -n 1 | wc -l)" -eq 1 ]
[ ! -s "$scratch/err" ] || fail "a closed pipe: $(cat "$scratch/err")"
long=testdata/go1.27-small/gens.trace
"$gtrace" -cut=1.5s,1.6s -o="$scratch/cut1" $long >"$scratch/out1"
"$got" -cut=1.5s,1.6s -o="$scratch/cut2" $long >"$scratch/out2"
cmp "$scratch/cut1" "$scratch/cut2"
cp $long "$scratch/kept.trace"
status=0
"$got" -cut=1.5s,1.6s -o="$scratch/kept.trace" "$scratch/kept.trace" 2>"$scratch/err" || status=$?
[ $status -eq 2 ] || fail "a trace that is read is overwritten"
cmp $long "$scratch/kept.trace"
# A signal while the input still comes: what is complete is reported. The end comes
# long after that.
mkfifo "$scratch/pipe"
(
	cat $long
	exec sleep 100
) >"$scratch/pipe" &
feeder=$!
"$got" -stw - <"$scratch/pipe" >"$scratch/out" 2>"$scratch/err" &
run=$!
sleep 3
kill -TERM $run
status=0
wait $run || status=$?
kill $feeder 2>/dev/null || true
[ $status -eq 0 ] || fail "interrupted: status $status: $(cat "$scratch/err")"
[ -s "$scratch/out" ] || fail "interrupted: nothing is reported"

folders=0
for list in testdata/golden.md5 testdata/*/golden.md5; do
	sh tests/golden/golden.sh "${list%/*}" "$got" -format=text >"$scratch/log" || fail "$(cat "$scratch/log")"
	folders=$((folders + 1))
done
[ $folders -gt 5 ] || fail "only $folders folders"
sh tests/limits_forms_test.sh "$got"

# The tests of the command, but for the words about a wrong regular expression.
sed -e ':a;/\\$/{N;ba}' -e '/regular expression\|Unmatched (/d' tests/command_test.sh \
	>"$scratch/command_test.sh"
for part in "$scratch/command_test.sh" tests/edit_test.sh tests/many_test.sh \
	tests/threads_test.sh tests/collections_test.sh; do
	bash "$part" "$got" >"$scratch/log" 2>&1 || fail "$part: $(tail -n 5 "$scratch/log")"
done

echo "wasm_test.sh: $folders folders of golden files, as C prints them"
