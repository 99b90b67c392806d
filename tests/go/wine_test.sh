#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# wine_test.sh GTRACE [WASM [FOLDERS]] - the command for Windows under Wine prints what
# GTRACE does: by names with backslashes, with C: and from another folder, of a list
# with CRLF, to files, from pipes, and on a console; and of the golden files of so many
# FOLDERS, all if it is not given: a start takes Wine a second. Wine is no Windows.
# WASM is as for wasm_test.sh.
set -eu

test=wine_test.sh
gtrace=$(realpath "$1")
wasm=${2:-}
. tests/go/wasm.sh
command -v wine >/dev/null || skip "no wine, which runs the command for Windows"
(cd "$scratch/module/cmd/gtrace" && GOOS=windows GOARCH=amd64 CGO_ENABLED=0 "$go" build -o "$scratch/gtrace.exe" .)
exe=$scratch/gtrace.exe
export WINEDEBUG=-all WINEPREFIX=$scratch/wine
trap 'wineserver -k || true; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
timeout 200 wine cmd /c ver >"$scratch/log" 2>&1 || skip "wine does not start: $(tail -n 1 "$scratch/log")"

# Wine before 9 lacks a library that Go takes random numbers from.
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$library" ]; then
	command -v clang >/dev/null || skip "this wine has no bcryptprimitives.dll, and there is no clang"
	cat >"$scratch/random.c" <<-'END'
		int ProcessPrng(unsigned char *to, unsigned long long size)
		{
			static unsigned state = 1;

			for (; size > 0; size--)
				*to++ = (unsigned char)((state = state * 1103515245u + 12345u) >> 16);
			return 1;
		}
	END
	clang --target=x86_64-pc-windows-msvc -shared -nostdlib -fuse-ld=lld -Wl,-noentry \
		-Wl,-export:ProcessPrng -o "$library" "$scratch/random.c"
fi
timeout 200 wine "$exe" -version >"$scratch/out" 2>"$scratch/err" || skip "wine does not run it: $(tail -n 1 "$scratch/err")"
[ "$(tr -d '\r' <"$scratch/out")" = "$("$gtrace" -version)" ] || fail "-version: $(cat "$scratch/out")"
tests=0

windows() {
	timeout 100 wine "$exe" "$@"
}

# same NAME ARGUMENT... - what is printed of NAME is what GTRACE prints of copy.
copy=testdata/stops/go1.27_copy.trace
same() {
	local name=$1
	shift
	"$gtrace" "$@" $copy >"$scratch/want" 2>"$scratch/want.err" || true
	windows "$@" "$name" >"$scratch/out" 2>"$scratch/err" </dev/null || true
	cmp "$scratch/want" "$scratch/out" || fail "$name $*: $(cat "$scratch/err")"
	tests=$((tests + 1))
}
drive=$WINEPREFIX/drive_c/traces
mkdir -p "$drive/new folder"
cp $copy "$drive/copy.trace"
cp $copy "$drive/new folder/a b.trace"
for name in $copy 'testdata\stops\go1.27_copy.trace' '.\testdata\stops\..\stops\go1.27_copy.trace' \
	'C:\traces\copy.trace' 'c:/traces/copy.trace' '\traces\copy.trace' \
	'C:\traces\new folder\a b.trace' "Z:$(echo "$PWD/$copy" | tr / '\\')"; do
	case $name in '\'*) cd "$drive/.." ;; esac
	case $name in
	'\'*)
		windows -diagreedy=3 "$name" >"$scratch/out" || fail "$name"
		cd - >/dev/null
		"$gtrace" -diagreedy=3 $copy | cmp - "$scratch/out"
		;;
	*) same "$name" -diagreedy=3 ;;
	esac
done

# Errors have the name as it was given, and the exit statuses are the same.
status=0
windows -stw 'C:\traces\none.trace' >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 1 ] || fail "no such file: status $status"
grep -qF 'C:\traces\none.trace' "$scratch/err" || fail "$(cat "$scratch/err")"
grep -qi 'no such file' "$scratch/err" || fail "$(cat "$scratch/err")"
status=0
windows -x >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 2 ] || fail "wrong use: status $status"
status=0
windows -max-stop=1ns 'C:\traces\copy.trace' >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 3 ] || fail "a violation: status $status"

# A list of files with CRLF; new files; pipes. No byte is added to what is printed.
printf 'C:\\traces\\copy.trace\r\nC:\\traces\\new folder\\a b.trace\r\n' >"$drive/list"
windows -diagreedy=3 -no-join '-files-from=C:\traces\list' >"$scratch/out" 2>"$scratch/err" ||
	fail "CRLF: $(cat "$scratch/err")"
"$gtrace" -dump $copy | cmp - <(windows -dump 'C:\traces\copy.trace') || fail "-dump"
cat $copy | windows -diagreedy=3 - | cmp - <("$gtrace" -diagreedy=3 - <$copy) || fail "a pipe"
"$gtrace" -cut=, -o "$scratch/cut" testdata/go1.27-small/gens.trace >"$scratch/log"
windows -cut=, '-o=C:\traces\cut.trace' 'testdata\go1.27-small\gens.trace' >"$scratch/log"
cmp "$scratch/cut" "$drive/cut.trace"
status=0
windows -cut=, '-o=c:\TRACES\cut.trace' 'C:\traces\cut.trace' >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 2 ] || fail "a trace that is read is overwritten: $status $(cat "$scratch/err")"
windows '-html=C:\traces\page.html' 'C:\traces\copy.trace' >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
[ -s "$drive/page.html" ] || fail "no page"

# On a console there are no escape sequences in what a file would get.
if command -v script >/dev/null; then
	timeout 100 script -qec "wine '$exe' -diagreedy=3 $copy" "$scratch/typed" >"$scratch/log" 2>&1 </dev/null || true
	grep -qa 'greedy goroutines' "$scratch/typed" || fail "console: $(head -c 300 "$scratch/typed")"
fi

cat >"$scratch/windows.sh" <<-END
	#!/bin/sh
	exec timeout 100 wine "$exe" "\$@"
END
chmod +x "$scratch/windows.sh"
folders=0
for list in testdata/golden.md5 testdata/*/golden.md5; do
	[ $folders -lt "${3:-1000}" ] || break
	sh tests/golden/golden.sh "${list%/*}" "$scratch/windows.sh" -format=text >"$scratch/log" 2>&1 ||
		fail "$(tail -n 3 "$scratch/log")"
	folders=$((folders + 1))
done
echo "wine_test.sh: $tests names, golden files of $folders folders"
