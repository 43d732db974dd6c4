#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The translation units of a build that clang-tidy reads: what it finds in the headers is what counts.

    tidy_units.py BUILD_DIRECTORY

One unit includes all headers: code that is no template, and templates as they are written, are read there. What shows
only in an instantiation needs code that instantiates: the examples, which no other stage reads with clang, and two of
the laws, which go over every model.
"""
import json
import pathlib
import sys

LAWS = ("laws.test.cpp", "decision.test.cpp")


def is_read(source):
    folder = source.parent.as_posix()
    return source.suffix == ".cpp" and (source.name == "odr_a.cpp" or source.name in LAWS or
                                        folder.endswith(("/examples", "/tests/static")) and
                                        not folder.endswith("/tests/unit/examples"))


def main():
    build = pathlib.Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    sources = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve() for entry in commands}
    print("\n".join(str(one) for one in sorted(sources) if is_read(one)))


if __name__ == "__main__":
    main()
