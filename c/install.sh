#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# install.sh [--prefix=DIR] [--libdir=DIR] [--from=DIR] - installs the library,
# its headers, gtrace.pc for pkg-config, the command, its man page and its
# completions for bash and zsh. Run by
#
#	bazel run //:install -- --prefix=/usr/local
#
# --prefix  /usr/local unless given
# --libdir  the library's folder, PREFIX/lib unless given
# --from    where Bazel or build.sh have put what is installed: bazel-bin, or
#           the folder that build.sh was given
#
# If DESTDIR is set in the environment, all goes below that folder instead of /,
# and is to be moved there by others.
set -eu

usage="usage: install.sh [--prefix=DIR] [--libdir=DIR] [--from=DIR]"
here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local
libdir=
from=.
for argument; do
	case $argument in
	--prefix=*) prefix=${argument#*=} ;;
	--libdir=*) libdir=${argument#*=} ;;
	--from=*) from=${argument#*=} ;;
	-h | -help | --help)
		echo "$usage"
		exit
		;;
	*)
		echo "$usage" >&2
		exit 2
		;;
	esac
done
: "${libdir:=$prefix/lib}"
for folder in "$prefix" "$libdir"; do
	case $folder in
	/*) ;;
	*)
		echo "install.sh: $folder does not begin with /" >&2
		exit 2
		;;
	esac
done
# Bazel runs this in a folder of its own.
destdir=${DESTDIR:-}
case $destdir in
"" | /*) ;;
*) destdir=${BUILD_WORKING_DIRECTORY:-$PWD}/$destdir ;;
esac

# All or nothing.
for file in libgtrace.a tools/gtrace tools/gtrace.1 tools/gtrace.bash \
	tools/_gtrace; do
	if ! [ -f "$from/c/$file" ]; then
		echo "install.sh: no $from/c/$file: --from=DIR says where c/build.sh or Bazel has built it" >&2
		exit 1
	fi
done

# put MODE FILE FOLDER [NAME]
put() {
	mkdir -p "$destdir$3"
	name=${4:-${2##*/}}
	# A program that runs keeps its file.
	rm -f "$destdir$3/$name"
	cp "$2" "$destdir$3/$name"
	chmod "$1" "$destdir$3/$name"
	echo "$destdir$3/$name"
}

# Bazel starts this in a folder that has the headers, but not beside it.
headers=$from/c/include/gtrace
[ -f "$headers/gtrace.h" ] || headers=$here/include/gtrace
version=$(sed -n 's/^#define GTRACE_VERSION "\(.*\)"$/\1/p' "$headers/gtrace.h")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Paths below the prefix are relative to it, so that pkg-config can find a tree
# that was moved.
cat >"$scratch/gtrace.pc" <<END
prefix=$prefix
libdir=$(echo "$libdir" | sed "s,^$prefix/,\${prefix}/,")
includedir=\${prefix}/include

Name: gtrace
Description: reports on execution traces of Go programs
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lgtrace -pthread
END

for header in "$headers"/*.h; do
	put 644 "$header" "$prefix/include/gtrace"
done
put 644 "$from/c/libgtrace.a" "$libdir"
put 644 "$scratch/gtrace.pc" "$libdir/pkgconfig"
put 755 "$from/c/tools/gtrace" "$prefix/bin"
put 644 "$from/c/tools/gtrace.1" "$prefix/share/man/man1"
put 644 "$from/c/tools/gtrace.bash" "$prefix/share/bash-completion/completions" gtrace
put 644 "$from/c/tools/_gtrace" "$prefix/share/zsh/site-functions"
