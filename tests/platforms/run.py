#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs anew for other processors and systems, and prints a table.

usage: run.py [--jobs N] BUILD_FOLDER [TARGET...]

Each target prints the golden log, which must be tests/platforms/golden.txt byte for byte, and what floating point
computes, which must be golden_floating.txt within 1e-9. Most run a selection of the unit tests too. The last line is
"N passed, N failed, N skipped", where each test and each log counts.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOOGLETEST = pathlib.Path("/usr/src/googletest")
TOLERANCE = 1e-9
LONGEST = 400  # seconds of one program

# Of the unit tests those whose outcome could depend on the processor, the width of a type, the library or the system.
EVERYWHERE = """
    backoff/exponential backoff/fibonacci backoff/per_kind compose/strategy deadline/deadline
    gate/circuit_breaker gate/rate_breaker hint/server jitter/cap_after_draw jitter/decorrelated jitter/full
    jitter/scaled machine/retry_machine pacer/cubic_rate platform/wide_word quota/refilling_bucket quota/retry_budget
    quota/token_bucket value/duration value/failure value/parameter value/random value/rational
""".split()
WITH_THREADS = """
    aws/settings/profile_file drive/explain_result compose/notation/arguments poll/poll pacer/client_rate_limiter
    quota/striped retry/outcomes
    retry/stop sharing/partitioned virtual/token_room virtual/virtual_strategy
""".split()
WITH_POSIX = "platform/fork_safe_mutex retry/sleepers".split()


def cross(triple):
    return [f"{triple}-g++", "-std=c++20", "-static"]


def target(command, run=(), tests=(), googletest=(), link=(), what=""):
    return {"command": command, "run": list(run), "tests": list(tests), "googletest": list(googletest),
            "link": list(link), "what": what}


WASI_LIBRARY = "/usr/lib/llvm-19/include/wasm32-wasi/c++/v1"
TARGETS = {
    "x86-64, C++23": target(["g++", "-std=c++23", "-static"], what="g++ 12, native"),
    "aarch64": target(cross("aarch64-linux-gnu"), ["qemu-aarch64"], what="g++ 12, qemu-user"),
    "riscv64": target(cross("riscv64-linux-gnu"), ["qemu-riscv64"], what="g++ 12, qemu-user"),
    "s390x": target(cross("s390x-linux-gnu"), ["qemu-s390x"], EVERYWHERE + WITH_THREADS + WITH_POSIX,
                    what="g++ 12, qemu-user, big endian"),
    "armhf": target(cross("arm-linux-gnueabihf"), ["qemu-arm"], EVERYWHERE + WITH_THREADS + WITH_POSIX,
                    what="g++ 12, qemu-user, 32 bits"),
    "i386": target(cross("i686-linux-gnu"), [], EVERYWHERE + WITH_THREADS + WITH_POSIX, what="g++ 12, native, 32 bits"),
    "Windows": target(cross("x86_64-w64-mingw32"), ["WINE"], EVERYWHERE + WITH_THREADS,
                      what="g++ 12 with threads of POSIX, Wine"),
    "Windows, win32": target(["x86_64-w64-mingw32-g++-win32", "-std=c++20", "-static"], ["WINE"],
                             what="g++ 12 with threads of Windows, Wine"),
    "WebAssembly": target(["clang++-19", "--target=wasm32-wasi", "-std=c++20", "-fno-exceptions",
                           "-isystem", WASI_LIBRARY],
                          ["node", "--no-warnings", "--experimental-wasi-unstable-preview1",
                           str(HERE / "run.mjs")], EVERYWHERE,
                          ["-DGTEST_HAS_PTHREAD=0", "-DGTEST_HAS_STREAM_REDIRECTION=0", "-DGTEST_HAS_DEATH_TEST=0",
                           "-D_WASI_EMULATED_SIGNAL", "-D_WASI_EMULATED_PROCESS_CLOCKS",
                           "-U__SIZEOF_INT128__"],  # of which Debian's run-time library cannot take a remainder
                          ["-lwasi-emulated-signal", "-lwasi-emulated-process-clocks"],
                          what="clang 19, WASI, Node, without exceptions"),
}
TARGETS["Windows"]["command"][0] += "-posix"
for name in ("Windows", "Windows, win32"):
    TARGETS[name]["command"].extend(["-O1", "-Wa,-mbig-obj"])  # -O0 has more sections than an object file can name


class Failed(Exception):
    pass


class Build:
    def __init__(self, name, folder, pool):
        self.of = TARGETS[name]
        self.folder = folder / re.sub(r"\W+", "-", name).lower()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pool = pool

    def compile(self, source, more=()):
        """Starts it; the result is the object file."""
        to = self.folder / (re.sub(r"\W+", "-", str(source).removeprefix(str(ROOT))).strip("-") + ".o")
        command = [self.of["command"][0], "-O0", "-w", "-Wno-psabi", f"-I{ROOT}/include", f"-I{ROOT}/tests/support",
                   f"-I{ROOT}/tests/unit", f"-I{self.folder.parent}/headers", *self.of["command"][1:], *more,
                   "-c", str(source), "-o", str(to)]
        return self.pool.submit(lambda: (check(command), to)[1])

    def link(self, name, objects):
        program = self.folder / f"{name}.exe"
        # Of the compiler's flags only those that choose a target matter here.
        check([*self.of["command"], *map(str, objects), *self.of["link"], "-o", str(program)])
        return program

    def run(self, program, *arguments):
        run = [wine() if one == "WINE" else one for one in self.of["run"]]
        environment = {**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": str(self.folder.parent / "wine")}
        try:
            done = subprocess.run([*run, str(program), *arguments], capture_output=True, timeout=LONGEST, check=False,
                                  env=environment, cwd=self.folder, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as late:
            last = (late.stdout or b"").decode(errors="replace").strip().rpartition("\n")[2]
            raise Failed(f"{program.name} did not end within {LONGEST} s; its last line: {last}") from late
        out = done.stdout.decode(errors="replace").replace("\r", "")
        return done.returncode, out, done.stderr.decode(errors="replace")


def check(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(" ".join(command) + "\n" + done.stderr[:3000])


def wine():
    found = shutil.which("wine64") or shutil.which("wine")
    return found or "/usr/lib/wine/wine64"


def golden(build):
    """The faults of the two logs."""
    program = build.link("golden", [build.compile(HERE / "golden.cpp").result()])
    code, out, error = build.run(program)
    faults = []
    expected = (HERE / "golden.txt").read_text()
    if code != 0 or out != expected:
        lines = zip(out.splitlines() + ["(the end)"], expected.splitlines() + ["(the end)"])
        number, pair = next(((i, p) for i, p in enumerate(lines, 1) if p[0] != p[1]), (0, ("", "")))
        faults.append(f"golden log, exit code {code}, line {number}:\n  {pair[0][:300]}\n  instead of\n"
                      f"  {pair[1][:300]}\n{error[:500]}")
    code, out, error = build.run(program, "floating")
    numbers = [float(line) for line in out.split()]
    wanted = [float(line) for line in (HERE / "golden_floating.txt").read_text().split()]
    close = len(numbers) == len(wanted) and all(abs(a - b) <= TOLERANCE * max(1.0, abs(b))
                                                for a, b in zip(numbers, wanted))
    if code != 0 or not close or not wanted:
        faults.append(f"floating point, exit code {code}: {out[:300]} {error[:300]}")
    return faults


def unit_tests(build):
    """How many ran, and the names of those that failed."""
    if not build.of["tests"]:
        return 0, []
    flags = build.of["googletest"]
    own = [f"-isystem{GOOGLETEST}/googletest/include", f"-isystem{GOOGLETEST}/googlemock/include", *flags]
    objects = [build.compile(GOOGLETEST / "googletest/src/gtest-all.cc", [*own, f"-I{GOOGLETEST}/googletest"]),
               build.compile(GOOGLETEST / "googletest/src/gtest_main.cc", own)]
    objects += [build.compile(ROOT / f"tests/unit/{name}.test.cpp", own) for name in build.of["tests"]]
    program = build.link("unit", [one.result() for one in objects])
    written = build.folder / "unit.json"
    written.unlink(missing_ok=True)
    code, out, error = build.run(program)
    passed = len(re.findall(r"^\[       OK \]", out, re.M))
    failed = sorted(set(re.findall(r"^\[  FAILED  \] ([\w./]+) \(\d", out, re.M)))
    if code != 0 and not failed:
        failed = [f"(exit code {code}) {out[-300:]} {error[-300:]}"]
    if passed == 0:
        failed.append("(no test ran)")
    return passed + len(failed), [f"{one}\n{text_of(one, out)}" for one in failed]


def text_of(test, out):
    found = re.search(rf"^\[ RUN      \] {re.escape(test)}\n(.*?)^\[", out, re.M | re.S)
    return found[1][:800] if found else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    unknown = set(args.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no such target: {', '.join(unknown)}; there are: {', '.join(TARGETS)}")
    folder = args.folder.resolve()
    (folder / "headers").mkdir(parents=True, exist_ok=True)
    boost = folder / "headers/boost"  # alone: the rest of /usr/include is of another system
    if not boost.is_symlink():
        boost.symlink_to("/usr/include/boost")
    passed = failed = 0
    print(f"{'target':<18}{'golden log':>12}{'unit tests':>12}{'failed':>8}{'seconds':>9}  toolchain", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        def one(name):
            begin = time.monotonic()
            build = Build(name, folder, pool)
            try:
                faults = golden(build)
                ran, wrong = unit_tests(build)
            except (Failed, OSError, ValueError) as error:
                return name, [str(error)], 0, [], time.monotonic() - begin
            return name, faults, ran, wrong, time.monotonic() - begin

        with concurrent.futures.ThreadPoolExecutor(len(TARGETS)) as targets:
            for name, faults, ran, wrong, seconds in targets.map(one, args.targets or TARGETS):
                passed += max(0, 2 - len(faults)) + ran - len(wrong)
                failed += len(faults) + len(wrong)
                print(f"{name:<18}{'differs' if faults else 'equal':>12}{ran if TARGETS[name]['tests'] else '-':>12}"
                      f"{len(wrong):>8}{seconds:>9.0f}  {TARGETS[name]['what']}", flush=True)
                for fault in faults + wrong:
                    print("  " + fault.replace("\n", "\n  "), flush=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
