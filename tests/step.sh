# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# step.sh - sourced by scripts that run what takes long.
#
# step WORDS LOG COMMAND... - prints WORDS, runs COMMAND with all its output in
# the file LOG, and prints how long it has taken: once at the end, and before that
# every eight seconds with the last line that says how far it is. Returns COMMAND's
# status. Ctrl-C (SIGINT) also reaches COMMAND, which ends; but apt-get goes on
# while packages are being installed, and the script waits for it.
STEP_NAME=${0##*/}
step_beat=

die() {
	echo "$STEP_NAME: $*" >&2
	exit 1
}

step_interrupt() {
	[ -z "$step_beat" ] || kill "$step_beat" 2>/dev/null || true
	echo "$STEP_NAME: interrupted" >&2
	exit 130
}
trap step_interrupt INT

# What the log of Bazel or apt-get last says of its progress: of Bazel how many
# tests have run and failed, or before the first test how many actions, or what the
# one action of a demo does.
step_progress() {
	sed -En "$step_log" \
		-e 's/^\[[0-9,]* \/ [0-9,]*\] ([0-9,]+ \/ [0-9,]+ tests(, [0-9,]+ failed)?).*/\1/p; t' \
		-e 's/^\[[0-9,]* \/ [0-9,]*\] (Putting the reports [^;]*).*/\1/p; t' \
		-e 's/^(\[[0-9,]* \/ [0-9,]*\]|Get:[0-9]*) .*/\1/p' \
		-e 's/^((Unpacking|Setting up) [^ ]*) .*/\1/p' | tail -n 1
}

# Prints the progress every eight seconds. The sleep outlives the script, and
# keeps no pipe of it open.
step_beat() {
	while sleep 8 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
		echo "$STEP_NAME:   $(($(date +%s) - step_from)) s $(step_progress)" >&2
	done
}

step() {
	echo "$STEP_NAME: $1" >&2
	step_log=$2
	shift 2
	step_from=$(date +%s)
	: >"$step_log"
	step_beat &
	step_beat=$!
	step_status=0
	"$@" >"$step_log" 2>&1 </dev/null || step_status=$?
	kill "$step_beat" 2>/dev/null || true
	wait "$step_beat" 2>/dev/null || true
	step_beat=
	[ "$step_status" -eq 0 ] && step_end="done in" || step_end="failed after"
	echo "$STEP_NAME:   $step_end $(($(date +%s) - step_from)) s" >&2
	return "$step_status"
}

# Stops if the variable NAME is set and is not the absolute path of a Go tree.
check_goroot() {
	eval "set -- $1 \"\${$1:-}\""
	case $2 in
	"") ;;
	/*) [ -e "$2/src/cmd/trace/main.go" ] || die "$1=$2 has no src/cmd/trace/main.go" ;;
	*) die "$1=$2 is not an absolute path" ;;
	esac
}

# Stops if there are no patches for the Go in GTRACE_GOROOT.
check_series() {
	[ -z "${GTRACE_GOROOT:-}" ] || step_end=$(sh patches/apply.sh -which "$GTRACE_GOROOT" 2>&1) ||
		die "GTRACE_GOROOT=$GTRACE_GOROOT: ${step_end#apply.sh: }"
}

case $PWD in
*\ *) die "Bazel does not build in a folder with a space in its path: $PWD" ;;
esac
