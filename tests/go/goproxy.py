#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""goproxy.py MODULE VERSION PROXY - adds the Go module in the folder MODULE, as
VERSION, to the folder PROXY, which the go command takes as file:// in GOPROXY. The
same files give the same bytes."""

import os
import re
import sys
import zipfile

folder, version, proxy = sys.argv[1:]
with open(os.path.join(folder, "go.mod"), encoding="utf-8") as file:
    gomod = file.read()
path = re.search(r"^module (\S+)", gomod, re.M).group(1)
# A capital letter is written as ! and the small one.
escaped = re.sub("[A-Z]", lambda match: "!" + match.group().lower(), path)
to = os.path.join(proxy, escaped, "@v")
os.makedirs(to, exist_ok=True)


def files():
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders
                            if not os.path.exists(os.path.join(here, name, "go.mod")))
        for name in sorted(names):
            yield os.path.join(here, name)


with zipfile.ZipFile(os.path.join(to, version + ".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sorted(files()):
        info = zipfile.ZipInfo("%s@%s/%s" % (path, version, os.path.relpath(name, folder)),
                               (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        with open(name, "rb") as file:
            archive.writestr(info, file.read())
for name, text in ((version + ".mod", gomod), ("list", version + "\n"),
                   (version + ".info", '{"Version":"%s","Time":"1980-01-01T00:00:00Z"}\n' % version)):
    with open(os.path.join(to, name), "w", encoding="utf-8") as file:
        file.write(text)
