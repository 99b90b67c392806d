#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""readme.py GTRACE README PAGE... - what README shows is true: each command that
it has runs, the examples below commands are what these print, and each link in it
and in the other pages leads to a file, and to a heading of it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# Commands that are not run here, and why.
NOT_RUN = {
    r"cc ": "plain_compile_test.sh compiles the sources",
    r"\./gtrace http:": "it needs a server: usage_test.sh and command_test.sh have URLs",
    r"gtrace -cut=around:": "it takes a trace that is so long: edit_test.sh cuts",
    r"gtrace -join ": "it takes dumps of one process: edit_test.sh joins",
    r"go test ": "it needs a Go package with tests",
    r"go run go/flight/|gtrace flight\.trace": "flight_test.sh runs it, with a Go that has flight recorders",
    r"apt-get ": "it changes the system",
    r"sh go/demo\.sh": "it installs packages and builds Go; it is what it shows",
    r"sh tests/run\.sh": "it runs this test",
}
gtrace, readme, *pages = sys.argv[1:]
gtrace = os.path.abspath(gtrace)
faults, left_out = [], set()


def fail(text):
    faults.append(text)
    print("readme.py:", text)


def commands(text):
    """The commands in TEXT, each with the lines that it shows below."""
    found = []
    for paragraph in re.split(r"\n(?=[^\t\n])", text):
        spans = re.findall(r"`([^`]+)`", re.sub(r"(?m)^\t.*$", "", paragraph))
        lines = re.findall(r"(?m)^\t(.*)$", paragraph)
        spans = [one for one in spans if re.match(r"gtrace .*\.trace|gtrace .*trace\.out|apt-get ", one)]
        shown = [one for one in spans if "testdata/" in one]
        for one in spans:
            found.append((one, lines if one in shown[-1:] else []))
        if not shown:
            found += [(line, []) for line in lines]
    return found


def run(command, folder):
    """What COMMAND prints in FOLDER, which has testdata and traces."""
    with open(os.path.join(folder, "err"), "w", encoding="utf-8") as err:
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=err, check=False)
    # A verdict finds something.
    if done.returncode not in (0, 3):
        fail(f"{command}: status {done.returncode}")
    return [line for line in done.stdout.decode("utf-8", "replace").split("\n") if line]


def check_command(command, shown, folder):
    for start in NOT_RUN:
        if re.match(start, command):
            left_out.add(start)
            return 0
    printed = run(command.replace("./gtrace", "gtrace"), folder)
    if "-html=report.html" not in command and not printed:
        fail(f"{command}: prints nothing")
    if shown and not any(printed[i:i + len(shown)] == shown for i in range(len(printed))):
        fail(f"{command}: does not print\n" + "\n".join(shown))
    return 1


def anchors(path):
    """The anchors of the headings of a page."""
    with open(path, encoding="utf-8") as file:
        heads = re.findall(r"(?m)^#+ (.*)$", file.read())
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def check_links(page):
    """Each link of PAGE is that of a file, and of a heading."""
    with open(page, encoding="utf-8") as file:
        links = re.findall(r"\]\(([^)\s]+)\)", file.read())
    count = 0
    for link in links:
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(page), path) if path else page
        count += 1
        if not os.path.exists(target):
            fail(f"{page}: no {link}")
        elif anchor and anchor not in anchors(target):
            fail(f"{page}: no heading {link}")
    return count


def main():
    ran = 0
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    if len(text.encode()) > 10000:
        fail(f"README.md has {len(text.encode())} bytes, more than fit in some minutes")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath("testdata"), os.path.join(folder, "testdata"))
        os.symlink(gtrace, os.path.join(folder, "gtrace"))
        for name, of in (("trace.out", "testdata/stops/go1.27_copy.trace"), ("old.trace", "testdata/before.trace"),
                         ("new.trace", "testdata/after.trace")):
            shutil.copy(of, os.path.join(folder, name))
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
        for command, shown in commands(text):
            ran += check_command(command, shown, folder)
    links = sum(check_links(os.path.realpath(page)) for page in [readme, *pages])
    for start in NOT_RUN.keys() - left_out:
        fail(f"README.md has no command {start}")
    # The test itself finds something.
    if ran < 18 or links < 30:
        fail(f"only {ran} commands and {links} links")
    print(f"readme.py: {ran} commands, {links} links")
    return 1 if faults else 0


sys.exit(main())
