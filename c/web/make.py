# SPDX-License-Identifier: BSD-3-Clause
"""make.py MODULE OUT - writes gtrace.html, one file with the page, its script and
style, and the command as a WebAssembly module."""

import base64
import gzip
import hashlib
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))


def text(name):
    with open(os.path.join(here, name), encoding="utf-8") as file:
        return file.read().strip("\n")


def sha256(content):
    """The hash of what stands in an element, with the line breaks around it."""
    return base64.b64encode(hashlib.sha256(f"\n{content}\n".encode()).digest()).decode()


with open(sys.argv[1], "rb") as file:
    module = base64.b64encode(gzip.compress(file.read(), 9, mtime=0)).decode()
# The report has hashes of its own style and script, in that order.
report = re.findall(r"'sha256-([^']+)'", text("../report/page_data.inc"))
parts = {
    "css": text("page.css"),
    "js": text("page.js"),
    "worker": text("wasi.js") + "\n" + text("worker.js"),
    "module": module,
    "css hash": sha256(text("page.css")),
    "js hash": sha256(text("page.js")),
    "report css hash": report[0],
    "report js hash": report[1],
}
page = text("page.html")
for part, content in parts.items():
    page = page.replace("{{" + part + "}}", content)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(page + "\n")
