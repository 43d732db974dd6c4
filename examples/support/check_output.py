#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs an example and compares what it prints with a file. check_output.py PROGRAM EXPECTED

In the file, "..." inside a line stands for any text, and a line that is only "..." for any number of lines.
"""
import difflib
import pathlib
import re
import subprocess
import sys


def pattern_of(expected):
    parts = []
    for line in expected.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"[ \t]*\n")
    return "".join(parts)


def main():
    program, expected = sys.argv[1], pathlib.Path(sys.argv[2])
    run = subprocess.run([program], text=True, stdout=subprocess.PIPE, timeout=60, check=False)
    print(run.stdout, end="")
    if run.returncode != 0:
        print(f"-- exit code {run.returncode}")
        return 1
    if not expected.exists():
        print(f"-- there is no {expected}")
        return 1
    wanted, printed = expected.read_text(encoding="utf-8"), run.stdout.rstrip("\n") + "\n"
    if not re.fullmatch(pattern_of(wanted), printed):
        print("-- differs from what it should print:")
        print("\n".join(difflib.unified_diff(wanted.splitlines(), printed.splitlines(), str(expected), str(program),
                                             lineterm="")))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
