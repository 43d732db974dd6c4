# SPDX-License-Identifier: BSL-1.0
"""Chapters of mistakes: examples/mistakes/CHAPTER.cpp, and tests/mistakes/refused/*.cpp without right faces.

    // chapter: CHAPTER
    ... what its mistakes include and use ...

    // section: TITLE
    // What is wrong, and what to write: Markdown, with links from the root of the project (/docs/..., /include/...).
    // expect-error: TEXT        a part of the message
    namespace NAME { ... }    or, if it is one function, int NAME() { ... }

A mistake reaches from its comment to the next one. It is named as its namespace or function, and so are the comments
around the lines that pages quote, // [NAME] and // [/NAME].
"""
import dataclasses
import re

KEYS = r"section|expect-error|g\+\+|clang|beyond"


@dataclasses.dataclass
class mistake:
    name: str
    title: str
    prose: list
    said: list  # (key, value) of the other comments, in their order
    first: int  # its lines, counted from one
    last: int
    text: str

    def values(self, key):
        return [value for each, value in self.said if each == key]


def value_of(path, key):
    """What the head of a chapter says in '// KEY: VALUE', or nothing."""
    found = re.search(rf"^// {key}: *(.*\S)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def read(path):
    """All mistakes of a chapter. Raises ValueError with the reason."""
    lines = path.read_text(encoding="utf-8").splitlines()
    begins = [i for i, line in enumerate(lines) if line.startswith("// section: ")]
    if not begins:
        raise ValueError("there is no '// section: TITLE'")
    found = []
    for begin, end in zip(begins, begins[1:] + [len(lines)]):
        text = "\n".join(lines[begin:end])
        prose, said = [], []
        for line in lines[begin:end]:
            if not line.startswith("//") or re.fullmatch(r"// \[[\w.-]+\]", line):
                break
            key = re.match(rf"// ({KEYS}): *(.*\S)", line)
            if key:
                said.append(key.groups())
            else:
                prose.append(line[3:])
        name = (re.search(r"^namespace (\w+) \{", text, re.MULTILINE)
                or re.search(r"^int (\w+)\(.*\) \{", text, re.MULTILINE))
        if not name:
            raise ValueError(f"line {begin + 1}: '{said[0][1]}' has neither 'namespace NAME {{' nor 'int NAME() {{'")
        if name[1] in {other.name for other in found}:
            raise ValueError(f"line {begin + 1}: {name[1]} is there twice")
        found.append(mistake(name[1], said[0][1], prose, said, begin + 1, end, text))
    return found
