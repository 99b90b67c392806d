#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# patches_test.sh - proves, without a Go, that each release gets the series that
# is meant for it or the nearest one that applies, that any other release gets a
# list of those there are, and that apply.sh leaves a git work tree in which
# all is committed.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
failures=0

fail() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}

# made SERIES - prints the folder of its patches, which are made once.
made() {
	[ -d "$scratch/made/$1" ] || patches/series.sh "$1" "$scratch/made/$1" >&2
	echo "$scratch/made/$1"
}

# before SERIES TREE - makes of TREE a tree to which SERIES applies: the lines
# that its hunks expect.
before() {
	awk -v tree="$2" '
		/^diff --git / { out = ""; hunk = 0 }
		!hunk && /^--- a\// { out = tree "/" substr($0, 7) }
		/^@@ / && out != "" {
			hunk = 1
			folder = out
			sub("/[^/]*$", "", folder)
			system("mkdir -p " folder)
			next
		}
		hunk && /^[ -]/ { print substr($0, 2) >out }
	' "$(made "$1")"/*.patch
}

# expect RELEASE WANT TREE - WANT is a series or none.
expect() {
	local got
	echo "$1" >"$3/VERSION"
	got=$(patches/apply.sh -which "$3" 2>"$scratch/err") || got=none
	[ "$got" = "$2" ] || fail "$1 gets $got, want $2: $(cat "$scratch/err")"
	if [ "$2" = none ] && ! grep -q 'go1.24 go1.26 go1.27' "$scratch/err"; then
		fail "$1: $(cat "$scratch/err")"
	fi
}

# By the version alone.
mkdir "$scratch/version"
while read -r release want; do
	expect "$release" "$want" "$scratch/version"
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
go1.22.0 go1.22
go1.22.12 go1.22
go1.24.4 go1.24
go1.26 go1.26
go1.27.3 go1.27
go1.100 go1.27
devel none
END

# By what applies: its own series, else the one before it, else the one after.
for series in patches/go*/; do
	series=$(basename "$series")
	before "$series" "$scratch/$series"
	expect "$series" "$series" "$scratch/$series"
done
expect go1.20.14 go1.19 "$scratch/go1.19"
# Go 1.25's cmd/dist no longer builds the tool, as that of Go 1.26.
expect go1.25.1 go1.24 "$scratch/go1.24"
expect go1.25.1 go1.26 "$scratch/go1.26"
expect go1.28 go1.27 "$scratch/go1.27"
expect go1.27.3 none "$scratch/go1.8.3"
expect go1.8.3 none "$scratch/go1.27"

# No line of a template is left, nothing says where a series was made, and each
# file of go/tool is in a series.
for series in patches/go*/; do
	made=$(made "$(basename "$series")")
	! grep -n -e '^@[a-z]' -e "$PWD" "$made"/* || fail "$series is not made well"
	for patch in "$made"/*.patch; do
		(cd "$scratch" && git apply --numstat "$patch") >"$scratch/numbers" ||
			fail "$patch is no patch"
		[ -s "$scratch/numbers" ] || fail "$patch is empty"
	done
done
for file in $(cd go/tool && find . -name '*.go'); do
	grep -q "^@new [^ ]* ${file#./}\( .*\)*$" patches/go*/*.in ||
		fail "go/tool/$file is in no series"
done

# refresh.sh moves hunks to where other sources have their lines, and keeps all
# else.
mkdir -p "$scratch/repository/go"
cp -RL patches "$scratch/repository"
cp -RL go/tool "$scratch/repository/go"
before go1.24 "$scratch/moved"
main=$scratch/moved/src/cmd/trace/main.go
{ printf 'a\nb\nc\n' && cat "$main"; } >"$main.new"
mv "$main.new" "$main"
"$scratch/repository/patches/refresh.sh" go1.24 go1.99 "$scratch/moved" \
	>"$scratch/log" 2>&1 || fail "refresh.sh: $(cat "$scratch/log")"
for template in patches/go1.24/*.in; do
	moved=$scratch/repository/patches/go1.99/${template##*/}
	cmp <(sed '/^@@ /d; /^index /d' "$template") \
		<(sed '/^@@ /d; /^index /d' "$moved") ||
		fail "refresh.sh changes the lines of $template"
done
grep -A 5 '^+++ b/src/cmd/trace/main.go' "$scratch"/repository/patches/go1.99/*-reports.in |
	grep -q '@@ -4,' || fail "refresh.sh moves no hunk"

# In a git work tree all becomes commits, the library being the last.
for series in go1.27; do
	tree=$scratch/$series
	echo "$series" >"$tree/VERSION"
	(
		cd "$tree"
		git init -q
		git add -A
		git -c user.name=x -c user.email=x@example.com commit -qm start
	)
	patches/apply.sh "$tree" >"$scratch/log" 2>&1 ||
		fail "$series: $(cat "$scratch/log")"
	commits=$(git -C "$tree" rev-list --count HEAD)
	patches=$(find patches/$series -name '*.in' | wc -l)
	[ "$commits" -eq $((patches + 2)) ] ||
		fail "$series: $commits commits of $patches patches"
	[ -z "$(git -C "$tree" status --porcelain --ignored)" ] ||
		fail "$series: $(git -C "$tree" status --short)"
	library=src/cmd/trace/internal/gtrace
	[ "$(git -C "$tree" ls-tree --name-only HEAD^ $library/ | xargs)" = \
		"$library/gtrace.go $library/read.go" ] ||
		fail "$series: the library is there before its commit"
	git -C "$tree" cat-file -e HEAD:$library/print.go ||
		fail "$series: the library is not in the last commit"
	# Once more, only the library is renewed.
	patches/apply.sh "$tree" >"$scratch/log" 2>&1 ||
		fail "$series: $(cat "$scratch/log")"
	[ "$(git -C "$tree" rev-list --count HEAD)" -eq "$commits" ] ||
		fail "$series: a commit without a change"
	git -C "$tree" reset -q --hard HEAD^
	patches/apply.sh "$tree" >"$scratch/log" 2>&1 ||
		fail "$series: $(cat "$scratch/log")"
	grep -q "has a series already" "$scratch/log" ||
		fail "$series: $(cat "$scratch/log")"
	git -C "$tree" cat-file -e HEAD:$library/print.go ||
		fail "$series: the library is not in the last commit after git am"
done

# Debian's links to the installed sources are followed to find the series, but
# not to change them.
mkdir "$scratch/links"
ln -s "$scratch/go1.26/src" "$scratch/links/src"
cp -R "$scratch/go1.26" "$scratch/untouched"
expect go1.26 go1.26 "$scratch/links"
! patches/apply.sh "$scratch/links" >"$scratch/log" 2>&1 ||
	fail "links: applied"
grep -q "src of .* is a link to .*/go1.26/src, .* cp -aL" "$scratch/log" ||
	fail "links: $(cat "$scratch/log")"
diff -r "$scratch/go1.26" "$scratch/untouched" || fail "links: files are changed"

# The same tree without git, or in a folder of another work tree.
git init -q "$scratch/outer"
before go1.27 "$scratch/outer/inner"
echo go1.27 >"$scratch/outer/inner/VERSION"
patches/apply.sh "$scratch/outer/inner" >"$scratch/log" 2>&1 ||
	fail "inner: $(cat "$scratch/log")"
diff -r -x .git "$scratch/go1.27" "$scratch/outer/inner" ||
	fail "a tree in a folder of a work tree gets other files"
if command -v patch >/dev/null; then
	mkdir "$scratch/bin"
	for tool in sh awk dirname basename sed sort cut tr cat ls rm mkdir \
		mktemp mv patch printf wc; do
		ln -s "$(command -v $tool)" "$scratch/bin/"
	done
	before go1.27 "$scratch/plain"
	echo go1.27 >"$scratch/plain/VERSION"
	PATH=$scratch/bin patches/apply.sh "$scratch/plain" \
		>"$scratch/log" 2>&1 || fail "without git: $(cat "$scratch/log")"
	diff -r -x .git "$scratch/go1.27" "$scratch/plain" ||
		fail "without git: other files"
fi

[ "$failures" -eq 0 ]
