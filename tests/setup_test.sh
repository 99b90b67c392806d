#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# setup_test.sh - what setup.sh, run.sh and go/demo.sh do and say: shell scripts
# take the place of apt-get, dpkg-query, sudo and bazel, and nothing is installed.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
bin=$scratch/bin
calls=$scratch/calls
uses=0
mkdir -p "$tree/go" "$tree/patches" "$tree/tests" "$bin"
cp tests/setup.sh tests/step.sh tests/run.sh "$tree/tests"
cp go/demo.sh "$tree/go"
cp .bazelrc "$tree"
# A Go that can be patched, one that cannot, and one without sources.
for root in "$scratch/a/go" "$scratch/old"; do
	mkdir -p "$root/bin" "$root/src/cmd/trace"
	touch "$root/VERSION" "$root/bin/go" "$root/src/cmd/trace/main.go"
done
mkdir -p "$scratch/bare/bin"
touch "$scratch/bare/bin/go"
cat >"$tree/patches/apply.sh" <<'END'
[ "$1" = -which ] || exit
case $2 in
*/old)
	echo "apply.sh: no series for go1.4" >&2
	exit 1
	;;
esac
echo go1.19
END
printf 'go 1.8 trace\0\0\0\0' >"$scratch/good"
export scratch calls

fail() {
	echo "setup_test.sh: $*"
	cat "$scratch/err"
	exit 1
}

# What the scripts run, without what there may be of the tools that they look for.
path=$PATH
mkdir "$scratch/plain"
for tool in sh dirname grep sed cat date mktemp rm head tail tr env sleep; do
	ln -s "$(command -v $tool)" "$scratch/plain/$tool"
done

# fake NAME - a command whose script is standard input.
fake() {
	{
		echo "#!/bin/sh"
		cat
	} >"$bin/$1"
	chmod +x "$bin/$1"
}

fake dpkg-query <<'END'
for package; do :; done
[ ! -f "$scratch/installed" ] || ! grep -qx -e "$package" -e all "$scratch/installed" ||
	echo "install ok installed"
END
fake apt-get <<'END'
echo "apt-get $*" >>"$calls"
case "$* $(cat "$scratch/network")" in
update*none)
	echo "W: Failed to fetch http://a/InRelease  Temporary failure"
	echo "W: Failed to fetch http://b/InRelease  Temporary failure"
	echo "W: Failed to fetch http://c/InRelease  Temporary failure"
	;;
*--assume-no*kin)
	echo "E: Unable to locate package golang-1.19-go"
	exit 100
	;;
*--assume-no*)
	echo "0 upgraded, 7 newly installed, 0 to remove and 0 not upgraded."
	echo "Need to get 345 MB of archives."
	echo "After this operation, 1316 MB of additional disk space will be used."
	exit 1
	;;
install*none)
	for name in 1 2 3 4 5; do
		echo "E: Failed to fetch http://a/$name.deb  Temporary failure"
	done
	exit 100
	;;
install*broken)
	echo "dpkg: what dpkg says"
	exit 100
	;;
install*) echo all >"$scratch/installed" ;;
esac
END
fake sudo <<'END'
echo "sudo $*" >>"$calls"
[ "$1" = -v ] || exec "$@"
END
fake id <<'END'
cat "$scratch/uid"
END
fake bazel <<'END'
echo "bazel $* ${GTRACE_GOROOT:-}" >>"$calls"
for argument; do
	name=${argument#--config=}
	# As Bazel: info has the configurations of build.
	if [ "$name" != "$argument" ] && ! grep -q "^build:$name " .bazelrc &&
		! { [ "$1" = test ] && grep -q "^test:$name " .bazelrc; }; then
		echo "ERROR: Config value '$name' is not defined in any .rc file" >&2
		exit 2
	fi
done
if [ "$1" = info ]; then
	echo "$scratch/bazel-bin"
elif [ "$1" = test ]; then
	echo "[3 / 4] Testing it"
	echo "//a:good (cached) PASSED in 0.1s"
	echo "//a:other PASSED in 0.1s"
	[ ! -f "$scratch/fails" ] || {
		echo "//a:bad FAILED in 0.1s"
		exit 3
	}
else
	[ -f "$scratch/builds" ] || {
		echo "[3 / 4] Making it"
		echo "ERROR: what went wrong"
		exit 1
	}
fi
END
mkdir -p "$scratch/bazel-bin/go/goroot/bin"
bin=$scratch/bazel-bin/go/goroot/bin fake go <<'END'
echo "go $*"
END

# prints STATUS SCRIPT ARGUMENT... - runs a script of the tree, whose exit status
# must be this, and keeps what it prints.
prints() {
	want=$1
	shift
	status=0
	: >"$calls"
	(cd "$tree" && PATH=$bin:$path sh "$@") >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
	[ "$status" -eq "$want" ] || fail "$*: status $status, want $want"
	uses=$((uses + 1))
}

# says LINE - whether the last use printed this line to standard error.
says() {
	grep -qxF -e "$1" "$scratch/err" || fail "no line '$1'"
}

called() {
	grep -q -e "$1" "$calls" || fail "no call of $1: $(cat "$calls")"
}

echo 0 >"$scratch/uid"
echo there >"$scratch/network"

# Arguments are looked at before anything is installed.
prints 0 go/demo.sh -h
grep -q '^usage: demo.sh' "$scratch/out" || fail "no usage"
prints 2 go/demo.sh -x
prints 2 go/demo.sh a b
prints 2 tests/setup.sh x
prints 2 tests/run.sh //tests:trace_test
prints 1 go/demo.sh none
says "demo.sh: cannot read $tree/none"
prints 1 go/demo.sh "$scratch"
says "demo.sh: $scratch is a directory"
prints 1 go/demo.sh tests/run.sh
says "demo.sh: $tree/tests/run.sh is not a trace of Go"
: >"$scratch/empty"
prints 1 go/demo.sh "$scratch/empty"
says "demo.sh: $scratch/empty is not a trace of Go"
# So are the trees of Go that the environment names.
for script in go/demo.sh tests/run.sh; do
	name=${script##*/}
	export GTRACE_GOROOT="$scratch/none"
	prints 1 $script
	says "$name: GTRACE_GOROOT=$scratch/none has no bin/go"
	export GTRACE_GOROOT="$scratch/bare"
	prints 1 $script
	says "$name: GTRACE_GOROOT=$scratch/bare has no src/cmd/trace/main.go"
	unset GTRACE_GOROOT
done
export GTRACE_GO183_ROOT="$scratch/none"
prints 1 tests/run.sh
says "run.sh: GTRACE_GO183_ROOT=$scratch/none has no src/cmd/trace/main.go"
export GTRACE_GO183_ROOT=a/go
prints 1 tests/run.sh
says "run.sh: GTRACE_GO183_ROOT=a/go is not an absolute path"
unset GTRACE_GO183_ROOT
mkdir "$scratch/a b"
cp -R "$tree/go" "$tree/tests" "$scratch/a b"
prints 1 "$scratch/a b/go/demo.sh"
says "demo.sh: Bazel does not build in a folder with a space in its path: $scratch/a b"
[ ! -s "$calls" ] || fail "a call: $(cat "$calls")"

# What is to be installed, and how large it is, is said before.
prints 0 tests/setup.sh demo
says "setup.sh: Need to get 345 MB of archives."
says "setup.sh: After this operation, 1316 MB of additional disk space will be used."
called '^apt-get install .*bazel-bootstrap .*golang-1.19-go .*-y$'
# The archives do not stay on the disk.
called '^apt-get install .* APT::Keep-Downloaded-Packages=false .*-y$'
! grep -e cmocka -e g++ "$calls" || fail "the demo does not need these"
prints 0 tests/setup.sh
[ ! -s "$calls" ] || fail "all is there: $(cat "$calls")"
echo bazel-bootstrap >"$scratch/installed"
prints 0 tests/setup.sh tests
called '^apt-get install .* g++ libcmocka-dev .*-y$'
! grep 'install.* bazel-bootstrap' "$calls" || fail "that is installed"

# As another user, with and without sudo.
echo 1000 >"$scratch/uid"
rm "$scratch/installed"
prints 0 tests/setup.sh demo
called '^sudo -v$'
called '^sudo apt-get update'
called '^sudo env .*apt-get install .*-y$'
rm "$scratch/installed"

# Without a network: two lines about packages that were not fetched, not hundreds.
echo 0 >"$scratch/uid"
echo none >"$scratch/network"
prints 1 tests/setup.sh demo
says "W: Failed to fetch http://b/InRelease  Temporary failure"
says "and 1 more such lines"
says "E: Failed to fetch http://a/2.deb  Temporary failure"
says "and 3 more such lines"
says "setup.sh: packages cannot be fetched: is there a network?"
[ "$(grep -c 'Failed to fetch' "$scratch/err")" -eq 4 ] || fail "too many lines"
# Another system with apt-get, on which the tools are installed.
echo kin >"$scratch/network"
path=$scratch/plain
for tool in cc git; do
	echo exit | fake $tool
done
prints 0 tests/setup.sh demo
says "E: Unable to locate package golang-1.19-go"
! grep '^apt-get install .*-y$' "$calls" || fail "installs without the packages"
mv "$bin/bazel" "$scratch/bazel"
prints 1 tests/setup.sh demo
says "setup.sh: this is not Debian 12, so install these yourself: bazel"
mv "$scratch/bazel" "$bin/bazel"
rm "$bin/cc" "$bin/git"
path=$PATH
echo broken >"$scratch/network"
prints 1 tests/setup.sh demo
says "dpkg: what dpkg says"
! grep 'is there a network' "$scratch/err" || fail "the network is there"

# The demo: what the failed step says, and a trace by its name from elsewhere.
echo all >"$scratch/installed"
prints 1 go/demo.sh
says "ERROR: what went wrong"
! grep 'Making it' "$scratch/err" || fail "a line of progress"
: >"$scratch/builds"
prints 0 go/demo.sh
[ "$(tail -n 1 "$scratch/out")" = "go tool trace -diagreedy=10 testdata/before.trace" ] ||
	fail "printed $(cat "$scratch/out")"
cp "$scratch/good" "$tree/here"
prints 0 go/demo.sh here
[ "$(tail -n 1 "$scratch/out")" = "go tool trace -diagreedy=10 $tree/here" ] ||
	fail "printed $(cat "$scratch/out")"
export GTRACE_GOROOT="$scratch/old"
prints 1 go/demo.sh
says "demo.sh: GTRACE_GOROOT=$scratch/old: no series for go1.4"
prints 1 tests/run.sh
says "run.sh: GTRACE_GOROOT=$scratch/old: no series for go1.4"
[ ! -s "$calls" ] || fail "a call: $(cat "$calls")"
export GTRACE_GOROOT=../a/go
prints 0 go/demo.sh
called "^bazel build .*//go:goroot $tree/../a/go\$"
export GTRACE_GOROOT="$scratch/a/go"
prints 0 go/demo.sh
called "^bazel build .*//go:goroot $scratch/a/go\$"
unset GTRACE_GOROOT

# All tests: the configurations are known, and the last line is the verdict.
mkdir -p "$scratch/bazel-bin/a/good" "$scratch/bazel-bin/a/other"
echo "a log" >"$scratch/bazel-bin/a/good/test.log"
echo "skipped: no moon" >"$scratch/bazel-bin/a/other/test.log"
for flag in '' -all; do
	prints 0 tests/run.sh $flag
	[ "$(tail -n 1 "$scratch/out")" = "3 passed, 0 failed, 3 skipped" ] ||
		fail "run.sh $flag: verdict $(tail -n 1 "$scratch/out")"
	grep -qx "skipped: //a:other: no moon" "$scratch/out" || fail "run.sh: no reason"
done
: >"$scratch/fails"
prints 1 tests/run.sh
[ "$(tail -n 1 "$scratch/out")" = "3 passed, 3 failed, 3 skipped" ] ||
	fail "run.sh: verdict $(tail -n 1 "$scratch/out")"
grep -qx "failed: plain: //a:bad: FAILED in 0.1s" "$scratch/out" || fail "run.sh: no name"

# When a script ends, no process keeps its standard output open.
from=$(date +%s)
(cd "$tree" && PATH=$bin:$path sh go/demo.sh 2>&1) | cat >"$scratch/out"
[ $(($(date +%s) - from)) -lt 6 ] || fail "demo.sh | cat ends late"

# A system that is not Debian.
bin=$scratch/plain
path=$scratch/plain
prints 1 tests/setup.sh demo
says "setup.sh: this is not Debian, so install these yourself: bazel cc git"
prints 1 tests/setup.sh tests
says "setup.sh: this is not Debian, so install these yourself: bazel cc git cmocka c++"
echo "setup_test.sh: $uses uses as they should be"
