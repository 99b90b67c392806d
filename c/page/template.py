# SPDX-License-Identifier: BSD-3-Clause
"""Puts a script and a style sheet into a page, with their hashes for its
Content-Security-Policy. Lines lose what they are indented by, and lines of comments
are left out."""

import base64
import hashlib
import re


def stripped(text):
    text = re.sub(r"^\s*/\*.*?\*/$|^\s*//[^\n]*$|^\s+", "", text, flags=re.M | re.S)
    return re.sub(r"\n+\s*", "\n", text).strip("\n")


def sha256(text):
    """The hash of what stands in an element, with the line breaks around it."""
    return base64.b64encode(hashlib.sha256(f"\n{text}\n".encode()).digest()).decode()


def filled(page, name, text):
    """page with {{name}} replaced by text, and {{name hash}} by its hash."""
    text = stripped(text)
    return page.replace("{{%s hash}}" % name, sha256(text)).replace("{{%s}}" % name, text)
