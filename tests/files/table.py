"""The cases of tests/files/table, as run.sh reads them."""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))


class Case:
    def __init__(self, header):
        header, _, self.reader = header.partition(" # ")
        self.header = header
        words = header.split()
        self.name = words[0]
        kind = next(i for i, word in enumerate(words) if word in ("=", "!", "?") and i > 0)
        self.options, self.is_read, self.expected = words[1:kind], words[kind] == "=", words[kind + 1:]
        self.text = b""

    def content(self):
        made = os.path.join(HERE, "made", self.name)
        if os.path.exists(made):
            return open(made, "rb").read()
        return self.text


def unescape(line):
    return re.sub(rb"\\t", b"\t", line).replace(rb"\\", b"\\") + b"\n"


def cases():
    found, current = [], None
    for line in open(os.path.join(HERE, "table"), "rb").read().split(b"\n")[:-1]:
        if line.startswith(b"=== "):
            current = Case(line[4:].decode())
            found.append(current)
        elif line.startswith(b"--- "):
            current = None
        elif current is not None:
            current.text += unescape(line)
    return found
