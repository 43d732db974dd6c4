#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts what including anew costs, with the configured compiler, and compares with tests/budget/budget.json.

    check_budget.py [--write] COMPILE_COMMANDS SOURCE HEADER...

SOURCE is any file that the build compiles against anew: it gives the flags. The lines equal lines.csv to half a percent
too, so that a change shows as a difference under review; --write writes it.
"""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "layers"),
                str(HERE.parent.parent / "benchmarks" / "support")]
import check_layers  # noqa: E402
import compile_command  # noqa: E402
import reviewed  # noqa: E402


def count(command, directory, includes):
    text = "".join(f"#include {name}\n" for name in includes)
    run = subprocess.run(command + ["-E", "-x", "c++", "-"], input=text, cwd=directory, text=True, capture_output=True,
                         env=compile_command.plain_environment(), check=False)
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    lines = run.stdout.splitlines()
    files = {line.split('"')[1] for line in lines if line.startswith("# ") and line.count('"') >= 2}
    return sum(1 for line in lines if line.strip() and not line.startswith("#")), len(files), len(lines)


def reached_headers(command, directory, header):
    """The library's headers that including this one includes."""
    run = subprocess.run(command + ["-E", "-x", "c++", "-"], input=f'#include "{header}"\n', cwd=directory, text=True,
                         capture_output=True, env=compile_command.plain_environment(), check=False)
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    return re.findall(r'^# \d+ "[^"]*/(anew/[^"]+\.hpp)"', run.stdout, re.MULTILINE)


def main():
    words = sys.argv[1:]
    write = words[0] == "--write"
    database, source, *headers = words[write:]
    command, directory = compile_command.flags_for(database, source)
    command += ["-O0", "-UNDEBUG", "-U_GLIBCXX_ASSERTIONS"]  # alike in each build
    budget = json.loads((HERE / "budget.json").read_text(encoding="utf-8"))
    table = json.loads((HERE.parent / "layers" / "layers.json").read_text(encoding="utf-8"))
    base, base_files, base_raw = count(command, directory, [f"<{budget['baseline']}>"])
    print(f"<{budget['baseline']}>: {base} lines from {base_files} files ({base_raw} with markers and blank lines)")
    found = f"what,lines\n<{budget['baseline']}>,{base}\n"
    failed = 0
    for entry in budget["budgets"]:
        if "headers" in entry:
            wanted = entry["headers"]
        else:
            layers = {h: check_layers.layer_of(h, table) for h in headers}
            wanted = [h for h, layer in layers.items() if layer is not None and layer <= entry["through_layer"]]
            if "reached_from" in entry:
                reached = set(reached_headers(command, directory, entry["reached_from"]))
                wanted = [h for h in wanted if h in reached]
        missing = [h for h in wanted if h not in headers]
        if missing:
            print(f"{entry['name']}: {', '.join(missing)} is not in the list of headers")
            failed += 1
            continue
        lines, files, raw = count(command, directory, [f'"{h}"' for h in wanted])
        ratio = lines / base
        over = ratio > entry["at_most"]
        found += f"\"{entry['name']}\",{lines}\n"
        failed += over
        print(f"{entry['name']}: {lines} lines from {files} files ({raw}): {ratio:.3f} times <{budget['baseline']}>, "
              f"at most {entry['at_most']:.2f}{': OVER' if over else ''}")
    version = subprocess.run([command[0], "--version"], text=True, capture_output=True, check=True).stdout
    differ = reviewed.compare(HERE / "lines.csv", found, version.splitlines()[0], write, 0.005)
    print("\n".join(differ))
    return 1 if failed or differ else 0


if __name__ == "__main__":
    sys.exit(main())
