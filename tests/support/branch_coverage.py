#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Branch coverage of templates, by source line: branch_coverage.py BUILD_DIR SOURCE_PREFIX LEAST_PERCENT

gcov has the branches of every instantiation of a template apart, and gcovr adds them up: an `if` in a template that forty
tests instantiate counts as eighty branches, of which each test takes one. Here a branch counts once per line of source, as
taken when some instantiation takes it. Left out, as with gcovr's exclude-throw-branches and exclude-unreachable-branches,
are branches that only an exception takes and those on lines without code; and the choice among catch clauses.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

NO_CODE = re.compile(r"^[\s{}();]*(//.*)?$")
CATCH = re.compile(r"^\s*\}?\s*catch\s*\(")


def read(gcda):
    run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", gcda.name], cwd=gcda.parent,
                         capture_output=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith(b"{")]


def main():
    build, prefix, least = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), float(sys.argv[3])
    # (file, line, number of branches there) -> how often each was taken. An instantiation that has others, because of an
    # if constexpr, is another key.
    taken = collections.defaultdict(list)
    sources = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for reports in pool.map(read, sorted(build.rglob("*.gcda"))):
            for report in reports:
                directory = pathlib.Path(report["current_working_directory"])
                for file in report["files"]:
                    path = pathlib.Path(os.path.normpath(directory / file["file"]))
                    if prefix not in path.parents:
                        continue
                    code = sources.setdefault(path, path.read_text(encoding="utf-8").splitlines())
                    for line in file["lines"]:
                        text = code[line["line_number"] - 1] if line["line_number"] <= len(code) else ""
                        counts = [b["count"] for b in line["branches"] if not b["throw"]]
                        if len(counts) < 2 or NO_CODE.match(text) or CATCH.match(text):
                            continue
                        known = taken[path, line["line_number"], len(counts)]
                        known[:] = [a + b for a, b in zip(known, counts)] if known else counts
    by_file = collections.defaultdict(lambda: [0, 0, set()])
    for (path, line, _), counts in taken.items():
        row = by_file[path]
        row[0] += len(counts)
        row[1] += sum(1 for n in counts if n > 0)
        if 0 in counts:
            row[2].add(line)
    for path, (total, covered, lines) in sorted(by_file.items()):
        where = ", ".join(map(str, sorted(lines)))
        print(f"{path.relative_to(prefix).as_posix():<40} {covered:5} of {total:5}  {where}")
    total = sum(row[0] for row in by_file.values())
    covered = sum(row[1] for row in by_file.values())
    percent = 100 * covered / total if total else 0
    print(f"branches: {percent:.1f}% ({covered} out of {total})")
    return 0 if percent >= least else 1


if __name__ == "__main__":
    sys.exit(main())
