#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# refresh.sh FROM TO GOROOT [FROM_GOROOT] - rebases the series in the folder
# FROM onto the sources of another release of Go, in GOROOT, and writes the
# result to the folder TO. Both folders are named like go1.19, and may be the
# same one. With FROM_GOROOT, the sources that the series FROM was made for,
# changes are merged; without it every hunk has to apply as it is.
#
# What conflicts is reported, and left in a scratch repository to be resolved.
#
# refresh.sh -write FROM TO REPOSITORY - writes TO from the commits after the tag
# base in REPOSITORY: the hunks of existing files from there, all else from FROM.
set -eu

usage="usage: refresh.sh FROM TO GOROOT [FROM_GOROOT], or refresh.sh -write FROM TO REPOSITORY"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
4:-write | [34]:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
here=$(cd "$(dirname "$0")" && pwd)

if [ "$1" = -write ]; then
	mkdir -p "$here/$3"
	commits=$(git -C "$4" rev-list --reverse base..)
	for from in "$here/$2"/*.in; do
		commit=${commits%%[!0-9a-f]*}
		commits=${commits#"$commit"?}
		{
			sed '/^diff --git /,$d' "$from"
			git -C "$4" diff-tree -p --diff-filter=M --abbrev=10 "$commit^" "$commit"
			sed -n '/^@new /p' "$from"
		} >"$here/$3/new"
		mv "$here/$3/new" "$here/$3/${from##*/}"
	done
	exit
fi

new=$(cd "$3" && pwd)
old=${4:+$(cd "$4" && pwd)}
scratch=$(mktemp -d)
git init -q "$scratch/repository"
"$here/series.sh" "$1" "$scratch"
cd "$scratch/repository"
export GIT_COMMITTER_NAME="The gtrace Authors" GIT_COMMITTER_EMAIL=gtrace@example.com
for file in $(sed -n 's,^--- a/,,p' "$here/$1"/*.in | sort -u); do
	mkdir -p "$(dirname "$file")"
	[ ! -f "$new/$file" ] || cp "$new/$file" "$file"
	# git am merges if it finds the file that a patch was made for.
	[ ! -f "$old/$file" ] || git hash-object -w "$old/$file" >/dev/null
done
git add -f .
git commit -q -m "$2" --author "$GIT_COMMITTER_NAME <$GIT_COMMITTER_EMAIL>"
git tag base

if ! git am -q -3 "$scratch"/*.patch; then
	echo
	echo "refresh.sh: $1 conflicts with $2 in $PWD:"
	git diff --name-only --diff-filter=U | sed 's/^/	/'
	if [ -z "$old" ]; then
		git am --show-current-patch=diff | git apply --reject || true
	fi
	cat <<-EOF

	Resolve that there, then
		git add -A src && git am --continue
		$here/refresh.sh -write $1 $2 $PWD
	EOF
	exit 1
fi >&2
"$here/refresh.sh" -write "$1" "$2" "$PWD"
rm -rf "$scratch"
echo "patches/$2: $1 applies to $new"
