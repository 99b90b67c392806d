#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# services_test.sh GTRACE - the first lines of three services under load, recorded
# with the newest Go in /usr/lib, name what README.md says that they do.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
newest=$(printf '%s\n' /usr/lib/go-1.* | sort -V | tail -n 1)
if [ ! -x "$newest/bin/go" ]; then
	echo "skipped: no Go in /usr/lib"
	exit
fi
cp tests/go/services.go.txt "$scratch/services.go"
CGO_ENABLED=0 "$newest/bin/go" build -o "$scratch/services" "$scratch/services.go"
cd "$scratch"

# expect SERVICE PATTERN... - its first lines match, in one of three recordings, as
# others can use the CPUs.
expect() {
	local service=$1 got pattern right
	shift
	for _ in 1 2 3; do
		./services "$service" before trace
		got=$("$gtrace" trace | sed '/^Next:/,$d' | tr '\n' ' ')
		right=yes
		for pattern; do
			[[ $got == *"$pattern"* ]] || right=
		done
		[ -z "$right" ] || return 0
		echo "$service: $got"
	done
	echo "FAIL $service"
	exit 1
}

expect journal "main.(*journal).add " "syscall.Fsync (system call)" "sync.(*Mutex).Lock, lock"
expect prices "main.fetchPrice " "waited for the network" "http.(*Transport).getConn, select"
expect jobs "main.(*job).poll " "it slept"
