#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# setup.sh FOLDER - installs what the tests of engines need into FOLDER, outside of
# the project: DuckDB, pyarrow and pyspark for Python, and Java for the latter.
set -eu

usage="usage: setup.sh FOLDER"
case $#:${1:-} in
1:-h | 1:-help | 1:--help) echo "$usage" && exit ;;
1:[!-]*) ;;
*) echo "$usage" >&2 && exit 2 ;;
esac
folder=$1
cd "$(dirname "$0")/../.."
. tests/step.sh

command -v java >/dev/null ||
	die "Java is missing, for Spark: apt-get install openjdk-17-jre-headless (300 MB)"
python3 -c "import venv, ensurepip" 2>/dev/null ||
	die "Python's venv is missing: apt-get install python3-venv"
if "$folder/bin/python" -c "import duckdb, pyarrow, pyspark" 2>/dev/null; then
	exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
python3 -m venv "$folder"
step "installing duckdb, pyarrow and pyspark into $folder: 600 MB are fetched, 800 MB installed" \
	"$log" "$folder/bin/pip" install -q duckdb pyarrow pyspark || {
	tail -n 5 "$log" >&2
	die "they cannot be installed: is there a network?"
}
