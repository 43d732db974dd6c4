#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Includes headers under C++17: the compiler says in one error that anew requires C++20, and nothing after it.

    older_standard.py INCLUDE_DIRECTORY COMPILER...

No header of another library may come first: it would say something else, or be missing. So a folder with an
error in place of each of them stands before the system's.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_LINES = 12  # the chain of includes, and the error
LEFT_OUT = {"anew/base/platform/version.hpp"}  # macros alone
OF_THE_SYSTEM = re.compile(r"(sys/(?!sdt)|linux/|netinet/|arpa/)")


def set_traps(include, folder):
    """Writes a header that is an error for each that anew includes from another library."""
    names = set()
    for path in include.rglob("*.hpp"):
        names |= set(re.findall(r"^#\s*include <([\w./+-]+)>", path.read_text(), re.M))
    foreign = {name for name in names if "/" in name or name in ("libpq-fe.h", "sqlite3.h")}
    foreign = {name for name in foreign if not OF_THE_SYSTEM.match(name)}
    for name in foreign:
        trap = folder / name
        trap.parent.mkdir(parents=True, exist_ok=True)
        trap.write_text(f'#error "{name} comes before the question which C++ this is"\n')
    return len(foreign)


def main():
    include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    headers = sorted(path.relative_to(include).as_posix() for path in include.glob("anew/*.hpp"))
    headers = [header for header in headers if header not in LEFT_OUT]
    failures = 0
    with tempfile.TemporaryDirectory() as traps:
        count = set_traps(include, pathlib.Path(traps))
        for header in headers:
            text = (f'#include "{header}"\n'
                    "int main() { return anew::retry(anew::strategy<>{}, [] { return 0; }); }\n")
            command = [*compiler, "-std=c++17", "-fsyntax-only", f"-I{include}", f"-I{traps}", "-x", "c++", "-"]
            run = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
            lines = run.stderr.splitlines()
            errors = [line for line in lines if "error:" in line]
            said = len(errors) == 1 and "anew requires C++20: compile with -std=c++20 or newer" in errors[0]
            if not said or len(lines) > MOST_LINES:
                failures += 1
                print(f"{header}: {len(errors)} errors in {len(lines)} lines under C++17")
                print(run.stderr[:2000])
    print(f"{len(headers)} headers before {count} of other libraries, {failures} failures")
    return 1 if failures or count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
