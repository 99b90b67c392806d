#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# edit_test.sh GTRACE - the trace reader of the newest installed Go from 1.26 on
# reads what gtrace makes of the recorded traces of Go 1.22 and later: 150 random
# choices (500 in a long run) of cuts, joins of these, and other names. One that is cut
# off is refused.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
program=$(readlink -f tests/go/edit.go.txt)
goroot=
for root in "${GTRACE_GOROOT:-}" /usr/lib/go-1.2[6-9] /usr/local/go; do
	[ ! -f "$root/src/internal/trace/reader.go" ] ||
		! grep -q '^go1\.2[6-9]' "$root/VERSION" || goroot=$root
done
if [ -z "$goroot" ]; then
	echo "skipped: no Go 1.26 or later with its sources"
	exit
fi

module=$scratch/module
mkdir "$module" "$scratch/made"
cp -RL "$goroot/src/internal/trace" "$module/trace"
chmod -R u+w "$module"
cp "$program" "$module/main.go"
(
	cd "$module"
	rm -rf trace/testdata trace/testtrace trace/internal/testgen trace/raw trace/traceviewer
	find . -name '*_test.go' -exec rm {} +
	find trace -name '*.go' -exec sed -i 's,"internal/trace,"control/trace,' {} +
	printf 'module control\n\ngo 1.26\n' >go.mod
	CGO_ENABLED=0 "$goroot/bin/go" build -o "$scratch/reader" .
)

# The recorded traces of these versions, but for those that are made to be refused.
traces=()
for trace in testdata/*/*.trace; do
	case $trace in testdata/attack/*) continue ;; esac
	[[ $(head -c 7 "$trace" | tr -d '\0') != go\ 1.2[2-9] ]] || traces+=("$trace")
done

# make FILE FLAGS... TRACE... - a new trace. Traces of one part have nothing in some
# times, and joins can lack a part: then there is no file.
make() {
	local file=$1 got=0
	shift
	rm -f "$file"
	"$gtrace" "$@" -o "$file" >"$scratch/said" 2>&1 || got=$?
	[ $got -ne 0 ] || return 0
	if [ -e "$file" ] || ! grep -q 'nothing is in that time\|is missing between' "$scratch/said"; then
		echo "gtrace $*: status $got"
		cat "$scratch/said"
		exit 1
	fi
	refused=$((refused + 1))
	return 1
}

# choose FILE - makes FILE by a random choice of cutting, joining and new names.
choose() {
	local trace=${traces[RANDOM % ${#traces[@]}]} flags=() inputs=()
	local at=$((RANDOM % 2500))
	inputs=("$trace")
	case $((RANDOM % 5)) in
	0) flags+=("-cut=${at}ms,$((at + 1 + RANDOM % 1500))ms") ;;
	1) flags+=("-cut=around:-${at}ms") ;;
	2) flags+=("-cut=-$((at + 1))ms,") ;;
	3) flags+=("-cut=,$((at + 1))ms") ;;
	esac
	if ((RANDOM % 3 == 0)); then
		make "$scratch/early" -cut=",$((1 + RANDOM % 2500))ms" "$trace" || return
		make "$scratch/late" -cut="$((RANDOM % 2500))ms," "$trace" || return
		inputs=("$scratch/early" "$scratch/late")
		flags+=(-join)
	fi
	if ((RANDOM % 2 == 0 || ${#flags[@]} == 0)); then
		flags+=(-anonymise)
		((RANDOM % 2 == 0)) || flags+=("-salt=$RANDOM")
	fi
	make "$1" "${flags[@]}" "${inputs[@]}"
}

RANDOM=50
number=0
refused=0
wanted=150
[ -z "${GTRACE_LONG:-}" ] || wanted=500
while [ $number -lt $wanted ]; do
	choose "$scratch/made/$number" || continue
	number=$((number + 1))
done
set -- "$scratch"/made/*
[ $# -eq $wanted ]
"$scratch/reader" "$@" >"$scratch/refused"
if [ -s "$scratch/refused" ]; then
	cat "$scratch/refused"
	exit 1
fi
head -c -1 "$1" >"$scratch/short"
"$scratch/reader" "$scratch/short" | grep -q . || { echo "a trace that is cut off is taken"; exit 1; }
echo "edit_test.sh: $# traces of ${#traces[@]}, $refused refused"
