#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""paced.py GTRACE TRACE LIMIT [FUNCTION] - writes TRACE to `gtrace -follow` a generation
at a time, and nothing more before what ended in it is told: a line of totals, and with
-max-slice=LIMIT, such as 20ms, a line for each slice that took longer and ended in it,
in FUNCTION if that is given. From Go 1.26 on a generation is told of when its last byte
has come; before that the next one has to come too. No clock decides: what is not told is
waited for, for a minute.
"""
import json
import os
import re
import select
import subprocess
import sys
import tempfile

WAIT = 60  # seconds, until a line counts as missing


def fail(message):
    sys.exit("paced.py: %s" % message)


def objects(gtrace, *arguments, data=b""):
    text = subprocess.run([gtrace, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True).stdout
    return [json.loads(line) for line in text.splitlines()]


class Follower:
    """gtrace -follow, and the lines that it has printed."""

    def __init__(self, gtrace, *flags):
        self.process = subprocess.Popen([gtrace, "-follow", *flags, "-"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.text = b""

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def lines(self):
        return self.text.decode().splitlines()

    def wait_for(self, count, what):
        """Reads until there are COUNT lines."""
        while self.text.count(b"\n") < count:
            if not select.select([self.process.stdout], [], [], WAIT)[0]:
                fail("%s: %d lines, want %d: %s" % (what, self.text.count(b"\n"), count, self.text))
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                fail("%s: it has ended: %s" % (what, self.text))
            self.text += more

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait()


def nanoseconds(limit):
    return int(re.fullmatch("([0-9]+)ms", limit).group(1)) * 1000000


def check(data, generations, late, want, follower):
    """Writes DATA. When the generation has come that is LATE ones after generation I,
    WANT[i] lines come."""
    at = 0
    for number, generation in enumerate(generations):
        follower.write(data[at:generation["end"]])
        at = generation["end"]
        if number >= late:
            follower.wait_for(want[number - late], "after generation %d" % generation["generation"])


def main():
    gtrace, path, limit = sys.argv[1:4]
    flags = ["-max-slice=" + limit, "-rows=1000000"] + ["-func=^%s$" % re.escape(name) for name in sys.argv[4:]]
    with open(path, "rb") as file:
        data = file.read()
    late = 0 if data[:7] >= b"go 1.26" else 1
    generations = objects(gtrace, "-follow", "-format=json", "-", data=data)
    with tempfile.NamedTemporaryFile() as whole:
        whole.write(data[:generations[-1]["end"]])
        whole.flush()
        ends = [one["end"] for one in objects(gtrace, "-diagreedy=1000000", "-format=json", *flags[2:], whole.name)
                if one["duration"] > nanoseconds(limit) and not one["still_running"]]
    if len(generations) < 2 or not ends:
        fail("%s has %d generations, and %d slices longer than %s" % (path, len(generations), len(ends), limit))

    # The last generation of a trace of Go 1.25 ends with the input only.
    follower = Follower(gtrace)
    check(data, generations, late, range(1, len(generations) + 1), follower)
    follower.end()
    follower = Follower(gtrace, *flags)
    want = [sum(end <= generation["to"] for end in ends) for generation in generations]
    check(data, generations, late, want, follower)
    if len(follower.lines()) > want[-1]:
        fail("%d lines, want %d" % (len(follower.lines()), want[-1]))
    if follower.end() != 3:
        fail("the limit is not exceeded")
    print("%s: %d generations, %d long slices" % (path, len(generations), len(ends)))


main()
