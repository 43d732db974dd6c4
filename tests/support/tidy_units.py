#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The translation units of a build that clang-tidy reads: what it finds in the headers is what counts.

    tidy_units.py BUILD_DIRECTORY

One unit includes all headers: code that is no template, and templates as they are written, are read there. What shows
only in an instantiation needs code that instantiates: the examples, which no other stage reads with clang, and two of
the laws, which go over every model.

Most of the time goes into headers, so examples are read several at once: BUILD_DIRECTORY/merged/N.cpp includes what
they include, and then each in a namespace of its own. The folder has its own compile_commands.json, with all units.
"""
import json
import pathlib
import re
import sys

import compile_command

LAWS = ("laws.test.cpp", "decision.test.cpp")
AT_ONCE = 8
# What a namespace around a file changes: namespaces of others, aliases that a header wants, macros, and names that
# begin with "::".
NOT_MERGED = re.compile(r'^(namespace (anew|std|boost)\b|namespace \w+ =|template <>|#define)|extern "C"|[\s(]::\w',
                        re.MULTILINE)
INCLUDE = re.compile(r'^#include [<"][^>"]+[>"]', re.MULTILINE)


def is_read(source):
    folder = source.parent.as_posix()
    return source.suffix == ".cpp" and (source.name == "odr_a.cpp" or source.name in LAWS or is_small(source))


def is_small(source):
    folder = source.parent.as_posix()
    return folder.endswith(("/examples", "/tests/static")) and not folder.endswith("/tests/unit/examples")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    commands = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve(): entry for entry in
                json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))}
    read = sorted(source for source in commands if is_read(source))
    merged = [source for source in read
              if is_small(source) and not NOT_MERGED.search(source.read_text(encoding="utf-8"))]
    units = [source for source in read if source not in merged]
    database = [{"directory": commands[source]["directory"], "file": str(source),
                 "arguments": [*compile_command.words_of(commands[source]), "-c", str(source)]} for source in units]
    folder = build / "merged"
    folder.mkdir(exist_ok=True)
    for first in range(0, len(merged), AT_ONCE):
        parts = merged[first:first + AT_ONCE]
        includes = dict.fromkeys(line for part in parts for line in INCLUDE.findall(part.read_text(encoding="utf-8")))
        unit = folder / f"{first // AT_ONCE}.cpp"
        unit.write_text("\n".join(sorted(includes)) + "\n" + "".join(
            f'namespace unit_{number} {{\n#include "{part}"\n}}\n' for number, part in enumerate(parts)),
            encoding="utf-8")
        words = []
        for part in parts:
            own = [*compile_command.words_of(commands[part]), f"-I{part.parent}"]
            words += [word for word in own if word not in words]
        database.append({"directory": commands[parts[0]]["directory"], "file": str(unit),
                         "arguments": [*words, "-w", "-c", str(unit)]})
        units.insert(0, unit)  # they take longest, and begin first
    (folder / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    print("\n".join(map(str, units)))


if __name__ == "__main__":
    main()
