# SPDX-License-Identifier: BSD-3-Clause
"""
embed.py - writes page.html, with page.css and page.js in it, to standard output
as C: pieces of text up to NULL. A piece {{name}} stands for what the library
writes there. Makes ../report/page_data.inc again:

	python3 c/page/embed.py >c/report/page_data.inc
"""

import os
import re

from template import filled


def read(name):
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


page = read("page.html")
for name in ("css", "js"):
    page = filled(page, name, read("page." + name))

print("""/* SPDX-License-Identifier: BSD-3-Clause */
/* page_data.inc - the template of HTML reports. Made by page/embed.py. */
#ifndef GTRACE_REPORT_PAGE_DATA_INC_
#define GTRACE_REPORT_PAGE_DATA_INC_

static const char *const page_pieces[] = {""")
for piece in re.findall(r"\{\{[a-z]+\}\}|(?:(?!\{\{[a-z]+\}\}).){1,1500}", page, flags=re.S):
    # A string literal has at most 4095 bytes, and no trigraphs.
    escaped = piece.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?").replace("\n", "\\n")
    print(f'"{escaped}",')
print("""	0,
};

#endif /* GTRACE_REPORT_PAGE_DATA_INC_ */""")
