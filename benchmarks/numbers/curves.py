#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""How costs grow: strategies in one file, keys of a registry, calls that wait on Asio.

    curves.py BUILD [--most N] [--write]

  * 1 to 200 strategies of one kind, each with numbers, a bucket and a classifier of its own and a call: bytes of code
    at -O2, and the compiler's time
  * 10 to 10^6 keys of `partitioned`: bytes a key
  * 10^3 to 10^6 calls that wait on one loop of Asio: bytes a call, and the time until a call waits

BUILD is a build directory with the benchmarks, with g++. --most bounds the keys and calls, and the strategies by its
hundredth part. Printed, and with --write recorded in benchmarks/results/curves.csv: no gate, since times and the heap's
blocks are those of this machine.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "compile_time")]
import compile_time  # noqa: E402
from compile_time import codegen  # noqa: E402


def output_of(words):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def strategies(includes, most):
    """(number, bytes of code, milliseconds) of g++ -O2."""
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "uses.o"
        bench = compile_time.Bench("g++", includes, pathlib.Path(scratch), 1)
        for number in (1, 10, 50, 100, 200):
            if number <= most:
                source = compile_time.of_one_kind(number)[0]
                milliseconds = bench.milliseconds([source], ["-O2", "-c", "-o", str(out)])[0]
                headers = output_of(["objdump", "-h", out])
                sizes = re.findall(r"^ *\d+ \.text\S* +([0-9a-f]+)", headers, re.MULTILINE)
                yield number, sum(int(size, 16) for size in sizes), round(milliseconds)


def keys(build, most):
    run = json.loads(output_of([build / "benchmarks" / "runtime" / "registry", "--benchmark_filter=^memory/",
                                "--benchmark_format=json"]))
    for one in run["benchmarks"]:
        number = int(one["name"].split("/")[1])
        if number <= most:
            yield number, round(one["bytes_a_key"])


def waiting(build, most):
    output_of(["ninja", "-C", build, "benchmarks/asio/waiting"])
    numbers = [str(10 ** n) for n in range(3, 7) if 10 ** n <= most]
    for line in output_of([build / "benchmarks" / "asio" / "waiting", *numbers]).splitlines():
        yield tuple(map(int, line.split(",")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    includes = codegen.includes_of(options.build / "compile_commands.json", HERE.parent / "runtime" / "calls.cpp")
    tables = [("strategies in a file,bytes of code,ms at -O2", strategies(includes, options.most // 100)),
              ("keys of a registry,bytes a key", keys(options.build, options.most)),
              ("waiting calls on Asio,bytes a call,ns until it waits", waiting(options.build, options.most))]
    texts = []
    for head, rows in tables:
        texts.append("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
        print(texts[-1], flush=True)
    if options.write:
        path = HERE.parent / "results" / "curves.csv"
        path.write_text(f"# {codegen.version_of('g++')[0]}\n" + "\n".join(texts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
