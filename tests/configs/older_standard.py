#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Includes headers under C++17: the compiler says in one error that anew requires C++20, and nothing after it.

    older_standard.py INCLUDE_DIRECTORY COMPILER...
"""
import pathlib
import subprocess
import sys

MOST_LINES = 12  # the chain of includes, and the error
# Macros alone; and what includes another library first, which says for itself what it requires.
LEFT_OUT = {"anew/base/platform/version.hpp", "anew/schedule.hpp", "anew/bridges/ranges/schedule.hpp"}


def main():
    include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    headers = sorted(path.relative_to(include).as_posix() for path in include.glob("anew/*.hpp"))
    headers = [header for header in headers if header not in LEFT_OUT]
    folders = [f"-I{include}", "-I/usr/include/postgresql"]  # libpq's, on Debian
    failures = 0
    for header in headers:
        text = f'#include "{header}"\nint main() {{ return anew::retry(anew::strategy<>{{}}, [] {{ return 0; }}); }}\n'
        run = subprocess.run(compiler + ["-std=c++17", "-fsyntax-only", *folders, "-x", "c++", "-"], input=text,
                             text=True, capture_output=True, check=False)
        lines = run.stderr.splitlines()
        errors = [line for line in lines if "error:" in line]
        said = len(errors) == 1 and "anew requires C++20: compile with -std=c++20 or newer" in errors[0]
        if not said or len(lines) > MOST_LINES:
            failures += 1
            print(f"{header}: {len(errors)} errors in {len(lines)} lines under C++17")
            print(run.stderr[:2000])
    print(f"{len(headers)} headers, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
