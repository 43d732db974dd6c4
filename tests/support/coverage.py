#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Line and branch coverage of headers, from clang's source-based instrumentation.

    coverage.py BUILD_DIR PROFILES SOURCE_PREFIX LEAST_LINES LEAST_BRANCHES

A line or a branch of a template counts once, as covered when some instantiation in some program covers it. (gcov has
every instantiation apart and every exception edge as a branch: forty tests of one `if` are eighty branches, half of
them taken.) A branch is one outcome of a condition in the source; there are none that only an exception takes, and
none without code. Functions that are consteval are left out: they run in the compiler. So are lines marked
`// NOT COVERED: why`, for what no test can reach.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys


def tool(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def programs(build, profiles):
    by_name = collections.defaultdict(list)
    for path in profiles.glob("*.profraw"):
        by_name[path.name.rsplit(".", 2)[0]].append(path)
    for name, raw in sorted(by_name.items()):
        found = [p for p in build.rglob(name) if p.is_file() and p.stat().st_mode & 0o100]
        if len(found) != 1:
            sys.exit(f"coverage: {name} has counted, and {len(found)} programs of {build} have that name")
        yield found[0], raw


def consteval_before(code, start):
    """The line that says consteval of the function whose body may begin on this line, or 0."""
    for number in range(start, max(0, start - 8), -1):
        line = code[number - 1]
        if re.search(r"\bconsteval\b", line):
            return number
        if number != start and re.search(r"[;}]\s*(//.*)?$", line):
            return 0
    return 0


def here(name, prefix):
    """The path of a header of ours; None for any other file. An object from the cache may have been compiled over a
    precompiled header of another clone, and names that clone's folder; the text is the same, or it would be no hit."""
    _, found, rest = name.rpartition(f"/{prefix.parent.name}/{prefix.name}/")
    return prefix / rest if found else None


def left_out_of(code):
    """The lines of functions that run in the compiler, and of what no test can reach."""
    found = {number for number, line in enumerate(code, 1) if "NOT COVERED:" in line}
    # Braces of texts and comments are none. (Which functions there are, llvm-cov would say, in most of its time.)
    braces = [re.sub(r"[^{}]", "", re.sub(r'"(\\.|[^"\\])*"|//.*|\'[{}]\'', "", line)) for line in code]
    last = 0
    for number in range(1, len(code) + 1):
        if number > last and "{" in braces[number - 1] and consteval_before(code, number) > last:
            last, depth = number, 0
            for last in range(number, len(code) + 1):
                depth += braces[last - 1].count("{") - braces[last - 1].count("}")
                if depth <= 0:
                    break
            found |= set(range(number, last + 1))
    return found


def main():
    build, profiles, prefix = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    least_lines, least_branches = float(sys.argv[4]), float(sys.argv[5])
    left_out = {}
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)

    for program, raw in programs(build, profiles):
        merged = profiles / (program.name + ".profdata")
        tool("llvm-profdata-19", "merge", "-sparse", "-o", merged, *raw)
        export = ("llvm-cov-19", "export", f"-instr-profile={merged}", f"-compilation-dir={build}", program,
                  "-skip-functions", "-skip-expansions", "-ignore-filename-regex=^/usr/")
        report = json.loads(tool(*export))["data"][0]
        for file in report["files"]:
            path = here(file["filename"], prefix)
            if path is None:
                continue
            if path not in left_out:
                left_out[path] = left_out_of(path.read_text(encoding="utf-8").splitlines())
            for l1, c1, l2, c2, true, false, *_ in file["branches"]:
                known = branches[path].setdefault((l1, c1, l2, c2), [0, 0])
                known[0] += true
                known[1] += false
        path = None
        for line in tool(*export, "-format=lcov").splitlines():
            if line.startswith("SF:"):
                path = here(line[3:], prefix)
            elif path is not None and line.startswith("DA:"):
                number, count = map(int, line[3:].split(",")[:2])
                lines[path][number] = lines[path].get(number, 0) + count

    totals = [0, 0, 0, 0]
    print(f"{'':<36} {'lines':>15} {'branches':>15}  not covered: lines; branches")
    for path in sorted(lines):
        mine = {n: count for n, count in lines[path].items() if n not in left_out[path]}
        taken = [(place[0], count) for place, counts in sorted(branches[path].items()) for count in counts
                 if place[0] not in left_out[path]]
        row = [sum(1 for n in mine.values() if n), len(mine), sum(1 for _, n in taken if n), len(taken)]
        totals = [a + b for a, b in zip(totals, row)]
        missing = ", ".join(str(n) for n, count in sorted(mine.items()) if not count)
        missing_branches = ", ".join(str(n) for n in sorted({line for line, count in taken if not count}))
        print(f"{path.relative_to(prefix).as_posix():<36} {row[0]:6} of {row[1]:5} {row[2]:6} of {row[3]:5}  "
              f"{missing}; {missing_branches}")
    share = [100 * covered / all_of_them if all_of_them else 0 for covered, all_of_them in (totals[:2], totals[2:])]
    print(f"lines: {share[0]:.1f}% ({totals[0]} of {totals[1]}), at least {least_lines:g}%")
    print(f"branches: {share[1]:.1f}% ({totals[2]} of {totals[3]}), at least {least_branches:g}%")
    return 0 if share[0] >= least_lines and share[1] >= least_branches else 1


if __name__ == "__main__":
    sys.exit(main())
