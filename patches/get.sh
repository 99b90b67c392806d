#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# get.sh RELEASE FOLDER - downloads the sources of a release of Go that is named
# in the file releases, checks their SHA-256, and unpacks them as FOLDER, which
# must not exist.
set -eu

here=$(dirname "$0")

die() {
	echo "get.sh: $*" >&2
	exit 1
}

usage="usage: get.sh RELEASE FOLDER, RELEASE is one of: $(
	sed -n 's/^\(go[^ ]*\) .*/\1/p' "$here/releases" | tr '\n' ' '
)"
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
release=$1
folder=${2%/}
url=
sha256=
while read -r name its_url its_sha256; do
	[ "$name" = "$release" ] || continue
	url=$its_url
	sha256=$its_sha256
done <"$here/releases"
[ -n "$url" ] || die "$release is not in $here/releases"
! [ -e "$folder" ] || die "$folder exists"

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "get.sh: $url" >&2
case $url in
file://*) cp "${url#file://}" "$work/archive" ;;
*)
	if command -v curl >/dev/null; then
		curl -fsSL -o "$work/archive" "$url"
	elif command -v wget >/dev/null; then
		wget -nv -O "$work/archive" "$url"
	else
		die "curl or wget is needed to download it"
	fi
	;;
esac || die "$url cannot be downloaded"

if command -v sha256sum >/dev/null; then
	got=$(sha256sum <"$work/archive")
else
	got=$(shasum -a 256 <"$work/archive")
fi
got=${got%% *}
[ "$got" = "$sha256" ] || die "SHA-256 of $url is $got, want $sha256"

tar -xzf "$work/archive" -C "$work"
[ "$(cat "$work/go/VERSION" 2>/dev/null)" = "$release" ] ||
	die "$url does not have the sources of $release in its folder go"
mv "$work/go" "$folder"
echo "get.sh: $release is in $folder" >&2
