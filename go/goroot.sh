#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# goroot.sh APPLY GOROOT OUT [CACHE] - makes OUT a copy of the installed Go in
# GOROOT, with a `go tool trace` that has the reports. APPLY is
# patches/apply.sh. cgo uses the compiler $CC. CACHE gets what the go command
# built on the way, for others to begin with, and $CC in its file CC.
#
# All of it but test is copied: links into the installation would let a later
# `go install std` write there, and //go:embed refuses them.
set -eu

apply=$1
goroot=$2
out=$3
cache=${4:-}

mkdir -p "$out"
out=$(cd "$out" && pwd -P)
for entry in "$goroot"/*; do
	case ${entry##*/} in
	test)
		# The tests of the compiler are no part of what a Go program
		# needs, and some have names that Bazel takes in UTF-8
		# locales only.
		;;
	*)
		# Debian's doc is a link to a package that may not be installed.
		if [ -e "$entry" ]; then
			cp -RLp "$entry" "$out/"
		fi
		;;
	esac
done
chmod -R u+w "$out"
"$apply" "$out"

scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
if [ -n "$cache" ]; then
	mkdir -p "$cache"
	cache=$(cd "$cache" && pwd -P)
fi
unset GOARCH GOBIN GOENV GOEXPERIMENT GOOS GOPATH GOROOT
export GOCACHE="${cache:-$scratch/cache}" GOFLAGS= GOPATH="$scratch/path" HOME="$scratch"
export GOTOOLCHAIN=local

# Since Go 1.9 a go command finds its tree by its own path. Earlier ones contain
# the path, and need GOROOT.
if [ "$("$out/bin/go" env GOROOT)" != "$out" ]; then
	mkdir "$out/pkg/command"
	mv "$out/bin/go" "$out/pkg/command/go"
	cat >"$out/bin/go" <<-'EOF'
		#!/bin/sh
		GOROOT=$(dirname "$(dirname "$(readlink -f "$0")")")
		export GOROOT
		exec "$GOROOT/pkg/command/go" "$@"
	EOF
	chmod +x "$out/bin/go"
fi

# The compiled packages of a Go are for the compiler as it names it. By another
# name for the same file, runtime/cgo, net and all that import it are built anew.
if [ -n "${CC:-}" ]; then
	name=$(unset CC && "$out/bin/go" env CC)
	file=$(command -v "$name") || file=none
	if [ "$(readlink -f "$file")" = "$(readlink -f "$(command -v "$CC")")" ]; then
		CC=$name
	fi
fi
[ -z "$cache" ] || echo "$CC" >"$cache/CC"

# The go command of Go 1.8 takes what is there for built.
tools=$("$out/bin/go" env GOTOOLDIR)
rm -rf "$tools/trace" "$out"/pkg/*/cmd/trace "$out"/pkg/*/cmd/trace.a
GOROOT_FINAL="$goroot" CGO_ENABLED=1 \
	"$out/bin/go" build -o "$tools/trace" cmd/trace
