#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles the mistakes beyond the catalogue, tests/mistakes/refused/*.cpp: what newcomers wrote and nothing accepts.

    refused.py COMPILE_COMMANDS SOURCE SOURCE_ROOT

SOURCE is a file that the build compiles against anew: it gives the compiler and its flags, and a precompiled header
where it has one. Each program must fail with exactly one error, in at most 24 lines. In a program:

    // ours: TEXT          the diagnostics contain TEXT, which is anew's
    // compiler: TEXT      the same, in g++'s words, because the language leaves us none
    // clang: TEXT         the same in clang's
    // options: FLAGS      it is compiled with these as well
    // beyond: g++ N, why  on this compiler it is N errors, and nothing that a library does changes that
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import compile_command  # noqa: E402

MOST_LINES = 24


def tags(text):
    """What the comments at the file's head say, by their word."""
    return dict(re.findall(r"^// (ours|compiler|clang|options|beyond): (.*\S)$", text, re.MULTILINE))


def judge(source, commands, directory, is_clang):
    """(line of the report, problems, one error in at most 24 lines)"""
    says = tags(source.read_text(encoding="utf-8"))
    options = says.get("options", "").split()
    plain, precompiled = commands  # a precompiled header is for the options that it was compiled with
    run = subprocess.run([*(plain if options else precompiled), *options, "-fsyntax-only", str(source.resolve())],
                         cwd=directory, text=True, capture_output=True, check=False,
                         env=dict(compile_command.plain_environment(), LC_ALL="C"))
    lines = compile_command.lines_of_user(run.stderr)
    errors = sum(1 for line in lines if "error:" in line)
    compiler = "clang" if is_clang else "g++"
    if re.search(r"fatal error: '?boost/asio/", run.stderr):
        return f"{source.stem}: left out, there is no Boost.Asio", [], None
    problems = []
    if run.returncode == 0:
        problems.append("compiles")
    wanted = says.get("ours") or (says.get("clang") if is_clang else says.get("compiler"))
    if not wanted:
        problems.append(f"has no comment that says what is expected of {compiler}")
    elif wanted not in run.stderr:
        problems.append(f"expected but not said: {wanted}")
    is_good = errors == 1 and len(lines) <= MOST_LINES
    beyond = re.search(re.escape(compiler) + r" (\d+)", says.get("beyond", ""))
    if is_good and beyond:
        problems.append("is one error now: take its 'beyond' out")
    elif not is_good and not beyond:
        problems.append(f"{errors} errors in {len(lines)} lines instead of one in at most {MOST_LINES}")
    elif beyond and errors > int(beyond.group(1)):
        problems.append(f"{errors} errors instead of {beyond.group(1)}")
    if problems:
        problems.append(run.stderr[:3000])
    whose = "ours" if "ours" in says else "compiler's"
    return f"{source.stem}: {errors} in {len(lines)} lines, {whose}", problems, is_good


def main():
    database, source, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    commands = []
    for precompiled in (False, True):
        words, directory = compile_command.flags_for(database, source, precompiled)
        # What is refused is asked about, not what is warned of.
        commands.append([word for word in words if not word.startswith("-W")])
    version = subprocess.run([commands[0][0], "--version"], text=True, capture_output=True, check=False).stdout
    programs = sorted((root / "tests/mistakes/refused").glob("*.cpp"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda each: judge(each, commands, directory, "clang" in version), programs))
    failures = 0
    for program, (line, problems, _) in zip(programs, found):
        print(line)
        failures += bool(problems)
        for problem in problems:
            print(f"-- {program.stem}: {problem}")
    asked = [is_good for _, _, is_good in found if is_good is not None]
    print(f"{sum(asked)} of {len(asked)} are one error in at most {MOST_LINES} lines, {failures} failures")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
