#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What compilers make of anew: instructions executed by a call that succeeds at once, bytes of code of one more use.

    codegen.py [--compiler g++ --compiler clang++-19] [--write] [--show anew_value]

The instructions are counted by stepping through them one by one, so that two runs agree to the last one; the operation
itself is not counted. The gates:

  * without a quota, at most the instructions of the loop written by hand, in every case that it can be written for;
  * a full token bucket adds at most 8 instructions to the same strategy without one;
  * an optional part that is absent adds none, nor does one that has nothing to do on that path; what each of the others
    adds is printed;
  * a further retry takes at most 120 instructions, 150 with a bucket, in a unit of 32 strategies; with a closed
    breaker, a deadline or through the virtual interface it has gates too;
  * one more use adds at most 240 bytes of code, and with a strategy of its own numbers, bucket and classifier 480.

What is counted equals expected/COMPILER.csv, so that a change shows as a difference under review; --write writes it.
Another version of the compiler may differ there; the gates above hold for all. The exit code is 77 where nothing can be
counted.
"""
import argparse
import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(HERE.parent / "support")]
import compile_command  # noqa: E402
import reviewed  # noqa: E402

FLAGS = ["-std=c++20", "-O2", "-fno-pie", "-Wall", "-Wextra", "-Wpedantic"]
CCACHE = ["ccache"] if shutil.which("ccache") else []
COLUMNS = ["bare", "hand", "tuned", "anew"]

# Name of a case, what it is, whether "at most by hand" is a gate.
CASES = [
    ("value", "error value, exceptions pass", True),
    ("noexcept", "error value, op is noexcept", True),
    ("value_or_exception", "error value or exception", True),
    ("exceptions", "exceptions only, int", True),
    ("expected", "tl::expected<std::string, int>", True),
    ("expected_in_place", "tl::expected of 12 bytes, copied", True),
    ("attempt_number", "op asks for the number of its attempt", True),
    ("attempt_reference", "op is handed the attempt&", True),
    ("observer_of_retry", "an observer that hears of retries", True),
    ("observer_of_end", "an observer that hears of endings", False),
    ("full_bucket", "a token bucket, full", True),
]
MOST_FOR_A_BUCKET = 8
# What an optional part adds to the case "value": name, what it is, the most that it may add (None: printed, no gate).
PARTS = [
    ("history", "a history, and nobody asks for it", 0),
    ("fan_out", "two observers that hear of retries", 0),
    ("nesting_guard", "a guard against nested retries", None),
    ("reset_after", "a reset after a run that lasted", None),
    ("breaker_closed", "a circuit breaker, closed", 30),
    ("cool_down_idle", "a cool-down, with nothing to cool", 30),
    ("unchosen", "choices: a bucket; no gate, deadline, reset", 40),
    ("virtual", "the virtual interface, with a bucket", 140),
]
# The C library compares the operation's name by the instructions of this processor: gated, and not compared.
PROMETHEUS = ("prometheus", "prometheus_metrics, a stopped clock", 250)
# A further retry, of the third to the tenth: name, what it is, the most instructions.
RETRIES = [("plain", "no quota", 120), ("bucket", "a token bucket", 150),
           ("breaker", "a closed breaker", 225), ("deadline", "a deadline", 165),
           ("virtual", "the interface", 540)]
# The system's clock takes some instructions more or less in each run: these are gated, and not compared.
READ_THE_CLOCK = ("breaker", "deadline")
# One more of them: name, KIND of one_more_use.cpp, the most bytes of code.
KINDS = [("use, error value", 1, 240), ("use, bucket", 2, 240), ("use, exceptions", 3, 240),
         ("use and strategy", 4, 480), ("use and own bucket", 5, 480)]
USES = 16


def run(words):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False,
                          env=compile_command.plain_environment())
    if done.returncode not in (0, 77):
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done


def count_instructions(compiler, includes, work):
    """Function -> instructions, or None where this machine does not let a process step another."""
    objects = []
    for name, more in [("bare_cases", []), ("hand_cases", []), ("hand_cases", ["-DTUNED"]), ("anew_cases", []),
                       ("retry_cases", []), ("prometheus_cases", []), ("outside", []), ("count", [])]:
        objects.append(work / f"{name}{len(objects)}.o")
        run([*CCACHE, compiler, *FLAGS, *more, *includes, f"-I{HERE.parent / 'support'}", "-c", HERE / f"{name}.cpp",
             "-o", objects[-1]])
    program = work / "count"
    run([compiler, "-no-pie", *objects, "-o", program])
    done = run([program])
    if done.returncode == 77:
        print(done.stderr.strip())
        return None, program
    return {line.split()[0]: int(line.split()[1]) for line in done.stdout.splitlines()}, program


def section_sizes(compiler, includes, work, kind, uses):
    """(code, tables) in bytes of the file with that many uses; tables are those for unwinding."""
    out = work / "uses.o"
    run([*CCACHE, compiler, *FLAGS, f"-DKIND={kind}", f"-DUSES={uses}", *includes, "-c", HERE / "one_more_use.cpp",
         "-o", out])
    code = tables = 0
    for line in run(["objdump", "-h", out]).stdout.splitlines():
        words = line.split()
        if len(words) > 2 and words[0].isdigit():
            if words[1].startswith(".text"):
                code += int(words[2], 16)
            elif words[1].startswith((".eh_frame", ".gcc_except_table")):
                tables += int(words[2], 16)
    return code, tables


def of_a_retry(counts, column, name):
    """Instructions of one more retry, from the third on; nothing where the column does not have it."""
    if f"{column}_{name}_fails_2" not in counts:
        return ""
    return round((counts[f"{column}_{name}_fails_10"] - counts[f"{column}_{name}_fails_2"]) / 8)


def table_of(counts, sizes):
    """The figures as CSV: what is committed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["case", *COLUMNS])
    for name, _, _ in CASES:
        writer.writerow([name, *(counts[f"{column}_{name}"] for column in COLUMNS)])
    writer.writerow([])
    writer.writerow(["part", "adds"])
    for name, _, _ in PARTS:
        writer.writerow([name, counts[f"anew_{name}"] - counts["anew_value"]])
    writer.writerow(["absent", counts["anew_value"] - counts["anew_without_parts"]])
    writer.writerow([])
    writer.writerow(["further retry", *COLUMNS[1:]])
    for name, _, _ in RETRIES:
        if name in READ_THE_CLOCK:
            continue
        writer.writerow([name, *(of_a_retry(counts, column, name) for column in COLUMNS[1:])])
    writer.writerow([])
    writer.writerow(["one more", "code bytes", "table bytes"])
    for name, (code, tables) in sizes.items():
        writer.writerow([name, code, tables])
    return out.getvalue()


def check(counts, sizes):
    """Prints the tables; returns what is over its budget."""
    over = []
    print(f"  {'instructions of a call that succeeds':<58}" + "".join(f"{name:>7}" for name in COLUMNS) + "   x hand")
    for name, what, gated in CASES:
        row = [counts[f"{column}_{name}"] for column in COLUMNS]
        ratio = row[3] / row[1]
        mark = "" if ratio <= 1 else " OVER" if gated else " (no gate)"
        print(f"  {name:<20}{what:<38}" + "".join(f"{n:>7}" for n in row) + f"{ratio:>9.2f}{mark}")
        if gated and ratio > 1:
            over.append(f"{name}: {row[3]} instructions, by hand {row[1]}")
    more = counts["anew_full_bucket"] - counts["anew_value"]
    print(f"  a full bucket adds {more} instructions, at most {MOST_FOR_A_BUCKET}")
    if more > MOST_FOR_A_BUCKET:
        over.append(f"a full bucket adds {more} instructions, at most {MOST_FOR_A_BUCKET}")
    print("  an optional part adds to a call that succeeds:")
    absent = counts["anew_value"] - counts["anew_without_parts"]
    print(f"  {'absent':<20}{'gate, reset, guard, observer, history':<42}{absent:>5}, at most 0")
    if absent > 0:
        over.append(f"parts that are absent add {absent} instructions")
    for name, what, most in [*PARTS, PROMETHEUS]:
        adds = counts[f"anew_{name}"] - counts["anew_value"]
        print(f"  {name:<20}{what:<42}{adds:>5}" + ("" if most is None else f", at most {most}"))
        if most is not None and adds > most:
            over.append(f"{name} adds {adds} instructions, at most {most}")
    print("  a further retry, in a unit of 32 strategies:" + "".join(f"{name:>7}" for name in COLUMNS[1:]))
    for name, what, most in RETRIES:
        row = [of_a_retry(counts, column, name) for column in COLUMNS[1:]]
        print(f"  {name:<20}{what:<23}" + "".join(f"{n:>7}" for n in row) + f", at most {most}")
        if row[-1] > most:
            over.append(f"a further retry, {what}: {row[-1]} instructions, at most {most}")
    print("  bytes of one more:     code   tables for unwinding")
    for name, _, most in KINDS:
        code, tables = sizes[name]
        print(f"  {name:<20}{code:>7}{tables:>9}")
        if code > most:
            over.append(f"{name}: {code} bytes of code, at most {most}")
    return over


def includes_of(database, source):
    """Where the build looks for headers, with whole paths."""
    words, directory = compile_command.flags_for(database, source)
    found = []
    for i, word in enumerate(words):
        if word.startswith("-I"):
            found.append("-I" + os.path.join(directory, word[2:]))
        elif word.startswith("-isystem"):
            place = word[len("-isystem"):] or words[i + 1]
            found += ["-isystem", os.path.join(directory, place)]
    return found


def version_of(compiler):
    text = run([compiler, "--version"]).stdout
    number = re.search(r"(\d+)\.\d+\.\d+", text)
    return text.splitlines()[0], ("clang" if "clang" in text else "g++") + "-" + (number.group(1) if number else "0")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append", help="default: g++ and clang++-19, where they are")
    parser.add_argument("--include", action="append", default=[], help="where headers are; default: those of this tree")
    parser.add_argument("--like", nargs=2, metavar=("COMMANDS", "SOURCE"),
                        help="include what compile_commands.json has for a source")
    parser.add_argument("--work", type=pathlib.Path, help="where to keep what is built")
    parser.add_argument("--write", action="store_true", help="write expected/*.csv")
    parser.add_argument("--show", metavar="FUNCTION", help="disassemble one of the functions, such as anew_value")
    options = parser.parse_args()

    compilers = options.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]
    includes = [f"-I{place}" for place in options.include or [ROOT / "include"]]
    if options.like:
        includes = includes_of(*options.like)
    over, counted = [], 0
    for compiler in compilers:
        title, short = version_of(compiler)
        print(title)
        with tempfile.TemporaryDirectory() as scratch:
            work = options.work / short if options.work else pathlib.Path(scratch)
            work.mkdir(parents=True, exist_ok=True)
            counts, program = count_instructions(compiler, includes, work)
            if options.show:
                print(run(["objdump", "-dC", "--no-show-raw-insn", f"--disassemble={options.show}()", program]).stdout)
                continue
            if counts is None:
                continue
            counted += 1
            sizes = {}
            for name, kind, _ in KINDS:
                few = section_sizes(compiler, includes, work, kind, 1)
                many = section_sizes(compiler, includes, work, kind, USES + 1)
                sizes[name] = tuple(round((b - a) / USES) for a, b in zip(few, many))
        over += [f"{short}: {sentence}" for sentence in check(counts, sizes)]
        over += reviewed.compare(HERE / "expected" / f"{short}.csv", table_of(counts, sizes), title, options.write)
    for sentence in over:
        print("over budget:", sentence)
    if options.show:
        return 0
    return 1 if over else 77 if counted == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
