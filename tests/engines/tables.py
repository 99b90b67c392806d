# SPDX-License-Identifier: BSD-3-Clause
"""tables.py - what tests of engines have in common: traces, tables, questions."""
import glob
import hashlib
import json
import os
import re
import subprocess

QUERIES = "c/tables/queries.sql"


def traces(root):
    """The traces of testdata, without those that are made to be slow to read."""
    names = glob.glob(os.path.join(root, "**/*.trace"), recursive=True)
    return sorted(n for n in names if "/attack/" not in n and "/fuzz/" not in n)


def write(gtrace, folder, names):
    """Writes the tables of traces, of which some cannot be read."""
    run = subprocess.run([gtrace, "-quiet", "-no-join", "-tables=" + folder] + names,
                         stderr=subprocess.PIPE, check=False)
    assert run.returncode in (0, 1), run.stderr


def hash_of(name):
    with open(name, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def report(gtrace, name, *flags):
    """The lines of a report as JSON."""
    out = subprocess.run([gtrace, "-quiet", "-format=json", *flags, name],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return [json.loads(line) for line in out.decode().splitlines()]


def questions():
    """The queries, with the question before each."""
    with open(QUERIES, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"^-- (\d+\. .*?)\n(SELECT.*?);", text, re.M | re.S)
    return [(head.split("\n")[0], query) for head, query in found]


def plain(rows):
    """Rows of any engine in one form."""
    def value(cell):
        if cell is None or isinstance(cell, (bool, str)):
            return cell
        if hasattr(cell, "isoformat"):
            return cell.replace(tzinfo=None).isoformat()
        return round(float(cell), 3)
    return [tuple(value(cell) for cell in row) for row in rows]
