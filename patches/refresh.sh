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
set -eu

if [ $# -lt 3 ] || [ $# -gt 4 ]; then
	echo "usage: refresh.sh FROM TO GOROOT [FROM_GOROOT]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
from=$here/$1
to=$here/$2
new=$(cd "$3" && pwd)
old=${4:+$(cd "$4" && pwd)}

files=$(sed -n 's,^diff --git a/\(.*\) b/.*,\1,p' "$from"/*.patch | sort -u)
scratch=$(mktemp -d)
cd "$scratch"
export GIT_COMMITTER_NAME="The gtrace Authors"
export GIT_COMMITTER_EMAIL=gtrace@example.com
git init -q
for file in $files; do
	if [ -f "$new/$file" ]; then
		mkdir -p "$(dirname "$file")"
		cp "$new/$file" "$file"
		git add -f "$file"
	fi
	# git am merges if it finds the file that a patch was made for.
	if [ -n "$old" ] && [ -f "$old/$file" ]; then
		git hash-object -w "$old/$file" >/dev/null
	fi
done
git commit -q -m "$2" --author "$GIT_COMMITTER_NAME <$GIT_COMMITTER_EMAIL>"
git tag base

# The command that writes the result, here and after conflicts are resolved.
write="git format-patch -q --zero-commit --no-signature --no-stat --abbrev=10"
write="$write --no-numbered -o $to base"

if ! git am -q -3 "$from"/*.patch; then
	echo
	echo "refresh.sh: $1 conflicts with $2 in $scratch:"
	git diff --name-only --diff-filter=U | sed 's/^/	/'
	if [ -z "$old" ]; then
		git am --show-current-patch=diff | git apply --reject || true
	fi
	cat <<-EOF

	Resolve that there, then
		git add -A src && git am --continue
		$write
	EOF
	exit 1
fi >&2

mkdir -p "$to"
rm -f "$to"/*.patch
$write
rm -rf "$scratch"
echo "patches/$2: $1 applies to $new"
