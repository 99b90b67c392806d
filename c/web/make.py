# SPDX-License-Identifier: BSD-3-Clause
"""make.py MODULE OUT - writes gtrace.html, one file with the page, its script and
style, and the command as a WebAssembly module."""

import base64
import gzip
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../page"))
from template import filled  # noqa: E402


def text(name):
    with open(os.path.join(here, name), encoding="utf-8") as file:
        return file.read()


page = text("page.html").strip("\n")
page = filled(page, "css", text("page.css"))
page = filled(page, "js", text("page.js"))
page = filled(page, "worker", text("wasi.js") + text("worker.js"))
# The report has hashes of its own style and scripts, in that order.
for name, value in zip(("css", "drop", "js"), re.findall(r"'sha256-([^']+)'", text("../report/page_data.inc"))):
    page = page.replace("{{report %s hash}}" % name, value)
with open(sys.argv[1], "rb") as file:
    module = base64.b64encode(gzip.compress(file.read(), 9, mtime=0)).decode()
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(page.replace("{{module}}", module) + "\n")
