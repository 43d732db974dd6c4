# SPDX-License-Identifier: BSL-1.0
"""docs/errors.md, a line for each message, made of the chapters of mistakes and of the messages in the headers.

A search for a message finds its line, which says where examples/mistakes/CHAPTER.cpp explains the mistake, shows it and
shows what to write (tests/support/mistakes.py). A mistake's 'expect-error' is a part of one message. The page prints
the whole message as it stands in a header of include/anew; where a message is not in a string literal (a deleted
function) it prints the part. errors_head.md has the introduction and the chapters in their order; there,
"message: PART | EXPLANATION" is a message for which there is no mistake.
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
    return found[0] if found else " ... ".join(expected)


def broken_links(root, prose):
    """The links of a mistake's comment, which begin at the root of the project, that lead nowhere."""
    return [path for path in re.findall(r"\]\(/([^)#]+)", "\n".join(prose)) if not (root / path).exists()]


def table(rows):
    """A line for each message: {message: what explains it}."""
    lines = [f"| `{text}` | {', '.join(dict.fromkeys(where))} |"
             for text, where in sorted(rows.items(), key=lambda row: row[0].lower())]
    return ["| message | explained, shown and mended |", "|---|---|", *lines] if lines else []


def render(root):
    """Returns (the page, number of mistakes, errors)."""
    messages, errors, chapters, count = messages_of(root), [], {}, 0
    for path in sorted((root / MISTAKES).glob("*.cpp")):
        try:
            rows = chapters.setdefault(mistakes.value_of(path, "chapter"), {})
            for each in mistakes.read(path):
                if not each.prose or not each.values("expect-error"):
                    raise ValueError(f"{each.name} does not say what is wrong and what to write, or expects no error")
                errors += [f"{MISTAKES}/{path.name}: /{link} does not exist" for link in broken_links(root, each.prose)]
                text = message(messages, each.values("expect-error"))
                rows.setdefault(text, []).append(f"[{each.name}](../{MISTAKES}/{path.name})")
                count += 1
        except ValueError as reason:
            errors.append(f"{MISTAKES}/{path.name}: {reason}")
    out, rows = [], {}
    for line in [*(root / TEMPLATE).read_text(encoding="utf-8").splitlines(), "## "]:
        if line.startswith("## "):
            out += ["", *table(rows), "", line]
            rows = chapters.pop(line[3:], {})
        elif line.startswith("message: "):
            part, explanation = line.removeprefix("message: ").split(" | ")
            rows[message(messages, [part])] = [explanation]
        else:
            out.append(line)
    errors += [f"{TEMPLATE} has no chapter '{name}'" for name in chapters]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out[:-1])).strip() + "\n", count, errors
