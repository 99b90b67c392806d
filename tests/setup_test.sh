#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# setup_test.sh - what setup.sh, run.sh and go/demo.sh do and say: shell scripts
# take the place of apt-get, dpkg-query, sudo and bazel, and nothing is installed.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree="$scratch/tree"
bin=$scratch/bin
mkdir -p "$tree/go" "$tree/patches" "$tree/tests" "$bin" "$scratch/plain"
cp tests/setup.sh tests/step.sh tests/run.sh "$tree/tests"
cp go/demo.sh "$tree/go"
# A Go that can be patched, one that cannot, and one without sources.
mkdir -p "$scratch/a/go/src/cmd/trace" "$scratch/bare"
touch "$scratch/a/go/src/cmd/trace/main.go"
cp -R "$scratch/a/go" "$scratch/old"
echo 'case $2 in */old) echo "apply.sh: no series for go1.4"; exit 1 ;; esac' >"$tree/patches/apply.sh"
printf 'go 1.8 trace\0\0\0\0' >"$tree/here"
# What the scripts run, without what there may be of the tools that they look for.
path=$PATH
for tool in sh dirname grep sed cat date mktemp rm head tail tr env sleep; do
	ln -s "$(command -v $tool)" "$scratch/plain/$tool"
done

# fake NAME - a command, whose script is standard input, and whose calls are kept.
fake() {
	{ printf '#!/bin/sh\ncd "%s"\nprintf "%%s\\n" "%s $*" >>calls\n' "$scratch" "$1" && cat; } >"$bin/$1"
	chmod +x "$bin/$1"
}
fake dpkg-query <<'END'
for package; do :; done
! grep -qsx -e "$package" -e all installed || echo "install ok installed"
END
fake apt-get <<'END'
echo $$ >pid
case "$* $(cat mode)" in
update*none) printf 'W: Failed to fetch http://%s/InRelease  Temporary failure\n' a b c ;;
update*slow) sh interrupt ;;
*--assume-no*kin) echo "E: Unable to locate package golang-1.19-go" ;;
*--assume-no*) printf '%s\n' "7 newly installed" "Need to get 345 MB of archives." ;;
install*none) printf 'E: Failed to fetch http://a/%d.deb  Temporary failure\n' 1 2 3 4 5 && exit 100 ;;
install*broken) echo "dpkg: what dpkg says" && exit 100 ;;
install*dpkg) trap '' INT && sh interrupt ;;
install*) echo all >installed ;;
esac
END
echo 'kill -INT 0; sleep 2; echo finished >>calls' >"$scratch/interrupt"
echo '[ "$1" = -v ] || exec "$@"' | fake sudo
echo 'echo "${uid:-0}"' | fake id
fake bazel <<'END'
echo "${GTRACE_GOROOT:-}" >>calls
case "$1 $(cat mode)" in
info*) echo "$PWD" ;;
test*) printf '//a:%s in 0.1s\n' "good (cached) PASSED" "other PASSED" && cat bad && [ ! -s bad ] ;;
*fails) printf '%s\n' "[3 / 4] Making it" "ERROR: what went wrong" && exit 1 ;;
esac
END
mkdir -p "$scratch/go/goroot/bin" "$scratch/a/good" "$scratch/a/other"
echo "a log" >"$scratch/a/good/test.log"
echo "skipped: no moon" >"$scratch/a/other/test.log"
printf '#!/bin/sh\necho "go $*"\n' >"$scratch/go/goroot/bin/go"
chmod +x "$scratch/go/goroot/bin/go"
# try STATUS MODE PATTERN SCRIPT ARGUMENT... - the exit status of a script of the
# tree, and what is in a line that it prints, or among its calls.
try() {
	status=0
	: >"$scratch/calls"
	echo "$2" >"$scratch/mode"
	(shift 3 && cd "$tree" && PATH=$bin:$path sh "$@") >"$scratch/out" 2>&1 </dev/null || status=$?
	cat "$scratch/calls" >>"$scratch/out"
	[ "$status" -eq "$1" ] || fail "$*: status $status"
	[ -z "$3" ] || grep -Eqx -e "$3" "$scratch/out" || fail "$*"
}
# also PATTERN, and not PATTERN - the same of the last use.
also() { grep -Eqx -e "$1" "$scratch/out" || fail "$1"; }
not() { ! grep -E -e "$1" "$scratch/out" || fail "not $1"; }
fail() { echo "setup_test.sh: $*" && cat "$scratch/out" && exit 1; }
: >"$scratch/bad"
# Arguments are looked at before anything is installed, and the trees of Go.
try 1 ok "demo.sh: cannot read $tree/none" go/demo.sh none
try 1 ok "demo.sh: $tree is a directory" go/demo.sh "$tree"
try 1 ok "demo.sh: $tree/tests/run.sh is not a trace of Go" go/demo.sh tests/run.sh
try 1 ok "run.sh: GTRACE_GO183_ROOT=a/go is not an absolute path" -c "GTRACE_GO183_ROOT=a/go sh tests/run.sh"
try 1 ok "demo.sh: GTRACE_GOROOT=$scratch/bare has no src/cmd/trace/main.go" -c "GTRACE_GOROOT=$scratch/bare sh go/demo.sh"
not apt-get
mkdir "$scratch/a b" && cp -R "$tree/go" "$tree/tests" "$scratch/a b"
try 1 ok "demo.sh: Bazel does not build in a folder with a space in its path: $scratch/a b" "$scratch/a b/go/demo.sh"

# What is to be installed, and how large it is, is said before; archives do not stay.
try 0 ok "setup.sh: Need to get 345 MB of archives\." tests/setup.sh demo
also "apt-get install .*bazel-bootstrap .*golang-1.19-go .*Keep-Downloaded-Packages=false .*-y"
not "cmocka|g\+\+|jq"
try 0 ok "" tests/setup.sh
not apt-get
echo bazel-bootstrap >"$scratch/installed"
try 0 ok "apt-get install .* g\+\+ jq libcmocka-dev mandoc .*pkg-config .* -y" tests/setup.sh tests
not "apt-get install.* bazel-bootstrap"
# As another user; without a network: two lines about it, not hundreds; kin of Debian.
rm "$scratch/installed"
try 0 ok "sudo env .*apt-get install .*-y" -c "uid=1000 sh tests/setup.sh demo"
rm "$scratch/installed"
try 1 none "setup.sh: packages cannot be fetched: is there a network\?" tests/setup.sh demo
[ "$(grep -c 'Failed to fetch' "$scratch/out")" -eq 4 ] || fail "too many lines"
try 1 broken "dpkg: what dpkg says" tests/setup.sh demo
path=$scratch/plain
try 1 kin "setup.sh: this is not Debian 12, so install these yourself: cc git go" tests/setup.sh demo
for tool in cc git go; do echo exit | fake $tool; done
try 0 kin "E: Unable to locate package golang-1.19-go" tests/setup.sh demo
rm "$bin/cc" "$bin/git" "$bin/go" && path=$PATH

# Ctrl-C: apt-get ends, or is waited for if it goes on.
try 130 slow "demo.sh: interrupted" -c 'timeout 99 sh go/demo.sh'
not finished
! kill -0 "$(cat "$scratch/pid")" 2>/dev/null || fail "apt-get goes on"
try 130 dpkg "demo.sh: interrupted" -c 'timeout 99 sh go/demo.sh'
also finished

# The demo: what the failed step says, and a trace by its name from elsewhere.
echo all >"$scratch/installed"
try 1 fails "ERROR: what went wrong" go/demo.sh
not "Making it"
try 0 ok "go tool trace -diagreedy=10 testdata/before.trace" go/demo.sh
try 0 ok "go tool trace -diagreedy=10 $tree/here" go/demo.sh here
try 0 ok "$tree/../a/go" -c "GTRACE_GOROOT=../a/go sh go/demo.sh"
try 1 ok "demo.sh: GTRACE_GOROOT=$scratch/old: no series for go1.4" -c "GTRACE_GOROOT=$scratch/old sh go/demo.sh"

# All tests: the configurations are known, and the last line is the verdict.
for flag in '' -all; do
	try 0 ok "3 passed, 0 failed, 3 skipped" tests/run.sh $flag
	also "skipped: //a:other: no moon"
done
for config in $(sed -n 's/.*--config=\([a-z]*\).*/\1/p' "$scratch/calls"); do
	grep -q "^\(build\|test\):$config " .bazelrc || fail "no $config in .bazelrc"
done
echo "//a:bad FAILED in 0.1s" >"$scratch/bad"
try 1 ok "3 passed, 3 failed, 3 skipped" tests/run.sh
also "failed: plain: //a:bad: FAILED in 0.1s"
also "plain: //a:bad ends with:"
# The progress: tests once there are some, with anything else in the log.
progress() {
	cat >>"$scratch/log"
	# shellcheck disable=SC2016
	got=$(cd "$tree" && sh -c '. tests/step.sh; step_log=$1; step_progress' step "$scratch/log")
	[ "$got" = "$1" ] || { echo "setup_test.sh: progress \"$got\", not \"$1\"" && exit 1; }
}
progress "" </dev/null
echo "[12 / 1,047] Compiling c/gtrace.c" | progress "[12 / 1,047]"
echo "[1 / 2] Putting the reports into a copy of /a/go; 200s local" |
	progress "Putting the reports into a copy of /a/go"
echo "[1,044 / 1,047] 0 / 137 tests; [Sched] Testing //a:good" | progress "0 / 137 tests"
progress "97 / 137 tests, 4 failed" <<'END'
[1,044 / 1,047] 97 / 137 tests, 4 failed; Testing //a:good; 3s local ... (2 actions running)
FAIL: //a:bad (see /bad/test.log)
END
echo "Setting up bazel-bootstrap (4.2) ..." | progress "Setting up bazel-bootstrap"
# When a script ends, no process keeps its standard output open.
from=$(date +%s)
(cd "$tree" && PATH=$bin:$path sh go/demo.sh 2>&1) | cat >"$scratch/out"
[ $(($(date +%s) - from)) -lt 6 ] || fail "demo.sh | cat ends late"
# A system that is not Debian.
bin=$scratch/plain path=$scratch/plain
try 1 ok "setup.sh: this is not Debian, so install these yourself: bazel cc git go" tests/setup.sh demo
try 1 ok "setup.sh: .* yourself: bazel cc git go cmocka c\+\+" tests/setup.sh tests
echo "setup_test.sh: the scripts do and say what they should"
