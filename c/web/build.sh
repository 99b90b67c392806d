#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh OUT - writes gtrace.html to the file OUT: the command in a page that any
# browser opens; or the command alone, as a module of WASI, if OUT ends with .wasm. Takes clang, lld and the C library of WASI; on Debian:
# apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32 python3
set -eu

usage="usage: build.sh OUT"
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
case $1 in
/*) out=$1 ;;
*) out=$PWD/$1 ;;
esac
cd "$(dirname "$0")/.."
module=$(mktemp)
trap 'rm -f "$module"' EXIT
# Optimised as a whole, it is a tenth faster. Instructions that copy memory are
# calls for engines, which take longer than C's memcpy() for small structs.
# -Xclang: told -O2, clang also runs binaryen's wasm-opt where that is installed. It
# inlines so much into the hot functions that engines take twice as long for them.
"${WASI_CC:-clang}" --target=wasm32-wasi -std=c11 -Xclang -O2 -flto -ftls-model=local-exec \
	-Ic -I. -Iinclude \
	*.c base/*.c analysis/*.c feed/*.c v1/*.c v2/*.c edit/*.c report/*.c tables/*.c tools/*.c \
	-Wl,--strip-all -Wl,-z,stack-size=1048576 -o "$module" || {
	echo "build.sh: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32" >&2
	exit 1
}
case $out in
*.wasm) cp "$module" "$out" ;;
*) python3 web/make.py "$module" "$out" ;;
esac
