#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""docs/errors.md, made of the mistakes' own files and of the messages in the headers.

The comment at the top of examples/mistakes/NAME.cpp says all that the page says of a mistake:

    // section: CHAPTER / TITLE
    // What is wrong, and what to write: Markdown, with links from the root of the project (/docs/..., /include/...).
    // expect-error: TEXT

TEXT is a part of one message. The page prints the whole message as it stands in a header of include/anew; where a
message is not in a string literal (a deleted function) it prints TEXT. Files of one section stand together, the longest
comment first. Sections are ordered by their first message. errors_head.md has the introduction, the chapters in
their order, and the few sections for which there is no file; there, "message: TEXT" stands for the whole message.
"""
import pathlib
import re

PAGE = "docs/errors.md"
TEMPLATE = "tests/docs/errors_head.md"
MISTAKES = "examples/mistakes"
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
WIDTH = 120


def messages_of(root):
    """All strings of the headers that read like a message."""
    found = set()
    for header in sorted((root / "include").rglob("*.hpp")):
        code = re.sub(r"(?m)^\s*//.*$", "", header.read_text(encoding="utf-8"))
        for run in LITERALS.findall(code):
            text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run)).replace('\\"', '"')
            if len(text) > 30 and " " in text:
                found.add(text)
    return sorted(found)


def message(messages, expected):
    """The message that contains most of the expected parts. Raises ValueError where several do."""
    scores = {text: sum(part in text for part in expected) for text in messages}
    best = max(scores.values(), default=0)
    found = [text for text in messages if best and scores[text] == best]
    if len(found) > 1:
        raise ValueError(f"'{expected[0]}' is a part of {len(found)} messages: quote more of the one that is meant")
    return found[0] if found else "\n".join(expected)


def wrapped(text, width=WIDTH):
    """Lines of at most width characters, broken at spaces."""
    lines = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def read(path):
    """Returns (chapter, title, prose, expected parts). Raises ValueError with the reason."""
    section, prose, expected = None, [], []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        if not line.startswith("//") or re.fullmatch(r"// \[[\w.-]+\]", line):
            break
        key = re.match(r"// (section|expect-error|budget): *(.*\S)", line)
        if not key:
            prose.append(line[3:])
        elif key[1] == "section":
            section = key[2].split(" / ", 1)
        elif key[1] == "expect-error":
            expected.append(key[2])
    if not section or len(section) != 2:
        raise ValueError("the comment at the top has no '// section: CHAPTER / TITLE'")
    if not expected:
        raise ValueError("the comment at the top has no '// expect-error: TEXT'")
    if not prose:
        raise ValueError("the comment at the top does not say what is wrong and what to write")
    return (*section, prose, expected)


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).replace(" ", "-")


def headline(text):
    """The part of a message that names the rule."""
    return re.split(r"; |\. |(?<!^anew): ", text.split("\n")[0] + " ", maxsplit=1)[0].strip()


def from_the_page(line):
    return line.replace("](/docs/", "](").replace("](/", "](../")


def block(text):
    return ["```text", *[line for part in text.split("\n") for line in wrapped(part)], "```"]


def render_section(title, files):
    """files: [(name, prose, message, whether it has a region)], the leading one first."""
    out = [f"### {title}", ""]
    for text in dict.fromkeys(file[2] for file in files):
        out += [*block(text), ""]
    for name, prose, _, quoted in files:
        out += [*[from_the_page(line) for line in prose], ""]
        out += [f"[{name}](../{MISTAKES}/{name})" + (":" if quoted else "."), ""]
        if quoted:
            out += [f"<!-- region: {MISTAKES}/{name}#fix -->", "```cpp", "```", ""]
    return out


def render(root):
    """Returns (the page without the quoted code, number of mistakes, errors)."""
    messages, errors, chapters, count = messages_of(root), [], {}, 0
    for path in sorted((root / MISTAKES).glob("*.cpp")):
        try:
            chapter, title, prose, expected = read(path)
            quoted = "// [fix]" in path.read_text(encoding="utf-8")
            file = (path.name, prose, message(messages, expected), quoted)
            chapters.setdefault(chapter, {}).setdefault(title, []).append(file)
            count += 1
        except ValueError as reason:
            errors.append(f"{MISTAKES}/{path.name}: {reason}")
    out, table, chapter = [], [], None

    def finish():
        sections = chapters.pop(chapter, {})
        for files in sections.values():
            files.sort(key=lambda file: (-sum(map(len, file[1])), file[0]))
        for title, files in sorted(sections.items(), key=lambda item: (item[1][0][2].lower(), item[0])):
            for rule in dict.fromkeys(headline(file[2]) for file in files):
                table.append((rule, title))
            out.extend(render_section(title, files))

    title = None
    for line in (root / TEMPLATE).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            finish()
            chapter = line[3:]
        elif line.startswith("### "):
            title = line[4:]
        if line.startswith("message: "):
            text = message(messages, [line.removeprefix("message: ")])
            table.append((headline(text), title))
            out += block(text)
        else:
            out.append(line)
    out.append("")
    finish()
    errors += [f"{TEMPLATE} has no chapter '{name}', which {files[0][0]} names"
               for name, sections in chapters.items() for files in sections.values()]
    table.sort(key=lambda row: row[0].lower())
    rows = ["| message | section |", "|---|---|"]
    rows += [f"| `{rule}` | [{title}](#{anchor(title)}) |" for rule, title in table]
    at = out.index("@messages@")
    out[at:at + 1] = rows
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip() + "\n", count, errors
