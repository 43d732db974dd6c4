#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What `async_retry()` adds to an asynchronous operation that succeeds at once: instructions, beside the operation
alone.

    asio.py [--compiler g++ --compiler clang++-19] [--write]

Both are counted in one run by stepping through them one by one, from the function that begins the operation to the
caller's handler, one turn of the loop between them and the memory that Asio keeps for the next operation in place. The
gates are ratios: what is reached and 2 or 3 %, at most 1.10 where nothing of the call needs an address, for then it
needs no memory of its own. A composed operation, written as Asio's documentation writes them, stands beside them, and
beside a call whose first attempt fails, counted until its timer waits.

What is counted equals expected/COMPILER.csv to 2 % (the C library has its part in it), so that a change shows as a
difference under review; --write writes it.
The exit code is 77 where nothing can be counted.
"""
import argparse
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "codegen"), str(HERE.parent / "support")]
import reviewed  # noqa: E402
from codegen import FLAGS, includes_of, run, version_of  # noqa: E402

# What is counted, beside what, what it is, the most by g++ and by clang++ (None: printed, no gate).
CASES = [
    ("anew_posted", "bare_posted", "posted operation", 1.064, 1.044),
    ("anew_posted_bucket", "bare_posted", "  with a full token bucket", 1.073, 1.054),
    ("anew_posted_kept_strategy", "bare_posted", "  with a strategy of its own", 1.053, 1.052),
    ("anew_posted_by_reference", "bare_posted_by_reference", "  by std::ref", 1.100, 1.065),
    ("anew_posted_capturing_reference", "bare_posted_by_reference", "  capturing a reference", 1.165, 1.245),
    ("anew_posted_of_state", "bare_posted_of_state", "  with 48 bytes of its own", 1.17, 1.245),
    ("anew_posted_kept_by_copy_reference", "bare_posted_by_reference", "  a reference, kept_by_copy", 1.100, 1.065),
    ("anew_posted_kept_by_copy_state", "bare_posted_of_state", "  with 48 bytes, kept_by_copy", 1.15, 1.12),
    ("anew_posted_attempt", "bare_posted", "  told of its attempt", 1.28, 1.26),
    ("anew_posted_kept_by_copy_attempt", "bare_posted", "  told of its attempt, kept_by_copy", 1.09, 1.09),
    ("anew_posted_deadline", "bare_posted", "  with a deadline", 1.175, 1.255),
    ("anew_posted_slot", "bare_posted_slot", "  with a cancellation slot", 1.44, 1.46),
    ("anew_coded", "bare_coded", "operation with an error code", 1.137, 1.080),
    ("anew_coded_bucket", "bare_coded", "  with a full token bucket", 1.156, 1.099),
    ("anew_coded_slot", "bare_coded_slot", "  and a cancellation slot", 1.54, 1.50),
    ("anew_limited", "bare_limited", "  with an attempt timeout", 1.04, 1.12),
    ("anew_parked", "bare_parked", "the call alone, without a loop", None, None),
    ("anew_parked_bucket", "bare_parked", "  with a full token bucket", None, None),
    ("composed_posted", "bare_posted", "async_compose, by hand", None, None),
    ("anew_waits", "composed_waits", "start of a wait, beside async_compose", 0.90, 0.90),
    ("anew_waits_of_state", "composed_waits_of_state", "  with 48 bytes of its own", 0.90, 0.90),
]

TOLERANCE = 0.02


def count(compiler, includes, work):
    """Case -> instructions, or None where this machine does not let a process step another."""
    program = work / "cases"
    run([compiler, *FLAGS, *includes, f"-I{HERE.parent / 'support'}", HERE / "cases.cpp", "-no-pie", "-pthread",
         "-o", program])
    done = run([program])
    if done.returncode == 77:
        print(done.stderr.strip())
        return None
    return {line.split()[0]: int(line.split()[1]) for line in done.stdout.splitlines()}


def check(counts, is_clang):
    """Prints the table; returns what is over its budget."""
    over = []
    print(f"  {'instructions of a call that succeeds':<38}{'bare':>6}{'anew':>6}{'adds':>6}{'ratio':>8}  at most")
    for name, beside, what, *most in CASES:
        limit = most[1 if is_clang else 0]
        ratio = counts[name] / counts[beside]
        is_over = limit is not None and ratio > limit
        print(f"  {what:<38}{counts[beside]:>6}{counts[name]:>6}{counts[name] - counts[beside]:>6}{ratio:>8.3f}"
              + ("" if limit is None else f"{limit:>9.3f}") + (" OVER" if is_over else ""))
        if is_over:
            over.append(f"{what.strip()}: {ratio:.3f} of the operation alone, at most {limit:.3f}")
    return over


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append", help="default: g++ and clang++-19, where they are")
    parser.add_argument("--include", action="append", default=[], help="where headers are; default: those of this tree")
    parser.add_argument("--like", nargs=2, metavar=("COMMANDS", "SOURCE"),
                        help="include what compile_commands.json has for a source")
    parser.add_argument("--write", action="store_true", help="write expected/*.csv")
    options = parser.parse_args()

    includes = [f"-I{place}" for place in options.include or [ROOT / "include"]]
    if options.like:
        includes = includes_of(*options.like)
    over, counted = [], 0
    for compiler in options.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]:
        title, short = version_of(compiler)
        print(title)
        with tempfile.TemporaryDirectory() as scratch:
            counts = count(compiler, includes, pathlib.Path(scratch))
        if counts is None:
            continue
        counted += 1
        over += [f"{short}: {sentence}" for sentence in check(counts, short.startswith("clang"))]
        found = "case,instructions\n" + "".join(f"{name},{n}\n" for name, n in counts.items())
        over += reviewed.compare(HERE / "expected" / f"{short}.csv", found, title, options.write, TOLERANCE)
    for sentence in over:
        print("over budget:", sentence)
    return 1 if over else 77 if counted == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
