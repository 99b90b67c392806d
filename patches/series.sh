#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# series.sh NAME FOLDER - makes the series of patches in the folder NAME, such as
# go1.27, for git am, and writes it to FOLDER, which must not have patches yet.
#
# Each file NAME/*.in becomes a patch. It has the hunks of existing files, and
# lines that are replaced:
#	@message FILE            the beginning of the message, from FILE
#	@new PATH SOURCE [EDIT]  ../go/tool/SOURCE, which the patch adds as PATH;
#	                         the sed script EDIT makes what differs
set -eu

usage="usage: series.sh NAME FOLDER"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
2:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
here=$(cd "$(dirname "$0")" && pwd)
series=$here/${1##*/}
if ! [ -d "$series" ]; then
	echo "series.sh: there is no series $1; see $here/README.md" >&2
	exit 1
fi
mkdir -p "$2"
to=$(cd "$2" && pwd)
if ls "$to"/*.patch >/dev/null 2>&1; then
	echo "series.sh: $2 has patches already" >&2
	exit 1
fi

message() {
	echo "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001"
	echo "From: The gtrace Authors <gtrace@example.com>"
	echo "Date: Fri, 20 Nov 2026 12:00:00 +0000"
	cat "$here/$1"
}

# new PATH SOURCE EDIT - prints a patch that adds the file PATH.
new() {
	sed "$3" "$here/../go/tool/$2" >"$to/new"
	printf 'diff --git a/%s b/%s\nnew file mode 100644\n' "$1" "$1"
	# Without git the line is left out, which patch does not need.
	if hash=$(git hash-object --stdin <"$to/new" 2>/dev/null); then
		printf 'index 0000000000..%.10s\n' "$hash"
	fi
	printf -- '--- /dev/null\n+++ b/%s\n' "$1"
	echo "@@ -0,0 +1,$(($(wc -l <"$to/new"))) @@"
	sed 's/^/+/' "$to/new"
	rm "$to/new"
}

for template in "$series"/*.in; do
	patch=${template##*/}
	while IFS= read -r line; do
		case $line in
		"@message "*) message "${line#@message }" ;;
		"@new "*)
			IFS=' ' read -r _ path source edit <<-LINE
				$line
			LINE
			new "$path" "$source" "$edit"
			;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$template" >"$to/${patch%.in}.patch"
done
