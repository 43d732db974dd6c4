#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What can be said of the sources without building anything, all of it at once.

    quick.py [--jobs N] SOURCE_ROOT [NAME...]
    quick.py --write SOURCE_ROOT    write the generated files: printed tables, pages, umbrella, module

Shows the output of each check that fails. The last line is "N passed, N failed, N skipped". CXX is the compiler that
preprocesses (g++).
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

FORMATTED = ("include", "tests", "examples", "benchmarks")
SUFFIXES = (".hpp", ".cpp", ".cc")
PARTS_OF_FORMAT = 4


def checks(root):
    """(name, command, seconds it takes, roughly): what takes longest begins first."""
    cxx = shlex.split(os.environ.get("CXX", "g++"))

    def script(name, *arguments):
        return [sys.executable, str(root / "tests" / name), *map(str, arguments)]

    sources = sorted(str(path) for room in FORMATTED for path in (root / room).rglob("*") if path.suffix in SUFFIXES)
    found = [(f"format {i + 1}", ["clang-format-19", "--dry-run", "-Werror", *sources[i::PARTS_OF_FORMAT]], 2.0)
             for i in range(PARTS_OF_FORMAT)]
    found += [
        ("docs", script("docs/check_docs.py", root), 4.6),
        ("wording", script("style/check_wording.py", root), 1.8),
        ("style", script("style/check_style.py", root), 1.3),
        ("single-header-tokens", script("packaging/check_single_header.py", root), 1.1),
        ("single-header-check-itself", script("packaging/check_single_header.py", root, "--self-test"), 1.0),
        ("defects", script("mutation/defects.py", "--list", root), 1.0),
        ("older-standard", script("configs/older_standard.py", root / "include", *cxx), 0.8),
        ("module-names", script("packaging/check_module.py", root), 0.7),
        ("names", script("layers/check_names.py", root), 0.5),
        ("catalogue", script("laws/check_catalogue.py", root), 0.5),
        ("scripts", script("scripts/run_tests.py"), 0.4),
        ("layers", script("layers/check_layers.py", root), 0.3),
        ("includes", script("style/check_includes.py", root), 0.2),
        ("layers-check-itself", script("layers/check_layers.py", "--self-test"), 0.2),
        ("headers-check-itself", script("headers/chains.py", "--self-test"), 0.1),
        ("names-check-itself", script("layers/check_names.py", "--self-test"), 0.2),
        ("module-names-check-itself", script("packaging/check_module.py", "--self-test"), 0.2),
        ("lists", script("install_list/check_lists.py", root), 0.1),
    ]
    return sorted(found, key=lambda check: -check[2])


def run(check):
    name, command, _ = check
    begin = time.monotonic()
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False)
        code, out = done.returncode, done.stdout
    except OSError as missing:
        code, out = 77, str(missing)
    return name, code, out, time.monotonic() - begin


def write(root):
    """The umbrella first, because the tables are compiled with it; then what they print, because pages quote it."""
    def script(name):
        subprocess.run([sys.executable, str(root / "tests" / name), "--write", str(root)], check=True)

    script("layers/check_layers.py")
    compiler = [*shlex.split(os.environ.get("CXX", "g++")), "-std=c++20", f"-I{root / 'include'}"]
    with tempfile.TemporaryDirectory() as folder:
        for table in ("notation_table", "preset_table"):
            subprocess.run([*compiler, str(root / f"examples/{table}.cpp"), "-o", f"{folder}/{table}"], check=True)
            printed = subprocess.run([f"{folder}/{table}"], stdout=subprocess.PIPE, check=True).stdout
            (root / f"examples/expected/{table}.txt").write_bytes(printed)
    script("packaging/check_module.py")
    script("docs/check_docs.py")
    return 0


def main():
    if sys.argv[1] == "--write":
        try:
            return write(pathlib.Path(sys.argv[2]).resolve())
        except subprocess.CalledProcessError as failed:
            return failed.returncode
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("only", nargs="*")
    options = parser.parse_args()
    root = options.root.resolve()
    chosen = [check for check in checks(root) if not options.only or check[0] in options.only]
    ends = {0: 0, 1: 0, 77: 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed(pool.submit(run, check) for check in chosen):
            name, code, out, seconds = done.result()
            end = code if code in (0, 77) else 1
            ends[end] += 1
            print(f"  {name:<28} {('ok', 'FAILED')[end] if end < 2 else 'skipped'} {seconds:6.1f} s")
            if end:
                print(re.sub(r"^", "    ", "\n".join(out.splitlines()[-40:]), flags=re.MULTILINE))
            sys.stdout.flush()
    print(f"{ends[0]} passed, {ends[1]} failed, {ends[77]} skipped")
    return 1 if ends[1] or not ends[0] else 0


if __name__ == "__main__":
    sys.exit(main())
