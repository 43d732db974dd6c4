#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""No header defines what two units that include it cannot be linked with: a function or a variable that is not inline.

    check_symbols.py NM LIBRARY     whose units include headers, and define nothing
"""
import subprocess
import sys

# As nm writes them: weak and unique ones a linker merges.
MAY_MEET = set("WVu")


def main():
    nm, library = sys.argv[1:]
    said = subprocess.run([nm, "--defined-only", "--extern-only", "--demangle", "--format=posix", library], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    # "NAME TYPE VALUE SIZE", where a name may have spaces; or "library[unit]:".
    symbols = [line.rsplit(maxsplit=3) for line in said.splitlines() if not line.endswith("]:")]
    found = {(symbol[0], kind) for *symbol, kind, _, _ in symbols}
    strong = sorted(name for name, kind in found if kind not in MAY_MEET)
    for name in strong:
        print(f"two units would define {name}")
    print(f"{len(found)} symbols, {len(strong)} errors")
    return 1 if strong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
