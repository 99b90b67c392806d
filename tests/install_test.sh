#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# install_test.sh INSTALL [ARGUMENT...] - INSTALL puts what it should where it
# should, and programs in C and C++ are compiled against that by pkg-config,
# where it is meant to be and below DESTDIR.
set -eu

install=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/want" <<END
bin/gtrace
include/gtrace/data.h
include/gtrace/edit.h
include/gtrace/event.h
include/gtrace/follow.h
include/gtrace/gtrace.h
include/gtrace/report.h
include/gtrace/summary.h
lib/libgtrace.a
lib/pkgconfig/gtrace.pc
share/bash-completion/completions/gtrace
share/man/man1/gtrace.1
share/zsh/site-functions/_gtrace
END

fail() {
	echo "install_test.sh: $*"
	exit 1
}

# check ROOT - that it holds these files, and no other.
check() {
	(cd "$1" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort) |
		diff "$scratch/want" -
	"$1/bin/gtrace" -diagreedy=10 testdata/before.trace |
		cmp - testdata/before.diagreedy10
}

"$install" "$@" "--prefix=$scratch/direct" >"$scratch/said"
check "$scratch/direct"
[ "$(wc -l <"$scratch/said")" -eq "$(wc -l <"$scratch/want")" ] ||
	fail "says $(cat "$scratch/said")"
"$install" "$@" "--prefix=$scratch/direct" >"$scratch/said" ||
	fail "cannot be installed twice"
check "$scratch/direct"
DESTDIR=$scratch/staged "$install" "$@" --prefix=/opt/gtrace >"$scratch/said"
check "$scratch/staged/opt/gtrace"
grep -qx prefix=/opt/gtrace "$scratch/staged/opt/gtrace/lib/pkgconfig/gtrace.pc"
DESTDIR=$scratch/multi "$install" "$@" --prefix=/usr \
	--libdir=/usr/lib/some-linux-gnu >"$scratch/said"
[ -f "$scratch/multi/usr/lib/some-linux-gnu/libgtrace.a" ]
grep -q '^libdir=${prefix}/lib/some-linux-gnu$' \
	"$scratch/multi/usr/lib/some-linux-gnu/pkgconfig/gtrace.pc"
for wrong in --prefix=relative --nonsense; do
	if "$install" "$@" $wrong 2>"$scratch/said"; then
		fail "$wrong: exit 0"
	fi
	[ -s "$scratch/said" ]
done
if "$install" "$@" "--from=$scratch" "--prefix=$scratch/none" \
	2>"$scratch/said" || [ -e "$scratch/none" ]; then
	fail "part of what was not built is installed"
fi
grep -q '^install.sh: no ' "$scratch/said"

if ! command -v pkg-config >/dev/null; then
	echo "skipped: no pkg-config, so no program is compiled against this"
	exit
fi
cat >"$scratch/program.c" <<'END'
#include <gtrace/gtrace.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct gtrace_request request;
	struct gtrace_output output;
	struct gtrace_error error;
	struct gtrace *trace;
	int status;

	memset(&request, 0, sizeof(request));
	request.size = sizeof(request);
	request.n = 10;
	memset(&output, 0, sizeof(output));
	output.size = sizeof(output);
	output.fd = 1;
	status = gtrace_open_path(argv[argc - 1], NULL, &trace, &error);
	if (status == GTRACE_OK) {
		status = gtrace_print(trace, &request, &output, &error);
		gtrace_close(trace);
	}
	if (status != GTRACE_OK)
		fprintf(stderr, "%s\n", error.message);
	return status != GTRACE_OK;
}
END
cp "$scratch/program.c" "$scratch/program.cc"

# compile COMPILER FILE - with the flags that pkg-config knows.
compile() {
	# shellcheck disable=SC2046
	"$1" -Wall -Wextra -pedantic-errors $(pkg-config --cflags gtrace) "$2" \
		$(pkg-config --libs gtrace) -o "$scratch/program"
	"$scratch/program" testdata/before.trace |
		cmp - testdata/before.diagreedy10
}

export PKG_CONFIG_PATH="$scratch/direct/lib/pkgconfig"
version=$("$scratch/direct/bin/gtrace" -version | sed 's/^gtrace //; s/ .*//; 1q')
[ "$(pkg-config --modversion gtrace)" = "$version" ] ||
	fail "pkg-config has version $(pkg-config --modversion gtrace), not $version"
compile cc "$scratch/program.c"
PKG_CONFIG_PATH=$scratch/staged/opt/gtrace/lib/pkgconfig \
	PKG_CONFIG_SYSROOT_DIR=$scratch/staged compile cc "$scratch/program.c"
if ! command -v c++ >/dev/null; then
	echo "skipped: no C++ compiler"
	exit
fi
compile c++ "$scratch/program.cc"
echo "install_test.sh: programs in C and C++ find gtrace $version"
