#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Phrases that make a reader translate: a demonstrative without its noun, a clause in the place of the subject, a
remedy that is a riddle.

    check_wording.py SOURCE_ROOT            prints each

Messages are the strings of include and examples. Messages, documents and comments have none of these phrases. Every
phrase stands here with a sentence that has it and one that has not; both are tried before anything is read.
"""
import pathlib
import re
import sys

# phrase, a sentence that has it, a sentence that has not
BANNED = [
    (r"\b(?:is|are) none\b", "This type is none.", "There is no retry."),
    (r"\b[Tt]his one\b", "This one is negative.", "This delay is negative."),
    (r"\bthat one\b(?! \w)", "Later retries wait as that one.", "Each retry after that one waits."),
    (r"\bother way round\b", "Nest them the other way round.", "Swap the two."),
    (r"\b[Ll]acks?\b", "It lacks a function.", "It has no black box."),
    (r"\bexchanged? (?:the|them|sides)\b", "Did you exchange them?", "Did you swap them?"),
    (r"\b[Ll]eave (?:\w+ ){1,4}out\b", "Leave the gate out.", "Leave it as it is."),
    (r"\b[Ww]ho(?:ever)? wants\b", "Who wants more writes it.", "If you want more, write it."),
    (r"\b[Ww]hoever\b", "Whoever looks frees it.", "The next call frees it."),
    (r"\b(?:[Ff]or|by|to|of|with) who\b", "It is for who waits.", "It is for a call that waits."),
    (r"\bfailures in a row\b", "It counts failures in a row.", "It counts consecutive failures."),
    (r"\bhears? of\b", "The observer hears of it.", "The observer hears it."),
    (r"\bknows? of\b", "It knows of no call.", "It knows how many calls there are."),
    (r"\bwhat is given\b", "It takes what is given.", "It takes its arguments."),
    (r"\b[Bb]eside (?:it|this|these|them)\b", "A jitter stands beside it.", "A jitter follows it."),
    (r"\bof (?:ours|yours|mine|theirs)\b", "A type of yours.", "Your own type."),
    (r"\bof one's own\b", "A loop of one's own.", "A loop of your own."),
    (r"\bone of these\b(?! \w+s\b)", "Is it one of these?", "Is it one of these policies?"),
    (r"\bnone of (?:them|these)\b(?! \w+s\b)", "It is none of these.", "None of these functions throws."),
    (r"\b(?:[Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body\b", "Somebody waits for it.", "A user waits for it."),
    (r"\b(?:come|comes|came) back together\b", "Clients come back together.", "Clients retry at the same moment."),
    (r"\bis (?:not )?heard\b", "The header is not heard.", "The header is ignored."),
    (r"\bswitched off\b", "Exceptions are switched off.", "Exceptions are disabled."),
    (r"(?:^|[.;] )What (?=[^?.;]*[.;])", "What is left waits.", "What is left?"),
    (r"^What (?=[^?.;:]*:$)", "What a driver does:", "What does a driver do?"),
]
PATTERNS = [re.compile(pattern) for pattern, _, _ in BANNED]
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
SKIPPED = {"docs/errors.md", "docs/reference/policies.md"}  # made of comments, and read there


def found_in(text):
    return [match.group() for pattern in PATTERNS for match in pattern.finditer(text)]


def check_patterns():
    """Each phrase is found where it is, and not where it is not."""
    errors = []
    for pattern, (_, bad, good) in zip(PATTERNS, BANNED):
        if not pattern.search(bad):
            errors.append(f"/{pattern.pattern}/ does not find itself in '{bad}'")
        if pattern.search(good):
            errors.append(f"/{pattern.pattern}/ finds itself in '{good}'")
    return errors


def messages_of(text):
    code = re.sub(r"(?m)//.*$", "", text)
    for run in STRING.findall(code):
        message = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run))
        if message.count(" ") > 2:
            yield message


def comments_of(text):
    """Blocks of // lines, each as one text, without what is code."""
    block = []
    for line in [*text.splitlines(), ""]:
        comment = re.match(r"\s*(?:.*?\S\s+)?//[/!<]*<?\s?(.*)", line)
        if comment and "://" not in line:
            block.append(re.sub(r"`[^`]*`", "x", comment[1]) if not comment[1].startswith("    ") else "")
        elif block:
            yield " ".join(" ".join(block).split())
            block = []


def paragraphs_of(text):
    text = re.sub(r"(?ms)^(```|~~~).*?^\1", "", text)
    text = re.sub(r"`[^`\n]*`", "x", text)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)  # where a link leads is no prose
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[*-]|\d+\.|\|) )", text):
        yield " ".join(paragraph.split())


def read(root):
    """How many texts were read, and each phrase that was found."""
    read_texts, errors = 0, []

    def read_all(path, texts):
        nonlocal read_texts
        for text in texts:
            read_texts += 1
            errors.extend(f"{path.relative_to(root)}: '{phrase}' in: {text[:300]}" for phrase in found_in(text))

    for room in ("include", "examples"):
        for path in sorted((root / room).rglob("*")):
            if path.suffix in (".hpp", ".cpp"):
                text = path.read_text(encoding="utf-8")
                read_all(path, messages_of(text))
                read_all(path, comments_of(text))
    for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        if path.relative_to(root).as_posix() not in SKIPPED:
            read_all(path, paragraphs_of(path.read_text(encoding="utf-8")))
    return read_texts, errors


def main():
    count, errors = read(pathlib.Path(sys.argv[1]).resolve())
    errors = check_patterns() + errors
    for error in errors:
        print("wording:", error)
    print(f"{len(BANNED)} phrases, {count} messages, comments and paragraphs, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
