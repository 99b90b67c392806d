# SPDX-License-Identifier: BSD-3-Clause
"""
embed.py - compiles the template of a page to C, and writes that to standard output:

	python3 c/page/embed.py >c/report/page_data.inc

The template is page.html, with page.css and page.js in it, and what it calls, in other
files. Tags are in {{ and }}:

	{{( name: parameters }}  begins the function fill_name(), which writes what follows
	{{T expression }}        the value of a C expression, as T says, see gti_html()
	{{? condition }}         what follows only if that is true; {{:}} else; {{/}} the end
	{{# i = 0; i < 3; i++ }} what follows over and over, as a for loop of C does
	{{! statement }}         a statement of C

In other files than page.html, and in page.html after ~, a line break is only for people.
"""

import os
import re

from template import filled

TAG = re.compile(r"\{\{([(?#!:/]|[a-zA-Z] )(.*?)\}\}", flags=re.S)
CODE = {"?": "if ({}) {{", "#": "for ({}) {{", ":": "}} else {{", "/": "}}", "!": "{}"}


def read(name):
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?").replace("\n", "\\n") + '"'


def code(kind, inside):
    """The C code of a tag."""
    inside = inside.strip()
    if kind == "(":
        name, _, parameters = inside.partition(": ")
        return f"static void fill_{name}(struct page *page{parameters and ', '}{parameters}) {{"
    if kind in CODE:
        return CODE[kind].format(inside)
    return f'gti_html(page, "%{kind[0]}", {inside});'


def compiled(text):
    """Functions, each from its {{( to the next one or the end."""
    parts, at, lines = TAG.finditer(text), 0, []
    for tag in parts:
        # A string literal has at most 4095 bytes.
        lines += [f"write_text(page->writer, {literal(piece)});" for piece in pieces(text[at : tag.start()])]
        if tag[1] == "(" and lines:
            lines.append("}\n")
        lines.append(code(tag[1], tag[2]))
        at = tag.end()
    lines += [f"write_text(page->writer, {literal(piece)});" for piece in pieces(text[at:])]
    return "\n".join(lines + ["}\n"])


def pieces(text):
    """TEXT with style and script in it, in pieces."""
    for name in ("css", "js"):
        text = filled(text, name, read("page." + name))
    return re.findall(r".{1,1500}", text, flags=re.S)


print("""/* SPDX-License-Identifier: BSD-3-Clause */
/* page_data.inc - the template of HTML reports. Made by page/embed.py. */
""")
for name in ("stack", "tables", "slices", "waits", "blocks", "stops"):
    print(compiled(read(name + ".html").replace("\n", "")))
page = read("page.html").replace("~\n", "")
print(compiled(re.sub(r"^(\{\{[(!].*\}\})\n", r"\1", page, flags=re.M)), end="")
