#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""docs/errors.md, made of the chapters of mistakes and of the messages in the headers.

What examples/mistakes/CHAPTER.cpp says of a mistake (tests/support/mistakes.py) is all that the page says of it. Its
'expect-error' is a part of one message. The page prints the whole message as it stands in a header of include/anew;
where a message is not in a string literal (a deleted function) it prints the part. Mistakes of one title stand
together, the longest comment first. Sections are ordered by their first message. errors_head.md has the introduction,
the chapters in their order, and the few sections for which there is no mistake; there, "message: TEXT" stands for the
whole message.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import mistakes  # noqa: E402

PAGE = "docs/errors.md"
TEMPLATE = "tests/docs/errors_head.md"
MISTAKES = "examples/mistakes"
# A macro that says a message for each driver, or for each name: "BEFORE" REQUIREMENT "AFTER".
MACRO = re.compile(r"#define (ANEW_\w+)\(.*REQUIREMENT.*\n(?:.*\\\n)*.*")
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
WIDTH = 120


def joined(run):
    return "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run)).replace('\\"', '"')


def messages_of(root):
    """All strings of the headers that read like a message."""
    found = set()
    for header in sorted((root / "include").rglob("*.hpp")):
        code = re.sub(r"(?m)^\s*//.*$", "", header.read_text(encoding="utf-8"))
        around = {}
        for macro in MACRO.finditer(code):
            body = macro[0].replace("\\\n", "\n").partition(")")[2]
            around[macro[1]] = [(joined(before), joined(after)) for before, after in
                                re.findall(rf"({LITERALS.pattern})\s*REQUIREMENT\s*({LITERALS.pattern})?", body)]
        for run in LITERALS.finditer(MACRO.sub("", code)):
            text, where = joined(run[0]), run.string[max(0, run.start() - 200):run.start()]
            macro = re.search(r"\b(ANEW_\w+)\([\w\s,]*$", where)
            if macro and macro[1] in around:
                found.update(before + text + after for before, after in around[macro[1]])
            elif len(text) > 30 and " " in text:
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


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).replace(" ", "-")


def headline(text):
    """The part of a message that names the rule."""
    return re.split(r"; |\. |(?<!^anew): ", text.split("\n")[0] + " ", maxsplit=1)[0].strip()


def from_the_page(line):
    return line.replace("](/docs/", "](").replace("](/", "](../")


def block(text):
    return ["```text", *[line for part in text.split("\n") for line in wrapped(part)], "```"]


def render_section(title, found):
    """found: [(file, mistake, message)], the leading one first."""
    out = [f"### {title}", ""]
    for text in dict.fromkeys(text for _, _, text in found):
        out += [*block(text), ""]
    for file, each, _ in found:
        out += [*[from_the_page(line) for line in each.prose], ""]
        out += [f"`{each.name}` in [{file}](../{MISTAKES}/{file}):", ""]
        out += [f"<!-- region: {MISTAKES}/{file}#{each.name} -->", "```cpp", "```", ""]
    return out


def render(root):
    """Returns (the page without the quoted code, number of mistakes, errors)."""
    messages, errors, chapters, count = messages_of(root), [], {}, 0
    for path in sorted((root / MISTAKES).glob("*.cpp")):
        try:
            sections = chapters.setdefault(mistakes.value_of(path, "chapter"), {})
            for each in mistakes.read(path):
                if not each.prose or not each.values("expect-error"):
                    raise ValueError(f"{each.name} does not say what is wrong and what to write, or expects no error")
                text = message(messages, each.values("expect-error"))
                sections.setdefault(each.title, []).append((path.name, each, text))
                count += 1
        except ValueError as reason:
            errors.append(f"{MISTAKES}/{path.name}: {reason}")
    out, table, chapter = [], [], None

    def finish():
        sections = chapters.pop(chapter, {})
        for found in sections.values():
            found.sort(key=lambda row: (-sum(map(len, row[1].prose)), row[1].name))
        for title, found in sorted(sections.items(), key=lambda item: (item[1][0][2].lower(), item[0])):
            for rule in dict.fromkeys(headline(text) for _, _, text in found):
                table.append((rule, title))
            out.extend(render_section(title, found))

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
    errors += [f"{TEMPLATE} has no chapter '{name}', which {found[0][0]} names"
               for name, sections in chapters.items() for found in sections.values()]
    table.sort(key=lambda row: row[0].lower())
    rows = ["| message | section |", "|---|---|"]
    rows += [f"| `{rule}` | [{title}](#{anchor(title)}) |" for rule, title in table]
    at = out.index("@messages@")
    out[at:at + 1] = rows
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip() + "\n", count, errors
