#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The translation units of a build that clang-tidy reads: what it finds in the headers is what counts.

    tidy_units.py BUILD_DIRECTORY

One unit includes all headers: code that is no template, and templates as they are written, are read there by all
checks. What shows only in an instantiation needs code that instantiates, and is read there by the checks of behaviour
alone: the examples, which no other stage reads with clang, and two of the laws, which go over every model.

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
# What a namespace around a file changes: namespaces of others, macros, and names that begin with "::".
NOT_MERGED = re.compile(r'^(namespace (anew|std|boost)\b|template <>|#define)|extern "C"|[\s(]::(request|testing)',
                        re.MULTILINE)
INCLUDE = re.compile(r'^#include [<"][^>"]+[>"]', re.MULTILINE)
# How the code is written shows in the unit of all headers, and the last check leaves instantiations out.
CHECKS = ("InheritParentConfig: true\nChecks: '-readability-*,-modernize-*,-cppcoreguidelines-*,"
          "-performance-unnecessary-value-param'\n")


def is_read(source):
    return source.suffix == ".cpp" and (source.name in LAWS or is_small(source))


def is_small(source):
    folder = source.parent.as_posix()
    return folder.endswith(("/examples", "/tests/static")) and not folder.endswith("/tests/unit/examples")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    commands = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve(): entry for entry in
                json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))}
    read = sorted(filter(is_read, commands))
    alone = [source for source in read
             if not is_small(source) or NOT_MERGED.search(source.read_text(encoding="utf-8"))]
    merged = [source for source in read if source not in alone]
    folder = build / "merged"
    folder.mkdir(exist_ok=True)
    (folder / ".clang-tidy").write_text(CHECKS, encoding="utf-8")
    all_headers = build / "tests/odr/everything.cpp"
    database = [{"directory": str(build), "file": str(all_headers),
                 "arguments": [*compile_command.words_of(commands[all_headers]), "-c", str(all_headers)]}]
    # Those that are merged take longest, and begin first.
    for parts in [merged[i:i + AT_ONCE] for i in range(0, len(merged), AT_ONCE)] + [[source] for source in alone]:
        unit = folder / f"{len(database)}.cpp"
        text = f'#include "{parts[0]}"\n'
        if len(parts) > 1:
            includes = {line for part in parts for line in INCLUDE.findall(part.read_text(encoding="utf-8"))}
            text = "\n".join(sorted(includes)) + "\n" + "".join(
                f'namespace unit_{number} {{\n#include "{part}"\n}}\n' for number, part in enumerate(parts))
        unit.write_text(text, encoding="utf-8")
        words = []
        for part in parts:
            own = [*compile_command.words_of(commands[part]), f"-I{part.parent}"]
            words += [word for word in own if word not in words]
        database.append({"directory": commands[parts[0]]["directory"], "file": str(unit),
                         "arguments": [*words, "-w", "-c", str(unit)]})
    (folder / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    print("\n".join(entry["file"] for entry in database))


if __name__ == "__main__":
    main()
