#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# patches_test.sh - proves that each release of Go gets the series meant for
# it, and that what none fits is told which there are.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

while read -r release want; do
	echo "$release" >"$scratch/VERSION"
	got=$(patches/apply.sh -which "$scratch" 2>"$scratch/err") || got=none
	if [ "$got" != "$want" ]; then
		echo "FAIL: $release gets $got, want $want"
		failures=1
	fi
	if [ "$want" = none ] && ! grep -q 'go1.8.3 go1.19 go1.21' "$scratch/err"; then
		echo "FAIL: $release: $(cat "$scratch/err")"
		failures=1
	fi
done <<'END'
go1.5.4 none
go1.8 none
go1.8.2 none
go1.8.3 go1.8.3
go1.8.7 go1.8.3
go1.19 go1.19
go1.19.13 go1.19
go1.20.14 go1.19
go1.21rc2 go1.21
go1.21.13 go1.21
go1.22.0 none
go1.100 none
go2.0 none
devel none
END
exit $failures
