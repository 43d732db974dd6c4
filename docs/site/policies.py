#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints, as JSON, what the sources say of each policy, function, concept and mistake. A page of the site is made of
each.

tests/docs/policies.py reads the labels of policies for its table; a page has room for the whole comment, too.
tests/docs/lookup.py reads functions and concepts, tests/support/mistakes.py the mistakes.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/docs"))
import errors  # noqa: E402  pylint: disable=wrong-import-position
import lookup  # noqa: E402  pylint: disable=wrong-import-position
import policies as table  # noqa: E402  pylint: disable=wrong-import-position

MODELS = "examples/minimal_models.cpp"


def declared_at(lines, name):
    """The line of a class, counted from 0: the last of that name, because its comment stands at the definition."""
    found = [i for i, line in enumerate(lines) if re.match(rf"(?:class|struct) {name}\b(?!\s*[<;])", line)]
    return found[-1] if found else 0


LABEL = r"^(?:Models|Formula|Requires|Cost|Source|Example|Metastable above):"


def comment_of(lines, at):
    """(the paragraphs before the labels, the advice when to choose it): what the table leaves out."""
    while at > 0 and lines[at - 1].strip() and not lines[at - 1].startswith("///"):
        at -= 1  # template head and requires clause
    text = "\n".join(table.comment_above(lines, at))
    choose = re.search(rf"^Choose .*?(?={LABEL}|\Z)", text, re.M | re.S)
    about = re.split(rf"{LABEL}|^Choose ", text, maxsplit=1, flags=re.M)[0]
    return about.strip(), choose.group().strip() if choose else ""


def words_of():
    """{policy: what a text may write}, from the page of the notation and from the words' own example types."""
    page = (ROOT / "docs/reference/notation.md").read_text(encoding="utf-8")
    role, written = "", {}
    for line in page.splitlines():
        role = line[3:] if line.startswith("## ") else role
        row = re.match(r"\| `(\w+)([^`]*)` \| `([^`]*)`", line)
        if row:
            for name in (row.group(1), f"{row.group(1)}_{role}", row.group(1) + "_"):
                written.setdefault(name, []).append([row.group(1) + row.group(2), row.group(3)])
    for path in sorted((ROOT / "include/anew").rglob("*.hpp")):
        text = path.read_text(encoding="utf-8")
        for word, policy in re.findall(r'word_of<"(\w+)",\s*(?:[\w:]*::)?(\w+)', text):
            if policy != word and word in written:
                written.setdefault(policy, written[word])
    return written


def example_of(name, programs):
    """(file, line) of the first example that uses a policy."""
    for path, text in programs:
        found = re.search(rf"(?<![\w.])(?:anew::)?{name}\b", text)
        if found:
            return [path, text.count("\n", 0, found.start()) + 1]
    return None


def smallest_models():
    """{concept: the regions of MODELS that say so}."""
    found = {}
    for region, text in re.findall(r"^// \[(\w+)\]\n(.*?)^// \[/\1\]", (ROOT / MODELS).read_text(encoding="utf-8"),
                                   re.M | re.S):
        for concept in re.findall(r"^static_assert\(anew::(\w+)<\w+(?:, \w+)?>\);", text, re.M):
            found.setdefault(concept, []).append({"file": MODELS, "region": region, "text": text.rstrip()})
    return found


def resolved(text, is_wrong):
    """The code of a mistake, with its wrong lines or with its right ones."""
    out, kept = [], True
    for line in text.splitlines():
        face = re.match(r"#\s*(if\w*|else|endif)\b(.*)", line)
        if face and (face[1] != "else" or kept is not None) and ("ANEW_REJECT" in line or face[1] in ("else", "endif")):
            kept = {"ifdef": is_wrong, "ifndef": not is_wrong, "if": is_wrong, "else": not kept, "endif": True}[face[1]]
        elif kept:
            out.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def mistakes():
    """[{name, title, file, line, message, cause, wrong, right}] of docs/errors.md."""
    messages, found = errors.messages_of(ROOT), []
    for path in sorted((ROOT / errors.MISTAKES).glob("*.cpp")):
        for each in errors.mistakes.read(path):
            body = re.sub(r"(?m)^// \[[\w./-]+\]\n", "", re.sub(r"\A(?://.*\n)*", "", each.text))
            found.append({"name": each.name, "title": each.title, "file": path.relative_to(ROOT).as_posix(),
                          "line": each.first, "message": errors.message(messages, each.values("expect-error")),
                          "cause": "\n".join(each.prose),
                          "wrong": resolved(body, True), "right": resolved(body, False)})
    return found


def main():
    programs = [(path.relative_to(ROOT).as_posix(), re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")))
                for path in sorted((ROOT / "examples").glob("*.cpp"))]
    written, umbrella, found = words_of(), table.reachable(ROOT, "anew/anew.hpp"), []
    defaults = {value.split("<")[0]: value for value in table.defaults_of(ROOT).values()}
    for path in sorted((ROOT / "include/anew").rglob("*.hpp")):
        if path.relative_to(ROOT / "include").as_posix().startswith(table.LEFT_OUT):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for policy, _ in table.policies_in(ROOT, path):
            at = declared_at(lines, policy["name"])
            about, choose = comment_of(lines, at)
            space = re.match(r"anew/(?:bridges|presets|ports)/(\w+)/", policy["header"])
            page = f"{space.group(1)}_{policy['name']}" if space else policy["name"]
            found.append(policy | {"page": page, "line": at + 1, "about": about or policy["sentence"], "choose": choose,
                                   "words": written.get(policy["name"], []), "default": defaults.get(policy["name"]),
                                   "umbrella": policy["header"] in umbrella,
                                   "example": example_of(policy["name"], programs)})
    models = smallest_models()
    named = [entry | {"models": models.get(entry["name"], [])} for entry in lookup.entries(ROOT)]
    json.dump({"policies": found, "lookup": named, "mistakes": mistakes()}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
