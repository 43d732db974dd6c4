#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints chains of headers, a chain a line, in which each header includes the one in front of it, directly or not. What
those in front bring along it would bring along by itself: so a unit that includes a chain shows of each header in it
what a unit of that header alone shows, in fewer units.

    chains.py INCLUDE HEADER...     HEADER as a program includes it, below INCLUDE
    chains.py --self-test
"""
import pathlib
import re
import sys
import tempfile

DIRECTIVE = re.compile(r'^[ \t]*#[ \t]*(?:(if|endif)|include[ \t]+"([^"]+)")', re.M)
ITS_GUARD = 1


def includes(text):
    """What it includes under no condition but its guard."""
    found, depth = set(), 0
    for condition, name in DIRECTIVE.findall(text):
        if condition:
            depth += 1 if condition == "if" else -1
        elif depth <= ITS_GUARD:
            found.add(name)
    return found


def chains(include, headers):
    """As few as there can be: a matching of each header with one that follows it. A unit costs what its last header
    costs: so the larger a header is, the sooner it gets one to follow it."""
    known = {}

    def brings(name):
        if name not in known:
            path = include / name
            direct = includes(path.read_text(encoding="utf-8")) if path.is_file() else set()
            known[name] = direct.union(*map(brings, direct))
        return known[name]

    followers = {one: [other for other in headers if one in brings(other)] for one in headers}
    in_front = {}

    def match(one, asked):
        for other in followers[one]:
            if other not in asked:
                asked.add(other)
                if other not in in_front or match(in_front[other], asked):
                    in_front[other] = one
                    return True
        return False

    for one in sorted(headers, key=lambda name: (-len(brings(name)), name)):
        match(one, set())
    found = []
    for last in sorted(set(headers) - set(in_front.values())):
        chain = [last]
        while chain[0] in in_front:
            chain.insert(0, in_front[chain[0]])
        found.append(chain)
    return found


def self_test():
    texts = {
        "leaf": "", "other": "#include <map>\n", "both": '#include "leaf"\n#include "other"\n',
        "top": '#include "both"\n',
        "forgets": '#include "leaf"\n',  # to include `other`: must not follow it
        "at_times": '#if FAR\n#include "both"\n#endif\n',
    }
    with tempfile.TemporaryDirectory() as made:
        for name, text in texts.items():
            (pathlib.Path(made) / name).write_text(f"#ifndef {name}\n#define {name}\n{text}#endif\n", encoding="utf-8")
        found = chains(pathlib.Path(made), list(texts))
    wanted = [["at_times"], ["leaf", "forgets"], ["other", "both", "top"]]
    if found != wanted:
        sys.exit(f"{found} instead of {wanted}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    sys.setrecursionlimit(10_000)
    for chain in chains(pathlib.Path(sys.argv[1]), sys.argv[2:]):
        print(*chain)


if __name__ == "__main__":
    main()
