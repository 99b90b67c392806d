# SPDX-License-Identifier: BSD-3-Clause
"""loader.py - reads what gtrace prints of a trace, for tests in Python: text, JSON,
CSV, profiles, timelines and pages. Each output is made once."""

import collections
import csv
import gc
import gzip
import io
import json
import os
import subprocess
import sys

ALL = "1000000000"
# Outputs are large, and have no cycles.
gc.disable()
csv.field_size_limit(1 << 30)


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


# ---------------------------------------------------------------- profiles --


def number(data, at):
    """The varint at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def numbers(data):
    at = 0
    while at < len(data):
        value, at = number(data, at)
        yield value


def fields(data):
    """The fields of a message: numbers, and bytes."""
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        value, at = number(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
            if at > len(data):
                fail("a field is cut off")
        elif tag & 7 != 0:
            fail(f"wire type {tag & 7}")
        yield tag >> 3, value


def packed(value):
    """The numbers of a field, which stand in one or are one each."""
    return [value] if isinstance(value, int) else list(numbers(value))


Frame = collections.namedtuple("Frame", "function file line")
Sample = collections.namedtuple("Sample", "stack values labels")


class Profile:
    """A profile.proto, as the message is described in pprof. Stacks have the
    innermost frame first."""

    def __init__(self, data):
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        self.parts = collections.defaultdict(list)
        for field, value in fields(data):
            self.parts[field].append(value)
        self.strings = [value.decode("utf-8") for value in self.parts[6]]
        self.types = [tuple(self.strings[one.get(at, 0)] for at in (1, 2)) for one in map(self.message, self.parts[1])]
        self.comments = [self.strings[at] for value in self.parts[13] for at in packed(value)]
        self.functions = {one[1]: (self.strings[one.get(2, 0)], self.strings[one.get(4, 0)]) for one in map(self.message, self.parts[5])}
        self.locations = dict(map(self.location, self.parts[4]))
        self.samples = [self.sample(value) for value in self.parts[2]]

    @staticmethod
    def message(data):
        return dict(fields(data))

    def location(self, data):
        parts = list(fields(data))
        lines = [self.message(part) for field, part in parts if field == 4]
        return dict(parts)[1], [Frame(*self.functions[line[1]], line.get(2, 0)) for line in lines]

    def sample(self, data):
        ids, values, labels = [], [], {}
        for field, value in fields(data):
            if field == 1:
                ids += packed(value)
            elif field == 2:
                values += packed(value)
            elif field == 3:
                label = self.message(value)
                labels[self.strings[label[1]]] = label[3] if 3 in label else self.strings[label.get(2, 0)]
        return Sample([frame for at in ids for frame in self.locations[at]], values, labels)


# ------------------------------------------------------------------ outputs --


def read_objects(data):
    return [json.loads(line) for line in data.decode("utf-8").split("\n")[:-1]]


def read_records(data):
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""), strict=True))


def read_timeline(data):
    """Its events. Times, which have three decimals of a microsecond, are in nanoseconds."""
    return json.loads(data, parse_float=lambda digits: int(digits.replace(".", "")))["traceEvents"]


class Trace:
    """The outputs for a trace and filters. None: gtrace exits with an error."""

    def __init__(self, gtrace, path, flags=()):
        self.gtrace, self.path, self.flags = gtrace, path, tuple(flags)
        self.name = " ".join((path, *self.flags))
        self.made = {}

    def same(self, what, have, want):
        if have != want:
            fail(f"{self.name}: {what}: {str(have)[:2000]}, want {str(want)[:2000]}")

    def run(self, *arguments):
        """The exit status, what is printed, and messages."""
        if arguments not in self.made:
            done = subprocess.run(
                [self.gtrace, *self.flags, *arguments, self.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
            )
            self.made[arguments] = done.returncode, done.stdout, done.stderr
        return self.made[arguments]

    def bytes(self, *arguments):
        status, data, _ = self.run(*arguments)
        return data if status == 0 else None

    def text(self, *arguments, errors="replace"):
        data = self.bytes(*arguments)
        return None if data is None else data.decode("utf-8", errors)

    def lines(self, *arguments):
        text = self.text(*arguments)
        return None if text is None else text.split("\n")[:-1]

    def read(self, reader, *arguments):
        """What READER, a function of bytes, makes of an output: the same object each time."""
        key = reader, arguments
        if key not in self.made:
            data = self.bytes(*arguments)
            self.made[key] = None if data is None else reader(data)
        return self.made[key]

    def objects(self, *arguments):
        return self.read(read_objects, "-format=json", *arguments)

    def records(self, *arguments):
        return self.read(read_records, "-format=csv", *arguments)

    def profile(self, what, *arguments):
        return self.read(Profile, "-pprof=" + what, *arguments)

    def timeline(self):
        return self.read(read_timeline, "-timeline")

    def unit(self):
        """The unit of times, "ns" or "ticks"."""
        return (self.objects() or [{}])[0].get("unit", "ns")
