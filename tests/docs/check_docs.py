#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Code in Markdown is quoted from files that are compiled, and links lead somewhere.

    check_docs.py SOURCE_ROOT            compare
    check_docs.py --write SOURCE_ROOT    bring the quotations up to date

A block of C++ in README.md or docs/**/*.md stands below a marker, and equals the lines between // [name] and
// [/name] in that file:

    <!-- region: examples/01_first_retry.cpp#name -->
    ```cpp
    ...
    ```

Without "#name" the block is the whole file: what a program prints, from examples/expected.

The table of all policies, docs/reference/policies.md, is made of the headers by policies.py, docs/errors.md of the
mistakes' files and the headers by errors.py, and what the documents say of the roles by roles.py. The numbers in
docs/reference/limits.md are compared with the constants in the code by limits.py. Each stop_reason has a row
in docs/how_to/why_is_it_not_retried.md; with each text of why_not_retried() it has an end on the page of steps
(steps.py). A how-to names a header for each policy that it composes. The functions that
docs/explanation/way_of_a_call.md walks through are in the headers that it names, each called from a row before it, and
the headers are at most MOST_HEADERS. Pages that comments and scripts name exist. docs/monitoring reads metrics that
there are. The glossary's terms are sorted and lead to pages. Public functions and concepts have comments, of which the
site makes pages: lookup.py.
"""
import pathlib
import re
import sys
import textwrap

import errors as page_of_errors
import limits
import lookup
import monitoring
import policies
import roles
import steps

MARKER = re.compile(r"^\s*<!--\s*region:\s*([^\s#]+)(?:#(\S+))?\s*-->\s*$")
FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*(\S*)")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*[\"'])?\s*\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)")
HTML_LINK = re.compile(r"<(?:a|img)\s[^>]*?(?:href|src)=[\"']([^\"']+)[\"']")
PAGE = re.compile(r"(?<![\w/.-])docs/[\w/.-]+\.md\b")
REASONS = "docs/how_to/why_is_it_not_retried.md"
GLOSSARY = "docs/reference/glossary.md"
WALK = "docs/explanation/way_of_a_call.md"
MOST_HEADERS = 16
PROGRAMS = {"anew_get", "anew_load"}  # pages that quote a program of many files
CPP = {"cpp", "c++", "cc", "cxx", "hpp"}


def region(root, name, label):
    """The lines of a region, dedented, without the markers of regions inside it; without a label the whole file.
    Raises ValueError with the reason."""
    path = root / name
    if not path.is_file():
        raise ValueError(f"{name} does not exist")
    lines = path.read_text(encoding="utf-8").splitlines()
    if label is None:
        return lines
    begin = [i for i, line in enumerate(lines) if line.strip() == f"// [{label}]"]
    end = [i for i, line in enumerate(lines) if line.strip() == f"// [/{label}]"]
    if len(begin) != 1 or len(end) != 1 or end[0] < begin[0]:
        raise ValueError(f"{name} has no single // [{label}] ... // [/{label}]")
    inside = [line for line in lines[begin[0] + 1:end[0]] if not re.fullmatch(r"\s*// \[/?[\w.-]+\]\s*", line)]
    return textwrap.dedent("\n".join(inside)).strip("\n").splitlines()


def check_page(root, page, write):
    """Returns (number of quotations, errors, whether the page was rewritten)."""
    lines = page.read_text(encoding="utf-8").splitlines()
    out, errors, quotes, i = [], [], 0, 0
    where = page.relative_to(root)
    while i < len(lines):
        fence = FENCE.match(lines[i])
        if not fence:
            below = next((line for line in lines[i + 1:] if line.strip()), "")
            if MARKER.match(lines[i]) and not FENCE.match(below):
                errors.append(f"{where}:{i + 1}: no block follows this marker")
            out.append(lines[i])
            i += 1
            continue
        indent, ticks, language = fence.groups()
        close = i + 1
        while close < len(lines) and lines[close].strip() != ticks:
            close += 1
        block = lines[i + 1:close]
        if close == len(lines):
            errors.append(f"{where}:{i + 1}: this block is never closed")
        above = next((line for line in reversed(lines[:i]) if line.strip()), "")
        marker = MARKER.match(above)
        if language.lower() in CPP and not marker:
            errors.append(f"{where}:{i + 1}: C++ that is not quoted from a file: "
                          "put <!-- region: FILE#NAME --> above it")
        if marker:
            quotes += 1
            try:
                wanted = [indent + line if line else "" for line in region(root, *marker.groups())]
                if block != wanted:
                    if not write:
                        errors.append(f"{where}:{i + 1}: differs from {marker.group(1)}#{marker.group(2) or ''} "
                                      "(tests/docs/check_docs.py --write brings it up to date)")
                    block = wanted
            except ValueError as reason:
                errors.append(f"{where}:{i + 1}: {reason}")
        out += [lines[i], *block, *lines[close:close + 1]]
        i = close + 1
    changed = write and out != lines
    if changed:
        page.write_text("\n".join(out) + "\n", encoding="utf-8")
    return quotes, errors, changed


def check_policies(root, write):
    """Returns (number of policies, errors, whether the table was rewritten)."""
    wanted, count, errors = policies.render(root)
    page = root / policies.PAGE
    if page.is_file() and page.read_text(encoding="utf-8") == wanted:
        return count, errors, False
    if not write:
        errors.append(f"{policies.PAGE} differs from the comments in the headers "
                      "(tests/docs/check_docs.py --write brings it up to date)")
        return count, errors, False
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(wanted, encoding="utf-8")
    return count, errors, True


def check_errors(root, write):
    """Returns (number of mistakes, errors, whether the page was rewritten)."""
    wanted, count, errors = page_of_errors.render(root)
    page = root / page_of_errors.PAGE
    if page.is_file() and page.read_text(encoding="utf-8") == wanted:
        return count, errors, False
    if write:
        page.write_text(wanted, encoding="utf-8")
    else:
        errors.append(f"{page_of_errors.PAGE} differs from the comments in {page_of_errors.MISTAKES} or the messages "
                      "in include (tests/docs/check_docs.py --write brings it up to date)")
    return count, errors, write


def prose_of(page):
    """Numbered lines outside of code blocks, without code spans."""
    inside = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if inside:
            inside = None if line.strip() == inside else inside
        elif fence:
            inside = fence.group(2)
        else:
            yield number, re.sub(r"(`+).*?\1", "", line), line


def anchors_of(page):
    found = set()
    for _, _, line in prose_of(page):
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "").lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            n = 0
            while (slug if n == 0 else f"{slug}-{n}") in found:
                n += 1
            found.add(slug if n == 0 else f"{slug}-{n}")
        found.update(re.findall(r"<a\s+(?:id|name)=[\"']([^\"']+)", line))
    return found


def check_headings(root, page):
    """A part that stands twice is a copy that nobody will edit."""
    errors, seen = [], set()
    for number, _, line in prose_of(page):
        if not line.startswith("## "):
            continue
        if line in seen:
            errors.append(f"{page.relative_to(root)}:{number}: '{line}' stands on this page before")
        seen.add(line)
    return errors


def check_links(root, page):
    errors, links = [], 0
    for number, line, _ in prose_of(page):
        for target in LINK.findall(line) + REFERENCE.findall(line) + HTML_LINK.findall(line):
            if re.match(r"^[a-zA-Z][a-zA-Z+.-]*:", target):
                continue
            links += 1
            where = f"{page.relative_to(root)}:{number}"
            name, _, anchor = target.partition("#")
            other = page if not name else (root / name.lstrip("/") if name.startswith("/") else page.parent / name)
            if not other.exists():
                errors.append(f"{where}: {target} does not exist")
            elif anchor and other.suffix == ".md" and anchor.lower() not in anchors_of(other):
                errors.append(f"{where}: {target}: no such heading")
    return links, errors


def check_names_of_pages(root):
    """A comment or a script that names a page of docs names one that exists."""
    files = [path for room in ("include", "examples", "tests", "benchmarks", ".ci") for path in (root / room).rglob("*")
             if path.suffix in {".hpp", ".cpp", ".py", ".sh", ".build", ".md", ".json"}]
    return [f"{path.relative_to(root)}: {name} does not exist" for path in sorted(files)
            for name in sorted(set(PAGE.findall(path.read_text(encoding="utf-8")))) if not (root / name).is_file()]


def check_headers_of_pages(root):
    """A page of docs/how_to that composes a policy names a header that has it; anew/anew.hpp need not be named."""
    table = (root / policies.PAGE).read_text(encoding="utf-8")
    headers = re.findall(r"^\| \[`(\w+)`\]\(../../include/(anew/policies/[^)]*)\)", table, re.M)
    errors = []
    for page in sorted((root / "docs/how_to").glob("*.md")):
        text, brought = page.read_text(encoding="utf-8"), set()
        for header in {"anew/anew.hpp", *re.findall(r"anew/[\w/]+\.hpp", text)}:
            policies.reachable(root, header, brought)
        errors += [f"{page.relative_to(root)}: say which header has anew::{name}, such as anew/policies.hpp"
                   for name, header in headers if header not in brought and page.stem not in PROGRAMS
                   and re.search(rf"\banew::{name}\b", text)]
    return errors


def check_reasons(root):
    """Every stop_reason has its row on the page that says what to do about it."""
    header = (root / "include/anew/base/stop_reason.hpp").read_text(encoding="utf-8")
    page = root / REASONS
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return [f"{REASONS} has no row for stop_reason::{name}"
            for name in re.findall(r"(?m)^\s*(\w+),\s*///<", header) if f"| `{name}` |" not in text]


def check_glossary(root):
    """Its terms are sorted, and each leads to a page."""
    terms = [part.partition("\n") for part in (root / GLOSSARY).read_text(encoding="utf-8").split("\n### ")[1:]]
    names = [name.lower() for name, _, _ in terms]
    found = [f"{GLOSSARY}: '{name}' leads nowhere" for name, _, text in terms if "](" not in text]
    if not names or names != sorted(set(names)):
        found.append(f"{GLOSSARY}: the terms are not sorted")
    return found


def check_walk(root):
    """That each function of the walk is in a header of its row, and that a header of the rows before it calls it."""
    def quoted(text, pattern=r"`([\w:]+(?:\.hpp)?)`"):
        return re.findall(pattern, text)

    def mentions(headers, name, then=""):
        return any(re.search(rf"\b{name}\b{then}", text[header]) for header in headers if header in text)

    text = {header.name: header.read_text(encoding="utf-8") for room in ("roles", "drivers", "strategy", "run_time")
            for header in (root / "include/anew" / room).rglob("*.hpp")}
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in (root / WALK).read_text(encoding="utf-8").splitlines() if re.match(r"\| `.*\.hpp`", line)]
    before, found = [], []
    for functions, headers, does in rows:
        callers = list(before)
        headers, others = quoted(headers), [name for name in quoted(does) if name.endswith(".hpp")]
        found += [f"{WALK}: no header {name}" for name in headers + others if name not in text]
        for function in (name.rpartition("::")[2] for name in quoted(functions)):
            if not mentions(headers, function, r"\("):
                found.append(f"{WALK}: {function}() is not in {' or '.join(headers)}")
            if before and not mentions(callers, function):
                found.append(f"{WALK}: nothing in the rows before calls {function}()")
            callers += headers  # a row has a function that calls the next
        for name in (name for name in quoted(does) if not name.endswith(".hpp")):
            if not mentions(text, name.rpartition("::")[2]):
                found.append(f"{WALK}: {name} is in no header")
        before += headers + others
    if not rows or len(set(before)) > MOST_HEADERS:
        found.append(f"{WALK}: {len(set(before))} headers, of at most {MOST_HEADERS}")
    return found


def main():
    write = "--write" in sys.argv[1:]
    root = pathlib.Path([a for a in sys.argv[1:] if a != "--write"][0]).resolve()
    count, errors, changed = check_policies(root, write)
    if changed:
        print(f"rewrote {policies.PAGE}")
    _, found = roles.check(root, write)
    errors += found
    explained, found, changed = check_errors(root, write)
    errors += found
    if changed:
        print(f"rewrote {page_of_errors.PAGE}")
    compared, found = limits.check(root)
    errors += found
    looked_up, found = lookup.check(root)
    errors += found + check_reasons(root) + check_headers_of_pages(root) + check_walk(root)
    errors += check_names_of_pages(root) + monitoring.check(root) + steps.check(root) + check_glossary(root)
    pages = [root / "README.md"] * (root / "README.md").exists() + sorted((root / "docs").rglob("*.md"))
    quotes, links = 0, 0
    for page in pages:
        n, found, changed = check_page(root, page, write)
        quotes += n
        errors += found
        if changed:
            print(f"rewrote {page.relative_to(root)}")
    for page in [p for p in sorted(root.glob("*.md")) if p not in pages] + pages:
        n, found = check_links(root, page)
        links += n
        errors += found + check_headings(root, page)
    for error in errors:
        print("docs:", error)
    print(f"{len(pages)} pages, {quotes} quotations, {links} links, {count} policies, "
          f"{explained} mistakes, {compared} limits, {looked_up} functions and concepts, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
