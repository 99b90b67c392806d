#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# debian.sh FOLDER - writes a Debian source package to FOLDER: the upstream
# tarball, and the sources with a folder debian/, in which
#
#	dpkg-buildpackage -us -uc
#
# builds gtrace, the command, and libgtrace-dev, the static library. Nothing but
# build-essential and debhelper is needed for it. DEBFULLNAME and DEBEMAIL name
# the maintainer.
set -eu

usage="usage: debian.sh FOLDER"
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
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
version=$(sed -n 's/^#define GTRACE_VERSION "\(.*\)"$/\1/p' \
	"$root/c/include/gtrace/gtrace.h")
tree=gtrace-$version
maintainer="${DEBFULLNAME:-The gtrace Authors} <${DEBEMAIL:-gtrace@packages.debian.org}>"
date=$(TZ=UTC0 LC_ALL=C date ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} \
	'+%a, %d %b %Y %H:%M:%S +0000')

# What git knows, or all but what Bazel made.
mkdir "$tree"
if files=$(git -C "$root" ls-files 2>/dev/null) && [ -n "$files" ]; then
	git -C "$root" ls-files -z |
		tar -C "$root" --null -T - --owner=0 --group=0 -cf -
else
	tar -C "$root" --exclude=./.git --exclude='./bazel-*' --owner=0 \
		--group=0 -cf - .
fi | tar -C "$tree" -xf -
tar --sort=name --owner=0 --group=0 --mode=u+rw,go=rX \
	${SOURCE_DATE_EPOCH:+"--mtime=@$SOURCE_DATE_EPOCH"} -cJf "gtrace_$version.orig.tar.xz" "$tree"

mkdir -p "$tree/debian/source"
cd "$tree/debian"
echo "3.0 (quilt)" >source/format
cat >changelog <<END
gtrace ($version-1) unstable; urgency=medium

  * New upstream version.

 -- $maintainer  $date
END
cat >control <<END
Source: gtrace
Section: devel
Priority: optional
Maintainer: $maintainer
Build-Depends: debhelper-compat (= 13)
Standards-Version: 4.6.2
Rules-Requires-Root: no

Package: gtrace
Architecture: any
Depends: \${misc:Depends}, \${shlibs:Depends}
Suggests: golang-go
Multi-Arch: foreign
Description: reports on execution traces of Go programs
 Go programs can record what their goroutines do (runtime/trace, go test
 -trace). gtrace reads such a trace of Go 1.5 to 1.27 and prints the longest
 times that a goroutine kept its processor, what held up each stop-the-world
 pause, or every event, as text and in forms for programs.

Package: libgtrace-dev
Section: libdevel
Architecture: any
Depends: \${misc:Depends}, libc6-dev | libc-dev
Multi-Arch: same
Description: reports on execution traces of Go programs (development files)
 Go programs can record what their goroutines do (runtime/trace, go test
 -trace). libgtrace reads such a trace of Go 1.5 to 1.27 in C and C++ programs:
 the longest times that a goroutine kept its processor, what held up each
 stop-the-world pause, and every event.
 .
 This package has the static library and its headers.
END
{
	cat <<-END
		Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
		Upstream-Name: gtrace

		Files: *
		Copyright: 2026 The gtrace Authors
		License: BSD-3-clause

		License: BSD-3-clause
	END
	sed -n '/^Redistribution/,$p' "$root/LICENSE" |
		sed 's/^[ \t]*$/./; s/^/ /'
} >copyright
cat >rules <<'END'
#!/usr/bin/make -f
DPKG_EXPORT_BUILDFLAGS = 1
DEB_BUILD_MAINT_OPTIONS = hardening=+all
export DEB_BUILD_MAINT_OPTIONS
DPKG_EXPORT_BUILDTOOLS = 1
include /usr/share/dpkg/default.mk

%:
	dh $@ --without=autoreconf

override_dh_auto_configure:

override_dh_auto_build:
	c/build.sh build

override_dh_auto_test:
ifeq (,$(filter nocheck,$(DEB_BUILD_OPTIONS)))
	set -e; for folder in testdata testdata/*-small; do \
		sh tests/golden/golden.sh $$folder build/c/tools/gtrace; done
endif

override_dh_auto_install:
	DESTDIR=debian/tmp c/install.sh --from=build --prefix=/usr \
		--libdir=/usr/lib/$(DEB_HOST_MULTIARCH)
	mv debian/tmp/usr/share/zsh/site-functions \
		debian/tmp/usr/share/zsh/vendor-completions

override_dh_auto_clean:
	rm -rf build
END
chmod +x rules
cat >gtrace.install <<'END'
usr/bin
usr/share/bash-completion
usr/share/man
usr/share/zsh
END
cat >libgtrace-dev.install <<'END'
usr/include
usr/lib
END
echo "debian.sh: next: cd ${PWD%/debian} && dpkg-buildpackage -us -uc"
