#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The figures of this library that are reviewed: compared with the CSV files in the tree, or written.

    figures.py BUILD            bytes, and allocations of a call on Asio: a test of the suite 'codegen'
    figures.py BUILD --write    writes these files and those of the other tests of that suite:
                                  benchmarks/numbers/expected    bytes of a strategy, its token and its machine
                                  benchmarks/asio/expected       instructions and allocations of a call on Asio
                                  benchmarks/codegen/expected    instructions of a call, bytes of one more use
                                  tests/budget/lines.csv         lines that a header includes
                                and benchmarks/compile_time/expected, what g++ allocates for one more strategy

BUILD is a build directory with the benchmarks, with g++. How often a call reads the clock is a table in
tests/unit/drive/clock_reads.test.cpp, which that test compares. Times are no reviewed figures:
benchmarks/numbers/curves.py records some.
"""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "codegen"), str(HERE.parent / "support"), str(ROOT / "tests" / "install_list")]
import codegen  # noqa: E402
import reviewed  # noqa: E402


def output_of(words):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def allocations(program):
    """The lines of the program as CSV; those without a limit are Asio's own."""
    rows = ["call,of the heap,of its allocator"]
    for line in output_of([program]).splitlines():
        found = re.fullmatch(r"(.*?) +([\d.]+) of the heap a call, +([\d.]+) of its allocator", line)
        if found:
            rows.append('"{}",{},{}'.format(*found.groups()))
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--compiler", default="g++", help="that of the build")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    benchmarks = options.build / "benchmarks"
    title, short = codegen.version_of(options.compiler)
    sizes = output_of([benchmarks / "numbers" / "sizes"])
    over = reviewed.compare(HERE / "expected" / f"sizes-{short}.csv", sizes, title, options.write)
    asio = benchmarks / "asio" / "asio_allocations"
    if asio.exists():
        path = HERE.parent / "asio" / "expected" / f"allocations-{short}.csv"
        over += reviewed.compare(path, allocations(asio), title, options.write)
    if options.write:
        like = ["--like", options.build / "compile_commands.json", HERE.parent / "runtime" / "calls.cpp"]
        for script in ("codegen/codegen.py", "asio/asio.py", "compile_time/compile_time.py"):
            print(output_of([sys.executable, HERE.parent / script, "--write", *like]), end="")
        headers = output_of([sys.executable, ROOT / "tests" / "install_list" / "headers.py"]).split()
        budget = ROOT / "tests" / "budget" / "check_budget.py"
        print(output_of([sys.executable, budget, "--write", *like[1:], *headers]), end="")
    for sentence in over:
        print(sentence)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
