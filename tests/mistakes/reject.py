#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles the reject face of a mistake and reads what the compiler says about it.

    reject.py [--accept] COMPILE_COMMANDS SOURCE SOURCE_ROOT

The reject face is SOURCE with -DANEW_REJECT. It must fail with exactly one error, in at most 24 lines, without a word
about the metaprogramming library. With --accept, SOURCE as it stands must compile without a warning first. In SOURCE:

    // expect-error: TEXT     the diagnostics contain TEXT (at least one such line; every one is checked)
    // budget: N              at most N lines (N <= 24)
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import compile_command  # noqa: E402

MOST_LINES = 24
INTERNALS = ("boost", "hana")


def main():
    words = [word for word in sys.argv[1:] if word != "--accept"]
    database, source, root = words[0], pathlib.Path(words[1]), words[2]
    text = source.read_text(encoding="utf-8")
    expected = [line.strip() for line in re.findall(r"//\s*expect-error:[ \t]*(.*\S)", text)]
    budget = min([MOST_LINES] + [int(n) for n in re.findall(r"//\s*budget:\s*(\d+)", text)])
    problems = []
    if not expected:
        problems.append("the file has no '// expect-error: TEXT'")
    if "ANEW_REJECT" not in text:
        problems.append("the file does not ask for ANEW_REJECT: it has one face")

    command, directory = compile_command.flags_for(database, source, precompiled=True)

    def compile_it(*definitions):
        return subprocess.run([*command, *definitions, "-fsyntax-only", str(source.resolve())], cwd=directory,
                              text=True, capture_output=True, env=compile_command.plain_environment(), check=False)

    if "--accept" in sys.argv:
        accepted = compile_it()
        if accepted.returncode != 0 or accepted.stderr:
            problems.append(f"the accept face does not compile:\n{accepted.stderr}")
    run = compile_it("-DANEW_REJECT")
    # Where the tree lies is not part of the message.
    output = run.stderr.replace(str(pathlib.Path(root).resolve()) + "/", "")
    output = re.sub(r"[^\s:]*/(?=include/anew/|examples/mistakes/)", "", output)
    lines = compile_command.lines_of_user(output)
    errors = [line for line in lines if "error:" in line]

    if run.returncode == 0:
        problems.append("the reject face compiles")
    elif len(errors) != 1:
        problems.append(f"{len(errors)} errors instead of one")
    if len(lines) > budget:
        problems.append(f"{len(lines)} lines of diagnostics, at most {budget} are allowed")
    problems += [f"expected but not said: {wanted}" for wanted in expected if wanted not in output]
    # A file that says it itself, because its mistake is about Boost.Asio, may be answered with it.
    problems += [f"says '{word}'" for word in INTERNALS if re.search(word, output, re.I) and word not in text]

    print(output, end="")
    frames = sum(1 for line in lines if line.startswith(("In file included from", "                 from ")))
    print(f"-- {source.name}: {len(errors)} error, {len(lines)} lines, {frames} of them the chain of includes "
          f"(at most {budget})")
    for problem in problems:
        print(f"-- {source.name}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
