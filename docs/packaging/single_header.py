#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes anew-single.hpp: headers of anew, and what they need of Boost.Hana, as one file.

    single_header.py [-o FILE] [--with-boost] [--boost DIR] [HEADER...]

HEADER is a name such as anew/poll.hpp; without any, the file holds DEFAULT below. --with-boost leaves Boost's headers
to be included. --boost names the folder that has boost/hana/version.hpp. The same sources give the same bytes.

Include guards stay: a program may include further headers of anew, or Hana itself, after this file.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The catalogue, and what else the documents use most.
DEFAULT = ("anew/policies.hpp", "anew/http.hpp", "anew/strategy/describe.hpp", "anew/drivers/why_not_retried.hpp",
           "anew/poll.hpp", "anew/hedge.hpp", "anew/coroutine.hpp")
DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w+)[ \t]*(.*)")
TARGET = re.compile(r"[<\"]([^>\"]+)[>\"]")
LITERAL_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(?<!\w)\'(?:\\.|[^\'\\])+\'|//|/\*')
COMMENT_END = re.compile(r"\*/")
EACH_TIME = {"cassert", "assert.h"}  # NDEBUG decides at each of them


class Missing(Exception):
    """A header that should stand in the file is not there."""


def directives(lines):
    """(number, word, rest) of each preprocessor directive that stands outside comments."""
    in_comment = continued = False
    for number, line in enumerate(lines):
        found = None if in_comment or continued else DIRECTIVE.match(line)
        continued = line.endswith("\\")
        if found:
            yield number, found.group(1), found.group(2)
        at = 0
        while True:
            mark = (COMMENT_END if in_comment else LITERAL_OR_COMMENT).search(line, at)
            if not mark or mark.group() == "//":
                break
            in_comment = mark.group() == "/*"
            at = mark.end()


def has_guard(found):
    """Does an include guard hold the whole header? What it holds is then no matter of a condition."""
    depth, closed = 0, []
    for at, (_, word, _) in enumerate(found):
        depth += word in ("if", "ifdef", "ifndef")
        depth -= word == "endif"
        closed += [at] if word == "endif" and depth == 0 else []
    words = [(word, rest.split()[:1]) for _, word, rest in found[:2]]
    return closed == [len(found) - 1] and words == [("ifndef", words[0][1]), ("define", words[0][1])]


class Writer:
    """Puts one header after another. A header that stands inside an #if counts as written up to its #endif only."""

    def __init__(self, folders):
        self.folders = folders  # prefix of a name: the folder that has it
        self.written = [set()]  # one for each #if that is open
        self.out, self.names = [], []

    def folder(self, name):
        return next((top for prefix, top in self.folders.items() if name.startswith(prefix)), None)

    def is_written(self, name):
        return any(name in names for names in self.written)

    def put(self, name):
        path = self.folder(name) / name
        if not path.is_file():
            raise Missing(f"{path} does not exist")
        self.written[-1].add(name)
        self.names.append(name)
        lines = path.read_text(encoding="utf-8").splitlines()
        found = list(directives(lines))
        guarded, depth = has_guard(found), 0
        at = {number: (word, rest) for number, word, rest in found}
        self.out.append(f"// ---- {name}")
        for number, line in enumerate(lines):
            word, rest = at.get(number, ("", ""))
            if word in ("if", "ifdef", "ifndef"):
                depth += 1
                if not (guarded and depth == 1):
                    self.written.append(set())
            elif word in ("else", "elif") and not (guarded and depth == 1):
                self.written[-1] = set()
            elif word == "endif":
                if not (guarded and depth == 1):
                    self.written.pop()
                depth -= 1
            target = TARGET.match(rest) if word == "include" else None
            if target:
                self.include(target.group(1), line)
            else:
                self.out.append(line)

    def include(self, name, line):
        if self.is_written(name) and name not in EACH_TIME:
            return
        if self.folder(name):
            self.put(name)
        else:
            self.written[-1].add(name)
            self.out.append(line)


def commented(text):
    return [("// " + line).rstrip() for line in text.strip().splitlines()]


def tidy(lines):
    """No more than one empty line in succession."""
    return [line for before, line in zip([""] + lines, lines) if line.strip() or before.strip()]


def boost_in(folders):
    for folder in folders:
        if (pathlib.Path(folder) / "boost/hana/version.hpp").is_file():
            return pathlib.Path(folder)
    raise Missing(f"no boost/hana/version.hpp in {' or '.join(map(str, folders))}: say --boost DIR, or --with-boost")


def single_header(names=DEFAULT, boost=None, root=ROOT):
    """The text. `boost` is the folder that has Boost's headers; without it they are left to be included."""
    folders = {"anew/": root / "include"}
    if boost:
        folders["boost/"] = boost
    writer = Writer(folders)
    for name in names:
        writer.include(name, "")
    version = re.search(r'ANEW_VERSION_STRING "([^"]+)"',
                        (root / "include/anew/base/platform/version.hpp").read_text(encoding="utf-8")).group(1)
    head = ["// SPDX-License-Identifier: BSL-1.0",
            f"// anew {version} as one file: these headers, and what they include. Written by",
            "// docs/packaging/single_header.py. Compile with -std=c++20 or newer."]
    head += [f"//   {name}" for name in names]
    if boost:
        number = re.search(r'BOOST_LIB_VERSION "([^"]+)"', (boost / "boost/version.hpp").read_text(encoding="utf-8"))
        head += [f"// It holds a part of Boost.Hana {number.group(1).replace('_', '.')}, under the same licence: each "
                 "header has its copyright."]
    else:
        head += ["// It includes headers of Boost.Hana."]
    head += ["//"] + commented((root / "LICENSE").read_text(encoding="utf-8"))
    return "\n".join(tidy(head + [""] + writer.out)) + "\n"  # no guard around all: another such file may hold more


def main():
    parser = argparse.ArgumentParser(description="Writes anew-single.hpp.", epilog="default: " + " ".join(DEFAULT))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("anew-single.hpp"),
                        help="the file to write (anew-single.hpp); - is standard output")
    parser.add_argument("--with-boost", action="store_true", help="leave Boost's headers to be included")
    parser.add_argument("--boost", type=pathlib.Path, help="the folder that has boost/hana/version.hpp")
    parser.add_argument("headers", nargs="*", metavar="HEADER", help="such as anew/poll.hpp")
    given = parser.parse_args()
    try:
        boost = None if given.with_boost else boost_in([given.boost] if given.boost else ["/usr/local/include",
                                                                                         "/usr/include"])
        unknown = [name for name in given.headers if not name.startswith("anew/")]
        if unknown:
            raise Missing(f"{unknown[0]} is no header of anew: write anew/NAME.hpp")
        text = single_header(given.headers or DEFAULT, boost)
    except Missing as error:
        print(f"single_header.py: {error}", file=sys.stderr)
        return 1
    if str(given.output) == "-":
        sys.stdout.write(text)
    else:
        given.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
