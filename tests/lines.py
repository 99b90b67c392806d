#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""lines.py - how many lines of code c/ has, and what a change took.

	lines.py [COMMIT]
	lines.py FROM...TO

The first form counts the lines of .c and .h files by layer and by feature, in
the working tree or in COMMIT: those with code, not blank lines nor comments.
Generated files, fuzz targets and the page's and the command's documents do not
count. The second form prints which files of c/ differ between TO and the commit
at which it left FROM, and by how many lines of code: what it took to add a
report.
"""
import collections
import os
import re
import subprocess
import sys

# A file belongs to the first feature whose expression its path below c/ matches.
FEATURES = (
    ("public header", r"^include/"),
    ("Go 1.5 to 1.21", r"^v1/"),
    ("Go 1.22 and later", r"^v2/"),
    ("verdicts", r"verdict"),
    ("command", r"^tools/"),
    ("comparison", r"compar"),
    ("page", r"html|lanes|page"),
    ("timeline", r"timeline"),
    ("profiles", r"profile|pprof"),
    ("waits and delays", r"waits|delays|ready"),
    ("stops", r"stops|holders"),
    ("blocks", r"block"),
    ("collections", r"collections|work\b"),
    ("scheduler over time", r"sched"),
    ("goroutines and requests", r"lives|requests"),
    ("machine and kernel's record", r"machine|oncpu|silence|bare"),
    ("critical path", r"critical|why|path"),
    ("summary and findings", r"summar|diagnosis|finding|totals"),
    ("slices", r"slices|lengths"),
    ("names", r"nam(es|ing)|texts"),
    ("filters", r"filter"),
    ("events", r"dump|visit|events"),
    ("text", r"^report/(text|short|lists|sentence|shown|item)"),
    ("JSON and CSV", r"^report/(json|csv|lines|field)"),
    ("hooks and passes", r"^(analysis|feed)/"),
    ("base and model", r"^(base|model)/"),
    ("front end", r"^[^/]*$"),
)

TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                    r"|//[^\n]*|/\*.*?\*/", re.S)


def without_comment(match):
    text = match.group()
    return text if text[0] != "/" else "\n" * text.count("\n")


def code_lines(text):
    return sum(1 for line in TOKENS.sub(without_comment, text).split("\n")
               if line.strip())


def counts(path):
    """Whether the lines of a file, by its path below c/, count."""
    return (path.endswith((".c", ".h"))
            and not path.startswith(("fuzz/", "web/", "page/")))


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, text=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout


def files_of_commit(commit):
    """By path below c/, what the files have that count."""
    found = {}
    for name in git("ls-tree", "-r", "--name-only", commit, "c/").split("\n"):
        if counts(name[2:]):
            found[name[2:]] = git("show", f"{commit}:{name}")
    return found


def files_of_tree():
    found = {}
    for folder, _, names in os.walk("c"):
        for name in names:
            path = os.path.join(folder, name)[2:]
            if counts(path):
                with open("c/" + path, encoding="utf-8") as file:
                    found[path] = file.read()
    return found


def layer_of(path):
    return path.split("/")[0] + "/" if "/" in path else "front end"


def feature_of(path):
    return next((name for name, pattern in FEATURES
                 if re.search(pattern, path)), "other")


def table(title, lines, kind):
    files, sums = collections.Counter(), collections.Counter()
    for path, count in lines.items():
        files[kind(path)] += 1
        sums[kind(path)] += count
    print(f"{title:30} {'files':>6} {'code':>7}")
    for name, count in sums.most_common():
        print(f"{name:30} {files[name]:6} {count:7}")
    print(f"{'all':30} {len(lines):6} {sum(lines.values()):7}\n")


def print_counts(files):
    lines = {path: code_lines(text) for path, text in files.items()}
    table("layer", lines, layer_of)
    table("feature", lines, feature_of)


def print_change(before, after):
    """What differs between two sets of files."""
    old, new = files_of_commit(before), files_of_commit(after)
    total = 0
    changed = sorted(path for path in {**old, **new}
                     if old.get(path) != new.get(path))
    for path in changed:
        more = code_lines(new.get(path, "")) - code_lines(old.get(path, ""))
        mark = "new" if path not in old else "gone" if path not in new else ""
        total += more
        print(f"{more:+6}  {path} {mark}".rstrip())
    added = sum(path not in old for path in changed)
    print(f"{total:+6}  code lines, {len(changed)} files of c/ touched,"
          f" {added} of them new")


def main(arguments):
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, end="", file=sys.stderr)
        return 2
    if not arguments:
        print_counts(files_of_tree())
    elif ".." in arguments[0]:
        before, after = re.split(r"\.\.+", arguments[0], maxsplit=1)
        print_change(git("merge-base", before, after).strip(), after)
    else:
        print_counts(files_of_commit(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
