# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# step.sh - sourced by scripts that run what takes long.
#
# step WORDS LOG COMMAND... - prints WORDS, runs COMMAND with all its output in
# the file LOG, and prints how long it has taken: once at the end, and before
# that every STEP_SECONDS with the last line that says how far it is. Returns
# COMMAND's status.
#
# no_space_in_path - stops where Bazel would not start.
#
# check_goroot NAME FILE... - stops if the variable NAME is set, and is not the
# absolute path of a folder that has these files.
#
# check_series - stops if there are no patches for the Go in GTRACE_GOROOT. Takes
# git or patch.

STEP_SECONDS=8
STEP_NAME=${0##*/}

# The last progress line in a log of Bazel ("[12 / 40] ...") or apt-get.
step_progress() {
	sed -n 's/^\(\[[0-9,]* \/ [0-9,]*\]\).*/\1/p; s/^\(Get:[0-9]*\) .*/\1/p
		s/^\(Unpacking [^ ]*\) .*/\1/p; s/^\(Setting up [^ ]*\) .*/\1/p' \
		"$1" 2>/dev/null | tail -n 1
}

step() {
	step_words=$1
	step_log=$2
	shift 2
	step_from=$(date +%s)
	echo "$STEP_NAME: $step_words" >&2
	: >"$step_log"
	"$@" >"$step_log" 2>&1 </dev/null &
	step_pid=$!
	# In a process of its own, so that this one can wait for the command. The
	# sleep outlives it, and must not keep a pipe open that is read to its end.
	(
		while sleep "$STEP_SECONDS" >/dev/null 2>&1 &&
			kill -0 "$step_pid" 2>/dev/null; do
			echo "$STEP_NAME:   $(($(date +%s) - step_from)) s" \
				"$(step_progress "$step_log")" >&2
		done
	) &
	step_beat=$!
	step_status=0
	wait "$step_pid" || step_status=$?
	kill "$step_beat" 2>/dev/null || true
	wait "$step_beat" 2>/dev/null || true
	if [ "$step_status" -eq 0 ]; then
		echo "$STEP_NAME:   done in $(($(date +%s) - step_from)) s" >&2
	else
		echo "$STEP_NAME:   failed after $(($(date +%s) - step_from)) s" >&2
	fi
	return "$step_status"
}

no_space_in_path() {
	case $PWD in
	*\ *)
		echo "$STEP_NAME: Bazel does not build in a folder with a space in its path: $PWD" >&2
		exit 1
		;;
	esac
}

check_goroot() {
	step_name=$1
	step_root=
	eval "step_root=\${$1:-}"
	shift
	case $step_root in
	"") return ;;
	/*) ;;
	*)
		echo "$STEP_NAME: $step_name=$step_root is not an absolute path" >&2
		exit 1
		;;
	esac
	for step_file; do
		if ! [ -e "$step_root/$step_file" ]; then
			echo "$STEP_NAME: $step_name=$step_root has no $step_file" >&2
			exit 1
		fi
	done
}

check_series() {
	[ -n "${GTRACE_GOROOT:-}" ] || return 0
	if ! step_wrong=$(sh patches/apply.sh -which "$GTRACE_GOROOT" 2>&1); then
		echo "$STEP_NAME: GTRACE_GOROOT=$GTRACE_GOROOT: ${step_wrong#apply.sh: }" >&2
		exit 1
	fi
}
