# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# called.sh - sourced by tests that call the command, $gtrace, and look at what it
# prints, in the files out and err of the folder $scratch.

fail() {
	echo "${0##*/}: $*"
	exit 1
}

# run STATUS ARGUMENT... - the command.
run() {
	want=$1
	shift
	got=0
	"$gtrace" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || got=$?
	[ "$got" -eq "$want" ] ||
		fail "gtrace $*: status $got, want $want: $(cat "$scratch/err")"
}

# out NAME - compares what was printed with stdin.
out() {
	cmp - "$scratch/out" || fail "$1: $(cat "$scratch/out")"
}
