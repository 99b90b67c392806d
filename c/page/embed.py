# SPDX-License-Identifier: BSD-3-Clause
"""
embed.py - compiles the template of a page to C, and writes that to standard output:

	python3 c/page/embed.py >c/report/page_data.inc

The template is page.html, with page.css, drop.js, and SCRIPTS as one script in it, and
what it calls, in other files; and compare.html, the page of two traces. Tags are in {{ and }}:

	{{( name: parameters }}  begins the function fill_name(), which writes what follows
	{{T expression }}        the value of a C expression, as T says, see VALUES
	{{? condition }}         what follows only if that is true; {{:}} else; {{/}} the end
	{{# i = 0; i < 3; i++ }} what follows over and over, as a for loop of C does
	{{! statement }}         a statement of C

In other files than page.html, and in page.html after ~, a line break is only for people.
"""

import os
import re

from template import filled

TAG = re.compile(r"\{\{([(?#!:/]|[a-zA-Z] )(.*?)\}\}", flags=re.S)
# What writes a value. Text of a trace gets into a page only by e, t and what has these.
VALUES = {
    "s": "write_text(page->writer, {});",  # const char *: HTML of our own
    "e": "write_plain(page, {});",  # const char *: text
    "t": "write_escaped(page, {}, false);",  # const struct gtrace_string *: text
    "S": "write_escaped(page, {}, true);",  # ...: text in which numbers and their units stay together
    "f": "fill_function(page, {});",  # ...: a function, with its name as the title
    "n": "fill_naming(page, {});",  # const struct naming *: its functions, or why there is none
    "w": "fill_work(page, {});",  # ...: a mark of the colour of its work, and a word
    "p": "fill_place(page, {});",  # const struct gtrace_frame *: its place, with the file as the title
    "d": "write_integer(page, {});",  # int64_t
    "l": "write_letters(page, {});",  # int64_t: A to Z, AA, AB, ... for 0 and on
    "c": "fill_count(page, {});",  # int64_t, in groups of three digits
    "C": "fill_counted(page, {});",  # int64_t, const char *: a count and what is counted
    "T": "fill_duration(page, {});",  # int64_t, with all its digits as the title
    "K": "fill_known(page, {});",  # int64_t: a duration; none if it is negative
    "m": "fill_moment(page, {});",  # int64_t: the time since the trace began
}
SCRIPTS = ("pictures.js", "zoom.js", "whole.js", "cards.js", "page.js")
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
    return VALUES[kind[0]].format(inside)


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
    script = '"use strict";\n(() => {\n' + "".join(map(read, SCRIPTS)) + "})();\n"
    for name, value in (("css", read("page.css")), ("js", script), ("drop", read("drop.js"))):
        text = filled(text, name, value)
    return re.findall(r".{1,1500}", text, flags=re.S)


print("""/* SPDX-License-Identifier: BSD-3-Clause */
/* page_data.inc - the template of HTML reports. Made by page/embed.py. */
""")
for name in ("values", "stack", "tables", "slices", "waits", "blocks", "stops", "paths", "sections"):
    print(compiled(read(name + ".html").replace("\n", "")))
page = read("page.html").replace("~\n", "")
print(compiled(re.sub(r"^(\{\{[(!].*\}\})\n", r"\1", page, flags=re.M)))
print(compiled(read("compare.html").replace("\n", "")), end="")
