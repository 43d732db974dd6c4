#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A download over a server that resets at random, measured. resume.py ANEW_GET [SIZE_IN_MB [RESET_EVERY_MB]]

Prints what was resident, how often each byte was fetched, and whether the file is equal to the byte. Not a part of the
tests by its size: run_tests.py has the same with 64 MB."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from program_tests import environment
from range_server import RangeServer, content

MEGABYTE = 1_000_000
STEADY = ["--unbounded", "--quota", "unlimited", "--backoff", "constant", "--base", "1ms"]
# The system counts for a process what its parent had before it: a small parent starts it.
MEASURE = "import os,sys;p=os.posix_spawnp(sys.argv[1],sys.argv[1:],os.environ);_,s,u=os.wait4(p,0);" \
    "print(os.waitstatus_to_exitcode(s),u.ru_maxrss)"


def run_measured(command):
    """(exit code, kB resident at most, standard error); standard output is dropped."""
    command = [sys.executable, "-I", "-S", "-c", MEASURE, "sh", "-c", 'exec "$@" >/dev/null', "sh", *command]
    run = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    code, resident = map(int, run.stdout.split())
    return code, resident, run.stderr


def measured(program, size, every, seed=1):
    """(exit code, equal to the byte, kB resident at most, times each byte was sent, resets, seconds, standard error)"""
    draw = random.Random(seed)
    resets = [draw.randrange(every // 2, every * 3 // 2) for _ in range(4 * size // every + 4)]
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as directory, \
            RangeServer(size, lambda n: resets[n]) as server:
        file = pathlib.Path(directory, "file")
        begin = time.monotonic()
        code, resident, errors = run_measured([program, *STEADY, "-o", str(file), server.url()])
        seconds = time.monotonic() - begin
        equal = file.exists() and file.stat().st_size == size
        if equal:
            with open(file, "rb") as received:
                equal = all(received.read(len(piece)) == piece for piece in content(0, size - 1))
        return code, equal, resident, server.sent / size, len(server.answers) - 1, seconds, errors


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    size, every = (int(text) * MEGABYTE for text in (sys.argv[2:] + ["2000", "50"][len(sys.argv) - 2:])[:2])
    code, equal, resident, times, resets, seconds, errors = measured(sys.argv[1], size, every)
    print(f"{size} bytes, exit code {code}, {'equal to the byte' if equal else 'NOT EQUAL'}, {resets} resets, "
          f"{resident / 1024:.1f} MiB resident at most, each byte sent {times:.3f} times, {seconds:.1f} s")
    good = code == 0 and equal and resident <= 32 * 1024 and times <= 1.1 and resets > 0
    if not good:
        print(errors[-2000:])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
