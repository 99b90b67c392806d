# SPDX-License-Identifier: BSD-3-Clause
"""tens.py GTRACE TRACE... - the ten longest slices are the first ones of all slices,
in every format, with and without filters, but for the choice among those of equal
length at the end. What is said of a slice does not depend on how many there are."""

import collections
import csv
import io
import json
import re
import subprocess
import sys

TEN, ALL = 10, 1000000000
FILTERS = ((), ("-user",), ("-func=main",))
csv.field_size_limit(1 << 30)


def fail(message):
    sys.exit("tens.py: " + message)


def of_text(text):
    """After one line, each slice begins with its length."""
    return re.split(r"^(?=\t\d+(?:ns -> \d| ticks$))", text, flags=re.M)[1:]


def of_short(text):
    """The first line of a slice begins with something else than a tab."""
    return re.split(r"^(?=[^\t\n])", text, flags=re.M)[1:]


def of_csv(text):
    return [tuple(row) for row in csv.reader(io.StringIO(text, newline=""))][1:]


# JSON comes first: it has exact lengths. The order is that of all formats.
FORMATS = {"json": str.splitlines, "text": of_text, "short": of_short, "csv": of_csv}


def slices(gtrace, path, flags, kind, count):
    """The words about each; None: an error."""
    done = subprocess.run(
        [gtrace, *flags, f"-diagreedy={count}", "-format=" + kind, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return FORMATS[kind](done.stdout.decode("utf-8", "surrogateescape")) if done.returncode == 0 else None


def check(gtrace, path, flags):
    """Returns how many slices there are; None: an error."""
    for kind in FORMATS:
        some, every = (slices(gtrace, path, flags, kind, count) for count in (TEN, ALL))
        if some is None or every is None:
            return None
        if kind == "json":
            lengths, first = ([json.loads(one)["duration"] for one in found] for found in (every, some))
            if first != lengths[:TEN]:
                fail(f"{path} {flags}: {first}, want {lengths[:TEN]}")
            # Those at the end of the ten can be others of their length.
            boundary = first[-1] if first else 0
            longer = sum(length > boundary for length in lengths)
        if len(every) != len(lengths) or len(some) != len(first):
            fail(f"{path} {flags} {kind}: {len(some)} and {len(every)} slices")
        ten, one_of = collections.Counter(some), collections.Counter(
            one for one, length in zip(every, lengths) if length >= boundary
        )
        missing = collections.Counter(every[:longer]) - ten
        if missing or ten - one_of:
            fail(f"{path} {flags} {kind}: of {TEN} {ten - one_of}, of all {missing}")
    return len(lengths)


def main():
    gtrace, *paths = sys.argv[1:]
    long = filtered = 0
    for path in paths:
        flags = () if slices(gtrace, path, (), "json", TEN) is not None else ("-partial",)
        counts = [check(gtrace, path, flags + one) for one in FILTERS]
        long += (counts[0] or 0) > TEN
        filtered += counts[0] != counts[1] and (counts[1] or 0) > TEN
    if long < len(paths) // 2 or filtered < len(paths) // 3:
        fail(f"of {len(paths)} traces {long} have more than {TEN} slices, {filtered} with a filter")
    print(f"the first {TEN} slices of {long} traces, and {filtered} times of what passes a filter")


if __name__ == "__main__":
    main()
