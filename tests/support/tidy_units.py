#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The translation units of a build that clang-tidy reads: what it finds in the headers is what counts.

    tidy_units.py BUILD_DIRECTORY

One unit includes all headers: code that is no template, and templates as they are written, are read there. What shows
only in an instantiation needs tests that instantiate: of each folder of unit tests the largest, one of four, and two of
the laws, which go over every model. To read all of them takes twice as long. The tests are compiled here without a
precompiled header: each of these includes what it needs.
"""
import collections
import json
import pathlib
import sys

LAWS = {"laws.test.cpp", "decision.test.cpp"}


def main():
    build = pathlib.Path(sys.argv[1])
    units = []
    folders = collections.defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        within = source.as_posix().rpartition("/tests/")[2]
        if source.suffix != ".cpp" or within.startswith("unit/examples/"):
            continue
        if within.startswith("unit/"):
            folders[source.parent].append(source)
        elif within.startswith("static/") or source.name == "odr_a.cpp" or (
                within.startswith("laws/") and source.name in LAWS):
            units.append(source)
    for sources in folders.values():
        by_size = sorted(set(sources), key=lambda one: (-one.stat().st_size, one.name))
        units += by_size[:(len(by_size) + 3) // 4]
    print("\n".join(str(one) for one in units))


if __name__ == "__main__":
    main()
