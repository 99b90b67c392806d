#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# documents_test.sh GTRACE MAN BASH ZSH - the man page and the completions: that
# they are those of the command, name every flag, and are accepted by the
# programs that read them, as far as these are there.
set -eu

gtrace=$1
man=$2
bash=$3
zsh=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
	echo "documents_test.sh: $*"
	exit 1
}

"$gtrace" -print=man | cmp - "$man"
"$gtrace" -print=bash | cmp - "$bash"
"$gtrace" -print=zsh | cmp - "$zsh"

"$gtrace" -help | sed -n 's/^  -\([a-z-]*\).*/\1/p' >"$scratch/flags"
[ "$(wc -l <"$scratch/flags")" -gt 8 ] || fail "no flags in the help"
while read -r flag; do
	case $flag in
	h | help | version | print) ;;
	*) "$gtrace" -h | grep -q -- "[ :]-$flag\b" || fail "-h lacks -$flag" ;;
	esac
	sed 's/\\-/-/g' "$man" | grep -q "^\.B -$flag\b" || fail "$man lacks -$flag"
	grep -q -- "[ ']-$flag\b" "$bash" || fail "$bash lacks -$flag"
	grep -q "'-${flag}[=[]" "$zsh" || fail "$zsh lacks -$flag"
done <"$scratch/flags"

if command -v mandoc >"$scratch/null"; then
	mandoc -Tlint "$man" || fail "mandoc does not like $man"
else
	echo "skipped: mandoc is not there"
fi
if command -v man >"$scratch/null"; then
	man --warnings -E UTF-8 -l "$man" >"$scratch/page" 2>"$scratch/err" ||
		fail "man cannot show $man"
	[ ! -s "$scratch/err" ] || fail "man: $(cat "$scratch/err")"
else
	echo "skipped: man is not there"
fi
if command -v zsh >"$scratch/null"; then
	zsh -n "$zsh"
else
	echo "skipped: zsh is not there"
fi
if ! command -v bash >"$scratch/null"; then
	echo "skipped: bash is not there"
	exit 0
fi

# complete WORD... - what bash offers for the last word.
cat >"$scratch/complete.bash" <<'END'
source "$1"
shift
COMP_WORDS=(gtrace "$@")
COMP_CWORD=$#
_gtrace
echo "${COMPREPLY[@]}"
END
expect() {
	want=$1
	shift
	got=$(bash "$scratch/complete.bash" "$bash" "$@")
	[ "$got" = "$want" ] || fail "$*: bash offers '$got', want '$want'"
}
expect "-diagreedy=" -dia
expect "-dump" -du
expect "text json csv short github junit" -format =
expect "json junit" -format = j
expect "json junit" -format j
expect "man" --print m
touch "$scratch/a file.trace"
expect "$scratch/a file.trace" -dump "$scratch/a"
expect "$scratch/a file.trace" -binary = "$scratch/a"
echo "documents_test.sh: $(wc -l <"$scratch/flags") flags, as they should be"
