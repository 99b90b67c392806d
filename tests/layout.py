#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""layout.py - the public structs, and where their members are.

	layout.py HEADERS >layout.txt
	layout.py -compare HEADERS layout.txt

HEADERS is the folder that has gtrace/. Each struct has a line with its size,
and each member one with its offset and its size, where pointers have 8 bytes.
The compiler cc, or what CC names, tells them. -compare prints what differs.

A struct that differs from that of a release is another interface: then
GTRACE_INTERFACE is raised, once for a release, and layout.txt is made again.
"""
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

STRUCT = re.compile(r"^struct (gtrace\w*) \{\n(.*?)^\};", re.M | re.S)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
MEMBER = re.compile(r"\(\*(\w+)\)\(|(\w+)\s*(?:\[\w+\])?$")


def structs(headers):
    """Yields each struct and its members."""
    folder = os.path.join(headers, "gtrace")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = COMMENT.sub("", file.read())
        for struct, body in STRUCT.findall(text):
            yield struct, members_of(body)


def members_of(body):
    found = []
    for statement in body.split(";")[:-1]:
        match = MEMBER.search(" ".join(statement.split()))
        if match is None:
            sys.exit("layout.py: not a member: " + statement)
        found.append(match.group(1) or match.group(2))
    return found


def program(headers):
    lines = ["#include <stdio.h>", "#include <gtrace/gtrace.h>",
             "int main(void) {",
             'printf("interface %d\\n", GTRACE_INTERFACE);']
    for struct, members in structs(headers):
        lines.append(f'printf("{struct} %zu\\n", sizeof(struct {struct}));')
        for member in members:
            lines.append(
                f'printf("\\t{member} %zu %zu\\n", '
                f"offsetof(struct {struct}, {member}), "
                f"sizeof(((struct {struct} *)NULL)->{member}));")
    return "\n".join(lines + ["return 0;", "}", ""])


def layout(headers):
    with tempfile.TemporaryDirectory() as scratch:
        source, made = scratch + "/layout.c", scratch + "/layout"
        with open(source, "w", encoding="utf-8") as file:
            file.write(program(headers))
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-std=c11",
                        "-I" + headers, source, "-o", made], check=True)
        return subprocess.run([made], check=True, text=True,
                              stdout=subprocess.PIPE).stdout


def check_requests(headers, test):
    """Each member of a request is in the table of TEST, in its order."""
    members = dict(structs(headers))["gtrace_request"]
    with open(test, encoding="utf-8") as file:
        tested = re.findall(r"^\tFIELD\((\w+),", file.read(), re.M)
    missing = [m for m in members if m != "size" and m not in tested]
    if missing:
        print(f"{test} does not test request.{', request.'.join(missing)}")
    return not missing


def compare(headers, path):
    with open(path, encoding="utf-8") as file:
        want = file.read()
    got = layout(headers)
    sys.stdout.writelines(difflib.unified_diff(
        want.splitlines(True), got.splitlines(True), path, headers, n=0))
    test = os.path.join(os.path.dirname(path), "request_test.c")
    if not check_requests(headers, test) or got != want:
        print("layout.py: see its first lines")
        return 1
    return 0


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "-compare":
        return compare(*arguments[1:])
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, end="", file=sys.stderr)
        return 2
    print(layout(arguments[0]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
