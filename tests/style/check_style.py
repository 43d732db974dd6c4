#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a formatter does not check: licence lines, include guards, the size of headers.

    check_style.py SOURCE_ROOT
"""
import pathlib
import re
import statistics
import sys

SPDX = "SPDX-License-Identifier: BSL-1.0"
MOST_LINES = 400
MOST_COLUMNS = 120  # clang-format sees to it in C++
SCRIPTS = {".py", ".sh", ".build"}
ROOMS = ("include", "tests", "examples", "benchmarks", "docs", ".ci")
SUFFIXES = {".hpp", ".cpp", ".cc", ".in", ".py", ".sh", ".build"}


def check_header(root, path):
    name = path.relative_to(root / "include").as_posix()
    guard = re.sub(r"[^A-Z0-9]", "_", name.upper())
    lines = path.read_text(encoding="utf-8").splitlines()
    errors = []
    if lines[:1] != [f"// {SPDX}"]:
        errors.append(f"{name}: the first line is not '// {SPDX}'")
    code = [line.rstrip() for line in lines[1:] if line.strip() and not line.startswith("//")]
    if code[:2] != [f"#ifndef {guard}", f"#define {guard}"] or not code[-1].startswith("#endif"):
        errors.append(f"{name}: the include guard is not {guard}, around everything")
    if len(lines) > MOST_LINES:
        errors.append(f"{name}: {len(lines)} lines, split it (at most {MOST_LINES})")
    return len(lines), errors


def main():
    root = pathlib.Path(sys.argv[1])
    errors, sizes = [], []
    for path in sorted((root / "include").rglob("*.hpp")):
        size, found = check_header(root, path)
        sizes.append(size)
        errors += found
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.is_file() and (path.suffix in SUFFIXES or room == ".ci"):
                text = path.read_text(encoding="utf-8")
                name = path.relative_to(root)
                if not any(SPDX in line for line in text.splitlines()[:2]):
                    errors.append(f"{name}: no '{SPDX}' in its first lines")
                if path.suffix in SCRIPTS and max(map(len, text.splitlines())) > MOST_COLUMNS:
                    errors.append(f"{name}: a line of more than {MOST_COLUMNS} columns")
                if "\t" in text or re.search(r"[ \t]+$", text, re.M) or not text.endswith("\n"):
                    errors.append(f"{name}: a tab, a space at the end of a line, or no end of line at the end")
    for error in errors:
        print("style:", error)
    if sizes:
        p90 = statistics.quantiles(sizes, n=10)[-1] if len(sizes) > 1 else sizes[0]
        print(f"{len(sizes)} headers: median {statistics.median(sizes):.0f} lines, 90th percentile {p90:.0f}, "
              f"longest {max(sizes)}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
