#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# apply.sh GOROOT - makes a Go source tree one whose `go tool trace` has the
#     reports: applies the series for its release (series.sh), and puts the
#     library and its Go package in src/cmd/trace/internal/gtrace. If the tree
#     is the top of a git work tree, the series becomes commits (git am), and
#     the library one more. In a tree that has a series already, only the
#     library is renewed.
# apply.sh -which GOROOT - only prints which series that would be.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

fail() {
	echo "apply.sh: $*" >&2
	exit 1
}

# go1.19.8 as 1019008; nothing for what is not a release.
number() {
	echo "$1" |
		sed -n 's/^go\([0-9]*\)\.\([0-9]*\)\.*\([0-9]*\).*/\1 \2 \3/p' |
		while read -r major minor patch; do
			echo $((major * 1000000 + minor * 1000 + ${patch:-0}))
		done
}

# The names of the series, oldest first.
names() {
	for folder in "$here"/go*/; do
		folder=$(basename "$folder")
		echo "$(number "$folder") $folder"
	done | sort -n | cut -d ' ' -f 2
}

supported() {
	echo "there are series for" $(names) "and, where one of them applies," \
		"for other releases after the first"
}

# The series for the release $1 in the order in which they are tried: the
# nearest one that is not newer, and the one after it.
candidates() {
	version=$(number "$1")
	[ -n "$version" ] || return 0
	nearest=
	for name in $(names); do
		if [ "$(number "$name")" -le "$version" ]; then
			nearest=$name
		elif [ -n "$nearest" ]; then
			echo "$nearest $name"
			return
		fi
	done
	echo "$nearest"
}

# applies NAME [-n] - changes the files in this folder, or with -n only checks
# that all hunks apply.
applies() {
	[ -d "$scratch/$1" ] || "$here/series.sh" "$1" "$scratch/$1"
	if command -v git >/dev/null; then
		git apply ${2:+--check} "$scratch/$1"/*.patch
		return
	fi
	for patch in "$scratch/$1"/*.patch; do
		patch -p1 -s -f --no-backup-if-mismatch ${2:+--dry-run} \
			<"$patch" || return 1
	done
}

# copy_library - cgo compiles the C files of a package's own folder and of no
# other, and the go command rebuilds a package when a file in its folder changes.
# So the library is one file there (c/amalgamate.sh).
copy_library() {
	rm -rf "$goroot/src/cmd/trace/internal/gtrace"
	mkdir -p "$goroot/src/cmd/trace/internal/gtrace"
	"$here/../go/package.sh" "$goroot/src/cmd/trace/internal/gtrace"
	[ -n "$git" ] || return 0
	git add -f src/cmd/trace/internal/gtrace
	git diff --cached --quiet || git commit -q -F - <<-END
		cmd/trace/internal/gtrace: add the gtrace library

		The library prints the reports of cmd/trace.
		These files are generated: patches/apply.sh in the repository of gtrace
		made them$(git -C "$here" rev-parse -q --short=12 HEAD 2>/dev/null |
		sed 's/^/ from its commit /'). To change the library, change it
		there, and run apply.sh again.
	END
}

usage="usage: apply.sh [-which] GOROOT"
which=
if [ $# -eq 2 ] && [ "$1" = -which ]; then
	which=yes
	shift
fi
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
1:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
[ -f "$1/VERSION" ] || fail "$1 has no file VERSION, so it is no release of Go"
goroot=$(cd "$1" && pwd -P)
release=$(sed -n 1p "$goroot/VERSION")
names=$(candidates "$release")
[ -n "$names" ] || fail "no series for $release; $(supported)"
if [ -n "$which" ] && [ ! -d "$goroot/src" ]; then
	# Nothing to try them on.
	echo "${names%% *}"
	exit
fi
[ -f "$goroot/src/cmd/trace/main.go" ] ||
	fail "$goroot has no sources of cmd/trace"

# A copy of Debian's installation made by cp -a has a link to the installed src.
[ -n "$which" ] || [ ! -L "$goroot/src" ] ||
	fail "src of $goroot is a link to $(readlink -f "$goroot/src")," \
		"which would be changed; copy the tree with cp -aL, and apply" \
		"the series to the copy"

# A user without a name in git's configuration may apply a series too.
for role in COMMITTER AUTHOR; do
	if ! git var GIT_${role}_IDENT >/dev/null 2>&1; then
		export GIT_${role}_NAME="The gtrace Authors"
		export GIT_${role}_EMAIL=gtrace@example.com
	fi
done
git=
if [ "$(git -C "$goroot" rev-parse --show-toplevel 2>/dev/null)" = "$goroot" ]; then
	git=yes
fi
if [ -f "$goroot/src/cmd/trace/report.go" ]; then
	[ -z "$which" ] || fail "$goroot has a series already"
	cd "$goroot"
	copy_library
	echo "apply.sh: $release has a series already; it has this library now"
	exit
fi

# If a tree is not the top of a work tree but a folder in one, git apply would
# skip its files without a message. In Debian's installations src is a link,
# which git apply does not follow.
cd "$goroot/src" && cd "$(pwd -P)/.."
export GIT_CEILING_DIRECTORIES="${PWD%/*}:${goroot%/*}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
found=
for name in $names; do
	if applies "$name" -n >/dev/null 2>&1; then
		found=$name
		break
	fi
done
[ -n "$found" ] || fail "$release: does not fit the series" \
	"$(echo "$names" | sed 's/ / or /'); $(supported)"
if [ -n "$which" ]; then
	echo "$found"
	exit
fi
cd "$goroot"
set -- "$scratch/$found"/*.patch
if [ -z "$git" ]; then
	applies "$found" || fail "patches/$found does not apply to $goroot"
elif ! git am -3 "$@"; then
	git am --abort
	fail "git am failed; nothing is changed"
fi
copy_library
echo "apply.sh: $release has patches/$found and the library now${git:+, in $(($# + 1)) commits}"
