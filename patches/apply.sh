#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# apply.sh GOROOT - makes a Go source tree one whose `go tool trace` has the
#     reports: applies the series for its release, by git am if the tree is the
#     top of a git work tree, and puts the library into it (copy.sh).
# apply.sh -which GOROOT - only says which series that would be.
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
series() {
	for folder in "$here"/go*/; do
		folder=$(basename "$folder")
		echo "$(number "$folder") $folder"
	done | sort -n | cut -d ' ' -f 2
}

supported() {
	echo "there are series for" $(series) "and, where they apply," \
		"for later releases up to the next"
}

# The nearest series for $1 that is not newer. The last one serves its own
# minor release only, as go tool trace was written anew in Go 1.22.
choose() {
	version=$(number "$1")
	[ -n "$version" ] || return 0
	chosen=
	for name in $(series); do
		if [ "$(number "$name")" -le "$version" ]; then
			chosen=$name
		fi
		last=$name
	done
	if [ "$chosen" = "$last" ] &&
		[ $((version / 1000)) -gt $(($(number "$last") / 1000)) ]; then
		chosen=
	fi
	echo "$chosen"
}

which=
if [ "${1:-}" = -which ]; then
	which=yes
	shift
fi
if [ $# -ne 1 ]; then
	echo "usage: apply.sh [-which] GOROOT" >&2
	exit 2
fi
[ -f "$1/VERSION" ] || fail "$1 has no file VERSION, so it is no release of Go"
goroot=$(cd "$1" && pwd -P)
release=$(sed -n 1p "$goroot/VERSION")
name=$(choose "$release")
[ -n "$name" ] || fail "no series for $release; $(supported)"
if [ -n "$which" ]; then
	echo "$name"
	exit
fi

[ -f "$goroot/src/cmd/trace/main.go" ] ||
	fail "$goroot has no sources of cmd/trace"
[ ! -f "$goroot/src/cmd/trace/report.go" ] ||
	fail "$goroot has a series already; copy.sh alone renews the library"

cd "$goroot"
refused="patches/$name do not apply to $release; $(supported)"
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$goroot" ]; then
	# Whose tree it is may not have told git a name yet.
	if ! git var GIT_COMMITTER_IDENT >/dev/null 2>&1; then
		export GIT_COMMITTER_NAME="The gtrace Authors"
		export GIT_COMMITTER_EMAIL=gtrace@example.com
	fi
	if ! git am -3 "$here/$name"/*.patch; then
		git am --abort
		fail "$refused"
	fi
elif command -v git >/dev/null; then
	# Without this, git apply would take a repository further up for the
	# tree that is meant, and skip files in silence.
	export GIT_CEILING_DIRECTORIES="${goroot%/*}"
	git apply "$here/$name"/*.patch || fail "$refused"
else
	for patch in "$here/$name"/*.patch; do
		patch -p1 -s -f --no-backup-if-mismatch <"$patch" ||
			fail "$refused"
	done
fi
"$here/copy.sh" "$goroot"
echo "apply.sh: $release has patches/$name now"
