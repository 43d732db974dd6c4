#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the lists in meson.build files with the disk, and the places that state the version with each other. Finds
what would be installed and is no header.

    check_lists.py SOURCE_ROOT
"""
import collections
import pathlib
import re
import sys

# The meson.build (or two of them) that names the files, how a name looks there, where the files are, which they are.
LISTS = [
    ("tests/unit/meson.build", r"'([^']+\.test\.cpp)'", "tests/unit", "**/*.test.cpp"),
    ("tests/static/meson.build", r"'([^']+\.cpp)'", "tests/static", "**/*.cpp"),
    ("tests/laws/meson.build", r"'([^']+\.test\.cpp)'", "tests/laws", "**/*.test.cpp"),
    ("tests/model/meson.build", r"'([^']+\.test\.cpp)'", "tests/model", "**/*.test.cpp"),
    ("tests/conformance/meson.build", r"'([^']+\.test\.cpp)'", "tests/conformance", "**/*.test.cpp"),
    ("tests/mistakes/meson.build", r"'([^'/]+\.cpp)'", "examples/mistakes", "*.cpp"),
    ("tests/mistakes/meson.build", r"'(refused/[^']+\.cpp)'", "tests/mistakes", "refused/*.cpp"),
    ("examples/meson.build", r"'([^'/]+\.cpp)'", "examples", "*.cpp"),
    ("examples/meson.build", r"'(dont/[^']+\.cpp)'", "examples", "dont/*.cpp"),
    ("examples/meson.build", r"'(anew_get/[^']+\.cpp)'", "examples", "anew_get/*.cpp"),
    ("examples/meson.build", r"'(anew_load/[^']+\.cpp)'", "examples", "anew_load/*.cpp"),
    ("examples/meson.build", r"'(anew_fleet/[^']+\.cpp)'", "examples", "anew_fleet/*.cpp"),
    ("examples/meson.build", r"'(anew_plan/[^']+\.cpp)'", "examples", "anew_plan/*.cpp"),
    ("tests/asio/meson.build", r"'([^']+\.test\.cpp)'", "tests/asio", "**/*.test.cpp"),
    ("tests/fuzz/meson.build", r"'([^']+\.fuzz\.cpp)'", "tests/fuzz", "**/*.fuzz.cpp"),
]
# A test file named twice on purpose (tests_of_exceptions): once in its program, once in the list of exceptions.
MAY_REPEAT = {"tests/unit/meson.build", "tests/laws/meson.build"}


def without_comments(text):
    return re.sub(r"(?m)#.*$", "", text)


def check_list(root, build, pattern, folder, glob):
    paths = [root / name for name in build.split("|")]
    if not all(path.exists() for path in paths):
        return [f"{build} is missing"]
    named = re.findall(pattern, without_comments("\n".join(path.read_text(encoding="utf-8") for path in paths)))
    there = {p.relative_to(root / folder).as_posix() for p in (root / folder).glob(glob)}
    errors = [f"{build} does not name {folder}/{name}" for name in sorted(there - set(named))]
    errors += [f"{build} names {folder}/{name}, which does not exist" for name in sorted(set(named) - there)]
    if build not in MAY_REPEAT:
        errors += [f"{build} names {name} twice" for name, n in collections.Counter(named).items() if n > 1]
    return errors


def check_installed(root):
    """All of include/anew is installed, so nothing but headers may lie there."""
    return [f"{path.relative_to(root).as_posix()} would be installed, and is no header"
            for path in sorted((root / "include").rglob("*"))
            if path.is_file() and path.suffix != ".hpp" and path != root / "include/meson.build"]


def check_replaced(root):
    """A header of the tests that takes the place of one of the library has its path: else it replaces nothing."""
    return [f"{path.relative_to(root).as_posix()} takes the place of no header of include"
            for folder in ("tests/model/include", "tests/laws/counted")
            for path in sorted((root / folder / "anew").rglob("*.hpp"))
            if not (root / "include" / path.relative_to(root / folder)).exists()]


def find(root, name, pattern):
    path = root / name
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.M) if path.exists() else None
    return match.group(1) if match else None


def check_versions(root):
    version = find(root, "meson.build", r"^project\('anew',[^)]*?\bversion:\s*'([^']+)'")
    header = "include/anew/base/platform/version.hpp"
    numbers = [find(root, header, rf"^#define ANEW_VERSION_{part} (\d+)$") for part in ("MAJOR", "MINOR", "PATCH")]
    stated = {
        f"{header} (numbers)": ".".join(n or "?" for n in numbers),
        f"{header} (string)": find(root, header, r'^#define ANEW_VERSION_STRING "([^"]+)"$'),
        "CHANGELOG.md (first version)": find(root, "CHANGELOG.md", r"^## \[(\d[^\]]*)\]"),
        "debian/changelog (first version)": find(root, "docs/packaging/debian/changelog", r"\Aanew \(([^)]+)-\d+\) "),
        "vcpkg.json": find(root, "docs/packaging/vcpkg/anew/vcpkg.json", r'^  "version": "([^"]+)",$'),
        "MODULE.bazel": find(root, "docs/packaging/bazel/MODULE.bazel", r'^module\(name = "anew", version = "([^"]+)"'),
    }
    return [f"meson.build says version {version}, {where} says {what}"
            for where, what in stated.items() if what != version]


def check_words(root):
    """anew-get reads every word of the notation. It refuses nesting_words: a test of it says why."""
    page = (root / "docs/reference/notation.md").read_text(encoding="utf-8")
    read = (root / "examples/anew_get/chosen.hpp").read_text(encoding="utf-8")
    return [f"examples/anew_get/chosen.hpp does not name {words}, which docs/reference/notation.md has"
            for words in sorted(set(re.findall(r"`(\w+_words)`", page)) - set(re.findall(r"\w+_words", read)))
            if words != "nesting_words"]


def main():
    root = pathlib.Path(sys.argv[1])
    errors = [error for row in LISTS for error in check_list(root, *row)]
    errors += check_installed(root) + check_replaced(root) + check_versions(root) + check_words(root)
    for error in errors:
        print("lists:", error)
    print(f"{len(LISTS)} lists and the version, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
